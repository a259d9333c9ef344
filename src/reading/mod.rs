//! The pipeline: a page goes in, a list of diagram readings comes out. Joins evidence and raises flags.
//!
//! Pure of tokio and sqlx.

pub mod book;
pub mod caption_flags;
pub mod crops;
pub mod debug;
pub mod diagram;
pub mod drawn;
pub mod json;
pub mod marks;
pub mod not_chess;
pub mod numbers;
pub mod orientation;
pub mod overlay;
pub mod phase;
pub mod quality;
pub mod reader;
pub mod side;
pub mod squares;
pub mod stipulation;
pub mod turn;
pub mod who_moves;

pub use book::{BookSoFar, Heading};
pub use diagram::{DiagramReading, Orientation, PageReading, Sources, Status};
pub use drawn::DrawnBoard;
pub use reader::{BookContext, Reader, ReadingError, ReadingParams, crops_of};
pub use side::{SideVerdict, join_side};
pub use who_moves::Mover;
