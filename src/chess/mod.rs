//! Chess without pictures: piece placement, the six FEN fields, position checks, stipulations.
//!
//! Pure: no file, no clock, no image. Squares, roles and colours are `shakmaty`'s; a
//! [`Placement`] may hold any arrangement of men, also impossible ones, since real books print them.

pub mod castling;
pub mod checks;
pub mod class;
pub mod draw;
pub mod en_passant;
pub mod fen;
pub mod first_move;
pub mod flag;
pub mod in_check;
pub mod legal;
pub mod lenient;
pub mod mate;
pub mod material;
pub mod orientation;
pub mod piece_letters;
pub mod placement;
pub mod report;
pub mod source;
pub mod stipulation;
#[cfg(test)]
mod testing;

pub use castling::Castling;
pub use checks::{check_dead, check_placement, check_position};
pub use class::{CLASSES, PieceClass};
pub use fen::{EnPassantStyle, Fen, FenError, FenField, ParsedFen};
pub use first_move::{FirstMove, MoveVerdict, PrintedMove, judge_first_move, parse_first_move};
pub use flag::{Flag, FlagCode, Severity};
pub use legal::{LegalPlacement, most_likely_legal};
pub use mate::{MateParams, MateVerdict, diagram_mates, mates};
pub use piece_letters::PieceLetters;
pub use placement::{Placement, PlacementError};
pub use shakmaty::{CastlingSide, Color, Piece, Role, Square};
pub use source::FieldSource;
pub use stipulation::{Stipulation, StipulationError};
