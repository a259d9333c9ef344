//! What the net says of the 64 squares.

use crate::chess::PieceClass;

/// 64 x 13 probabilities. Each row sums to 1; columns in the order of [`crate::chess::CLASSES`].
/// Rows go row by row from the top left square **as seen in the picture**; after
/// [`SquareScores::turned`] of a board printed from Black's side they run a8, b8, ... h1.
#[derive(Debug, Clone, PartialEq)]
pub struct SquareScores(pub Box<[[f32; 13]; 64]>);

impl SquareScores {
    /// The likeliest class and its probability, and the runner-up, of square `index`.
    pub fn best_two(&self, index: usize) -> [(PieceClass, f32); 2] {
        let mut best = [(PieceClass::EMPTY, -1.0f32); 2];
        for class in PieceClass::all() {
            let p = self.0[index][class.index()];
            if p > best[0].1 {
                best = [(class, p), best[0]];
            } else if p > best[1].1 {
                best[1] = (class, p);
            }
        }
        best
    }

    /// The same board turned by 180 degrees.
    pub fn turned(&self) -> SquareScores {
        let mut rows = self.0.clone();
        rows.reverse();
        SquareScores(rows)
    }
}
