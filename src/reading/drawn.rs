//! A board whose corners a person drew, read like those that were found.

use image::imageops;

use super::marks::weigh_marks;
use super::quality::squares_outside;
use super::reader::Seen;
use super::turn::{find_turn, turn_back};
use super::{BookContext, DiagramReading, Reader, ReadingError};
use crate::board::{
    BoardRegion, Point, Quad, QuarterTurn, find_boards, look_again, read_coordinates, warp_board,
};
use crate::page::Page;

/// Corners as drawn, with the page's other boards.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnBoard {
    /// In page pixels, clockwise from the picture's top left.
    pub quad: Quad,
    /// The page's other boards in reading order; a caption belongs to one board only.
    pub others: Vec<Quad>,
    /// 1-based place of this board among all of them.
    pub ordinal: u32,
    /// The corners may move onto the lattice that is seen there. Not for corners that a person moved away from it.
    pub snap: bool,
}

/// A lattice found at most so far from each drawn corner, in squares, is the one that was meant: a hand is rarely off by more, and the
/// next lattice line is a whole square away.
const SNAP_REACH: f32 = 0.4;

/// The part of the page that is searched for the lattice: the drawn board and so much around it, in squares.
const SNAP_MARGIN: f32 = 1.5;

impl Reader {
    /// Reads one board on corners that a person drew.
    ///
    /// # Errors
    /// When the net or the text recognizer fails.
    pub fn read_drawn(
        &mut self,
        page: &Page,
        drawn: &DrawnBoard,
        book: &BookContext,
    ) -> Result<DiagramReading, ReadingError> {
        let region = match drawn.snap {
            true => self.snap(page, &drawn.quad),
            false => None,
        };
        let region = region.unwrap_or_else(|| region_of(page, drawn.quad));
        let (width, height) = (page.gray.width() as f32, page.gray.height() as f32);
        let mut warped = [warp_board(&page.gray, &region.quad)];
        let mut scores = self.model.read(&warped)?;
        let turn = find_turn(
            std::slice::from_ref(&region),
            &warped,
            &scores,
            self.model.as_mut(),
            &self.params.turn,
        )?;
        let quad = |quad: &Quad| turn.quad_to_upright(quad, width, height);
        let region = BoardRegion { quad: quad(&region.quad), ..region };
        let upright;
        let gray = if turn == QuarterTurn::Upright {
            &page.gray
        } else {
            upright = turn.undo(&page.gray);
            warped = [warp_board(&upright, &region.quad)];
            scores = self.model.read(&warped)?;
            &upright
        };
        let Some(first) = scores.first() else {
            return Err(crate::board::ModelError::Run("it gave no answer".to_owned()).into());
        };
        let scores = look_again(gray, &region.quad, first, self.model.as_mut())?;
        let at = (drawn.ordinal.max(1) as usize - 1).min(drawn.others.len());
        let mut quads: Vec<Quad> = drawn.others.iter().map(quad).collect();
        quads.insert(at, region.quad);
        let file_text = page.text.as_ref().filter(|_| turn == QuarterTurn::Upright);
        let mut caption = self.captions(gray, file_text, &quads, book)?.swap_remove(at);
        let coordinates = read_coordinates(gray, &region.quad);
        let below = self.side_below(&scores, &coordinates, &caption);
        weigh_marks(std::slice::from_mut(&mut caption), &[below.orientation], book.marks_black_only);
        let outside = squares_outside(&region.quad, gray.width() as f32, gray.height() as f32);
        let seen = Seen {
            region: &region,
            board: &warped[0],
            scores: &scores,
            coordinates: &coordinates,
            moved: None,
            outside,
        };
        let mut diagram = self.join(drawn.ordinal, seen, caption, below, book);
        if turn != QuarterTurn::Upright {
            turn_back(&mut diagram, turn, width, height);
        }
        Ok(diagram)
    }

    /// The board that the finder sees where one was drawn.
    fn snap(&self, page: &Page, quad: &Quad) -> Option<BoardRegion> {
        let (square, (x0, y0, x1, y1)) = (quad.square_size(), quad.bounds());
        let margin = SNAP_MARGIN * square;
        let (width, height) = (page.gray.width() as f32, page.gray.height() as f32);
        let (left, top) = ((x0 - margin).floor().clamp(0.0, width), (y0 - margin).floor().clamp(0.0, height));
        let (right, bottom) =
            ((x1 + margin).ceil().clamp(left, width), (y1 + margin).ceil().clamp(top, height));
        let (w, h) = ((right - left) as u32, (bottom - top) as u32);
        if w == 0 || h == 0 {
            return None;
        }
        let part = imageops::crop_imm(&page.gray, left as u32, top as u32, w, h).to_image();
        let on_page = |quad: Quad| Quad(quad.0.map(|p| Point::new(p.x + left, p.y + top)));
        find_boards(&part, &self.params.find)
            .regions
            .into_iter()
            .map(|region| BoardRegion { quad: on_page(region.quad), ..region })
            .find(|region| is_near(&region.quad, quad, SNAP_REACH * square))
    }
}

fn is_near(found: &Quad, drawn: &Quad, reach: f32) -> bool {
    found.0.iter().zip(drawn.0).all(|(a, b)| a.distance(b) <= reach)
}

/// Taken at the person's word: no lattice was fitted, so none can fit badly.
fn region_of(page: &Page, quad: Quad) -> BoardRegion {
    let (x0, y0, x1, y1) = quad.bounds();
    let out =
        x0 < -1.0 || y0 < -1.0 || x1 > page.gray.width() as f32 + 1.0 || y1 > page.gray.height() as f32 + 1.0;
    BoardRegion { quad, lattice_residual: 0.0, score: 1.0, cut_off: out, light_first: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{GrayImage, Luma};

    #[test]
    fn a_lattice_within_reach_is_the_one_that_was_meant() {
        let drawn = Quad::from_bounds(100.0, 100.0, 500.0, 500.0);
        assert!(is_near(&Quad::from_bounds(110.0, 95.0, 490.0, 512.0), &drawn, 20.0));
        assert!(!is_near(&Quad::from_bounds(150.0, 100.0, 550.0, 500.0), &drawn, 20.0));
    }

    #[test]
    fn corners_outside_the_page_cut_the_board_off() {
        let page = Page {
            gray: GrayImage::from_pixel(300, 200, Luma([255])),
            dpi: None,
            warnings: Vec::new(),
            text: None,
        };
        assert!(!region_of(&page, Quad::from_bounds(0.0, 0.0, 200.0, 200.0)).cut_off);
        assert!(region_of(&page, Quad::from_bounds(150.0, 0.0, 350.0, 200.0)).cut_off);
    }
}
