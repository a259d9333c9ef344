//! Boards: finding them on a page, warping them square, reading their squares, orientation.
//!
//! Coordinates: page pixels, origin at the top left corner of the top left pixel, x right, y down;
//! the centre of the first pixel is (0.5, 0.5).

pub mod card;
pub mod coordinates;
pub mod find;
pub mod model;
pub mod odd;
pub mod onnx;
pub mod quad;
pub mod scores;
pub mod turn;
pub mod views;
pub mod warp;

pub use coordinates::{Coordinates, read_coordinates};
pub use find::{Candidate, FindParams, Finding, Verdict, find_boards};
pub use model::{BoardScores, Model, ModelError};
pub use odd::{OddParams, Oddity, odd_squares};
pub use onnx::{ModelParams, OnnxModel};
pub use quad::{Point, Quad};
pub use scores::SquareScores;
pub use turn::QuarterTurn;
pub use views::look_again;
pub use warp::warp_board;

/// A board found on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardRegion {
    /// Outer corners of the 8 x 8 squares (not of the frame around them), in page pixels.
    pub quad: Quad,
    /// Root mean square distance of the seen lattice lines from the fitted 9 x 9 lines, in squares (0.02: one fiftieth of a square).
    pub lattice_residual: f32,
    /// How sure the finder is that this is a board, 0 to 1.
    pub score: f32,
    /// Part of the board lies outside the picture, or fewer than 64 squares are there.
    pub cut_off: bool,
    /// Whether the square at the picture's top left is light; `None` where dark squares are blank.
    pub light_first: Option<bool>,
}
