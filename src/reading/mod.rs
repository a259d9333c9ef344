//! The pipeline: a page goes in, a list of diagram readings comes out. Joins evidence and raises flags.
//!
//! Pure of tokio and sqlx.

pub mod diagram;
pub mod side;

pub use diagram::{DiagramReading, Orientation, PageReading, Sources, Status};
pub use side::{SideVerdict, join_side};
