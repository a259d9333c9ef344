//! Several looks at one board, averaged.
//!
//! A found quad is a little wrong, and where a man is hard to read a slightly larger or smaller warp
//! shows him otherwise. The mean of the probabilities over such looks is right more often than one
//! look, and where they disagree it is unsure, as it should be (test-time augmentation; Krizhevsky,
//! Sutskever, Hinton 2012, section 4.1). Which looks a net wants is written in its card, because its
//! temperature and threshold were fitted on their mean.

use image::GrayImage;

use super::warp::Homography;
use super::{BoardScores, Model, ModelError, Quad, SquareScores, warp_board};

/// The board at `quad` read as often as the model wants to look; `first` is what it said of the plain warp.
///
/// # Errors
/// When the net fails.
pub fn look_again(
    gray: &GrayImage,
    quad: &Quad,
    first: &BoardScores,
    model: &mut dyn Model,
) -> Result<BoardScores, ModelError> {
    // the first inset is the plain look, see `ModelCard::parse`
    let more: Vec<GrayImage> =
        model.view_insets().iter().skip(1).map(|&inset| warp_board(gray, &inset_quad(quad, inset))).collect();
    if more.is_empty() {
        return Ok(first.clone());
    }
    let mut looks = model.read(&more)?;
    looks.insert(0, first.clone());
    Ok(mean(&looks))
}

/// The board's corners moved inwards by `inset` squares (outwards where negative); men look larger then.
fn inset_quad(quad: &Quad, inset: f32) -> Quad {
    let (low, high) = (inset, 8.0 - inset);
    match Homography::of_board(quad) {
        Some(board) if inset != 0.0 => board.map_quad([(low, low), (high, low), (high, high), (low, high)]),
        _ => *quad,
    }
}

/// The mean of the probabilities; the outlier measure, which was fitted on plain looks, of the first.
fn mean(looks: &[BoardScores]) -> BoardScores {
    let mut squares = SquareScores(Box::new([[0.0; 13]; 64]));
    let share = 1.0 / looks.len().max(1) as f32;
    for look in looks {
        for (sum, row) in squares.0.iter_mut().zip(look.squares.0.iter()) {
            for (sum, p) in sum.iter_mut().zip(row) {
                *sum += p * share;
            }
        }
    }
    BoardScores { squares, outlier: looks.first().map_or(f32::INFINITY, |look| look.outlier) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Point;

    /// Says of the first square how dark the middle of the picture's margin is.
    struct MarginTone(Vec<f32>);

    impl Model for MarginTone {
        fn read(&mut self, boards: &[GrayImage]) -> Result<Vec<BoardScores>, ModelError> {
            let tone = |board: &GrayImage| {
                let mut squares = SquareScores(Box::new([[0.0; 13]; 64]));
                squares.0[0][0] = f32::from(board.get_pixel(14, 144).0[0]) / 255.0;
                BoardScores { squares, outlier: 0.0 }
            };
            Ok(boards.iter().map(tone).collect())
        }

        fn version(&self) -> &str {
            "margin"
        }

        fn accept_threshold(&self) -> f32 {
            0.5
        }

        fn view_insets(&self) -> &[f32] {
            &self.0
        }
    }

    fn square(x0: f32, x1: f32) -> Quad {
        Quad([Point::new(x0, x0), Point::new(x1, x0), Point::new(x1, x1), Point::new(x0, x1)])
    }

    #[test]
    fn insets_move_the_corners() {
        let moved = inset_quad(&square(100.0, 900.0), 0.1);
        for (got, want) in moved.0.iter().zip(square(110.0, 890.0).0) {
            assert!((got.x - want.x).abs() < 0.01 && (got.y - want.y).abs() < 0.01, "{moved:?}");
        }
        assert_eq!(inset_quad(&square(1.0, 9.0), 0.0), square(1.0, 9.0));
    }

    #[test]
    fn looks_are_averaged() {
        // white paper around a black board of 256 pixels: only a look from inside sees black at the margin
        let gray = GrayImage::from_fn(400, 400, |x, y| {
            image::Luma([if (72..328).contains(&x) && (72..328).contains(&y) { 0 } else { 255 }])
        });
        let read = |insets: &[f32]| {
            let (mut model, quad) = (MarginTone(insets.to_vec()), square(72.0, 328.0));
            let first = model.read(&[warp_board(&gray, &quad)]).unwrap().remove(0);
            look_again(&gray, &quad, &first, &mut model).unwrap().squares.0[0][0]
        };
        assert!(read(&[0.0]) > 0.9);
        assert!((read(&[0.0, 0.5]) - 0.5).abs() < 0.1);
        assert!((read(&[0.0, 0.5, 0.6]) - 0.33).abs() < 0.1);
    }
}
