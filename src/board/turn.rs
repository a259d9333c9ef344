//! Quarter turns: a page that was scanned lying on its side or upside down.

use image::{GrayImage, imageops};
use serde::{Deserialize, Serialize};

use super::{Point, Quad};

/// How far a picture is turned clockwise from upright, in quarters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum QuarterTurn {
    #[default]
    Upright,
    /// Clockwise by 90 degrees: the page's top is on the right.
    Right,
    /// By 180 degrees.
    Over,
    /// Clockwise by 270 degrees: the page's top is on the left.
    Left,
}

impl QuarterTurn {
    pub const ALL: [QuarterTurn; 4] =
        [QuarterTurn::Upright, QuarterTurn::Right, QuarterTurn::Over, QuarterTurn::Left];

    /// 0, 90, 180 or 270.
    pub fn degrees(self) -> u32 {
        90 * self as u32
    }

    /// The turned picture made upright.
    pub fn undo(self, picture: &GrayImage) -> GrayImage {
        match self {
            QuarterTurn::Upright => picture.clone(),
            QuarterTurn::Right => imageops::rotate270(picture),
            QuarterTurn::Over => imageops::rotate180(picture),
            QuarterTurn::Left => imageops::rotate90(picture),
        }
    }

    /// Where a point of the turned picture of `width` x `height` lies in the upright one.
    pub fn to_upright(self, p: Point, width: f32, height: f32) -> Point {
        match self {
            QuarterTurn::Upright => p,
            QuarterTurn::Right => Point::new(p.y, width - p.x),
            QuarterTurn::Over => Point::new(width - p.x, height - p.y),
            QuarterTurn::Left => Point::new(height - p.y, p.x),
        }
    }

    /// The way back: `width` x `height` are those of the turned picture.
    pub fn from_upright(self, p: Point, width: f32, height: f32) -> Point {
        match self {
            QuarterTurn::Upright => p,
            QuarterTurn::Right => Point::new(width - p.y, p.x),
            QuarterTurn::Over => Point::new(width - p.x, height - p.y),
            QuarterTurn::Left => Point::new(p.y, height - p.x),
        }
    }

    /// A quad of the turned picture in the upright one, from its top left there.
    pub fn quad_to_upright(self, quad: &Quad, width: f32, height: f32) -> Quad {
        let mut points = quad.0.map(|p| self.to_upright(p, width, height));
        points.rotate_left(self as usize);
        Quad(points)
    }

    /// A quad of the upright picture in the turned one; it still begins at the corner that is top left upright.
    pub fn quad_from_upright(self, quad: &Quad, width: f32, height: f32) -> Quad {
        Quad(quad.0.map(|p| self.from_upright(p, width, height)))
    }

    /// How far the content of a quad that begins at the content's own top left corner is turned.
    pub fn of_quad(quad: &Quad) -> QuarterTurn {
        let [a, b, c, d] = quad.0;
        // Along the upper and the lower side.
        let (dx, dy) = (b.x - a.x + c.x - d.x, b.y - a.y + c.y - d.y);
        match (dx.abs() >= dy.abs(), dx >= 0.0, dy >= 0.0) {
            (true, true, _) => QuarterTurn::Upright,
            (true, false, _) => QuarterTurn::Over,
            (false, _, true) => QuarterTurn::Right,
            (false, _, false) => QuarterTurn::Left,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_quads_and_pictures_agree() {
        // A page of 3 x 2 with one dark pixel at (2, 0).
        let upright = GrayImage::from_fn(3, 2, |x, y| image::Luma([if (x, y) == (2, 0) { 0 } else { 255 }]));
        for turn in QuarterTurn::ALL {
            let turned = match turn {
                QuarterTurn::Upright => upright.clone(),
                QuarterTurn::Right => imageops::rotate90(&upright),
                QuarterTurn::Over => imageops::rotate180(&upright),
                QuarterTurn::Left => imageops::rotate270(&upright),
            };
            assert_eq!(turn.undo(&turned), upright);
            let (w, h) = (turned.width() as f32, turned.height() as f32);
            let here = turn.from_upright(Point::new(2.5, 0.5), w, h);
            assert_eq!(turned.get_pixel(here.x as u32, here.y as u32).0[0], 0, "{turn:?}");
            assert_eq!(turn.to_upright(here, w, h), Point::new(2.5, 0.5));
            let quad = Quad::from_bounds(0.0, 0.0, 2.0, 1.0);
            let there = turn.quad_from_upright(&quad, w, h);
            assert_eq!(QuarterTurn::of_quad(&there), turn);
            assert!(there.area() > 0.0);
            // As a finder sees it: from the turned picture's own top left.
            let (x0, y0, x1, y1) = there.bounds();
            assert_eq!(turn.quad_to_upright(&Quad::from_bounds(x0, y0, x1, y1), w, h), quad);
        }
    }
}
