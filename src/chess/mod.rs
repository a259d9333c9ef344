//! Chess without pictures: piece placement, the six FEN fields, position checks, stipulations.
//!
//! Pure: no file, no clock, no image. Squares, roles and colours are `shakmaty`'s; a
//! [`Placement`] may hold any arrangement of men, also impossible ones, since real books print them.

pub mod class;
pub mod flag;
pub mod placement;
pub mod source;

pub use class::{CLASSES, PieceClass};
pub use flag::{Flag, FlagCode, Severity};
pub use placement::{Placement, PlacementError};
pub use shakmaty::{Color, Piece, Role, Square};
pub use source::FieldSource;
