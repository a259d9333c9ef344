//! The reader of squares as the pipeline sees it: a trait, so that tests can swap a fake.

use image::GrayImage;

use super::SquareScores;

/// Side of a warped board in pixels: 8 squares of [`SQUARE`] and a [`MARGIN`] all around.
pub const BOARD_SIDE: u32 = 288;
/// Side of one square of a warped board, in pixels.
pub const SQUARE: u32 = 32;
/// Margin around the 8 x 8 squares of a warped board, in pixels.
pub const MARGIN: u32 = 16;

/// What a model says of one warped board.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardScores {
    /// Calibrated probabilities in picture order.
    pub squares: SquareScores,
    /// How far the board lies outside what the net was trained on: 0 ordinary, 1 at the limit where its word is no longer trusted.
    pub outlier: f32,
}

/// A reader of warped boards. One a worker thread.
pub trait Model: Send {
    /// Reads boards of [`BOARD_SIDE`] x [`BOARD_SIDE`] gray pixels (outer corners of the squares at
    /// [`MARGIN`] from the edges), in order.
    fn read(&mut self, boards: &[GrayImage]) -> Result<Vec<BoardScores>, ModelError>;

    /// Name and version, kept with each reading.
    fn version(&self) -> &str;

    /// A square whose likeliest class is less probable than this asks for a person's eye.
    fn accept_threshold(&self) -> f32;

    /// The looks at a board whose mean the model wants to be judged by: how far the corners move
    /// inwards in each, in squares; the first is the plain look, 0. See [`super::views`].
    fn view_insets(&self) -> &[f32] {
        &[0.0]
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error("cannot load the model {path}: {reason}")]
    Load { path: String, reason: String },
    #[error("the model failed on a board: {0}")]
    Run(String),
    #[error("the model wants boards of {want} x {want} pixels and got {width} x {height}")]
    Shape { want: u32, width: u32, height: u32 },
}
