//! Upright strips of paper beside a board: sampled along the board's own edges, so that the text of a
//! slightly turned page lies level.

use image::{GrayImage, Luma};
use serde::{Deserialize, Serialize};

use crate::board::{Point, Quad};

use super::PixelRect;

/// On which side of a board, as seen in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    Above,
    Below,
    Left,
    Right,
}

impl Place {
    pub const ALL: [Place; 4] = [Place::Above, Place::Below, Place::Left, Place::Right];
}

/// A turned coordinate frame on the page: `u` runs along a board's edge, `v` down, both in page pixels.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    origin: Point,
    right: Point,
}

impl Frame {
    /// The frame of one side of a board: its origin is the board's top left corner, for [`Place::Below`]
    /// the bottom left one; `u` follows the edge there.
    pub fn of(quad: &Quad, place: Place) -> Frame {
        let [top_left, top_right, bottom_right, bottom_left] = quad.0;
        let (origin, from, to) = match place {
            Place::Above => (top_left, top_left, top_right),
            Place::Below => (bottom_left, bottom_left, bottom_right),
            Place::Left | Place::Right => {
                let from = Point::new(top_left.x + bottom_left.x, top_left.y + bottom_left.y);
                let to = Point::new(top_right.x + bottom_right.x, top_right.y + bottom_right.y);
                (top_left, from, to)
            }
        };
        let length = from.distance(to).max(f32::EPSILON);
        let (mut x, mut y) = ((to.x - from.x) / length, (to.y - from.y) / length);
        // Under 0.4 degrees text reads as well unturned, and copying pixels is exact and cheap.
        if y.abs() < 0.007 && x > 0.0 {
            (x, y) = (1.0, 0.0);
        }
        Frame { origin, right: Point::new(x, y) }
    }

    pub fn is_upright(&self) -> bool {
        self.right.y == 0.0
    }

    pub fn to_page(self, u: f32, v: f32) -> Point {
        Point::new(
            self.origin.x + u * self.right.x - v * self.right.y,
            self.origin.y + u * self.right.y + v * self.right.x,
        )
    }

    pub fn of_page(self, p: Point) -> Point {
        let (dx, dy) = (p.x - self.origin.x, p.y - self.origin.y);
        Point::new(dx * self.right.x + dy * self.right.y, dy * self.right.x - dx * self.right.y)
    }

    /// Bounds of a quad in this frame: (u0, v0, u1, v1).
    pub fn bounds(self, quad: &Quad) -> (f32, f32, f32, f32) {
        Quad(quad.0.map(|p| self.of_page(p))).bounds()
    }
}

/// A level picture of the paper at `(u0, v0)` of a frame.
#[derive(Debug, Clone)]
pub struct Strip {
    pub gray: GrayImage,
    frame: Frame,
    pub u0: f32,
    pub v0: f32,
}

impl Strip {
    /// Samples the rectangle from `(u0, v0)` to `(u1, v1)` of `frame`; what lies outside the page is cut
    /// away (level frames) or filled with the nearest pixels (turned ones). `None` when under 4 pixels
    /// remain.
    pub fn sample(page: &GrayImage, frame: Frame, bounds: (f32, f32, f32, f32)) -> Option<Strip> {
        let (page_width, page_height) = (page.width() as f32, page.height() as f32);
        let (mut u0, mut v0, mut u1, mut v1) = bounds;
        if frame.is_upright() {
            let corner = frame.to_page(0.0, 0.0);
            // Whole pixels, so that rows can be copied.
            u0 = (corner.x + u0).round().max(0.0) - corner.x;
            v0 = (corner.y + v0).round().max(0.0) - corner.y;
            u1 = (corner.x + u1).round().min(page_width) - corner.x;
            v1 = (corner.y + v1).round().min(page_height) - corner.y;
        } else {
            let corners = [
                Point::new(0.0, 0.0),
                Point::new(page_width, 0.0),
                Point::new(page_width, page_height),
                Point::new(0.0, page_height),
            ];
            let limits = frame.bounds(&Quad(corners));
            (u0, v0) = (u0.max(limits.0), v0.max(limits.1));
            (u1, v1) = (u1.min(limits.2), v1.min(limits.3));
        }
        if u1 - u0 < 4.0 || v1 - v0 < 4.0 {
            return None;
        }
        let (width, height) = ((u1 - u0).round() as u32, (v1 - v0).round() as u32);
        let start = frame.to_page(u0, v0);
        let gray = if frame.is_upright() {
            let (x, y) = (start.x.round() as u32, start.y.round() as u32);
            image::imageops::crop_imm(page, x, y, width, height).to_image()
        } else {
            GrayImage::from_fn(width, height, |i, j| {
                let p = frame.to_page(u0 + i as f32 + 0.5, v0 + j as f32 + 0.5);
                Luma([bilinear(page, p.x - 0.5, p.y - 0.5)])
            })
        };
        Some(Strip { gray, frame, u0, v0 })
    }

    /// Bounds on the page of a rectangle of the strip.
    pub fn on_page(&self, x0: u32, y0: u32, x1: u32, y1: u32) -> PixelRect {
        let at = |x: u32, y: u32| self.frame.to_page(self.u0 + x as f32, self.v0 + y as f32);
        let (left, top, right, bottom) = Quad([at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1)]).bounds();
        let (x, y) = (left.max(0.0).round() as u32, top.max(0.0).round() as u32);
        PixelRect {
            x,
            y,
            width: (right.max(0.0).round() as u32).saturating_sub(x),
            height: (bottom.max(0.0).round() as u32).saturating_sub(y),
        }
    }
}

/// The level at (x, y), pixel centres at whole numbers; outside the picture the nearest pixel.
fn bilinear(gray: &GrayImage, x: f32, y: f32) -> u8 {
    let (x, y) = (x.clamp(0.0, gray.width() as f32 - 1.0), y.clamp(0.0, gray.height() as f32 - 1.0));
    let (left, top) = (x.floor() as u32, y.floor() as u32);
    let (right, bottom) = ((left + 1).min(gray.width() - 1), (top + 1).min(gray.height() - 1));
    let (fx, fy) = (x - left as f32, y - top as f32);
    let at = |x: u32, y: u32| f32::from(gray.get_pixel(x, y).0[0]);
    let upper = at(left, top) * (1.0 - fx) + at(right, top) * fx;
    let lower = at(left, bottom) * (1.0 - fx) + at(right, bottom) * fx;
    (upper * (1.0 - fy) + lower * fy).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_go_to_the_page_and_back() {
        let quad = Quad([
            Point::new(100.0, 50.0),
            Point::new(180.0, 60.0),
            Point::new(170.0, 140.0),
            Point::new(90.0, 130.0),
        ]);
        for place in Place::ALL {
            let frame = Frame::of(&quad, place);
            let p = frame.of_page(frame.to_page(13.0, -7.0));
            assert!((p.x - 13.0).abs() < 1e-3 && (p.y + 7.0).abs() < 1e-3, "{place:?} {p:?}");
        }
        let (u0, v0, u1, _) = Frame::of(&quad, Place::Above).bounds(&quad);
        assert!(u0.abs() < 1e-3 && v0.abs() < 1e-3 && (u1 - 80.6).abs() < 0.1);
    }

    #[test]
    fn a_level_strip_copies_pixels_and_stays_on_the_page() {
        let page = GrayImage::from_fn(60, 40, |x, y| Luma([(x + y) as u8]));
        let frame = Frame::of(&Quad::from_bounds(20.0, 10.0, 52.0, 42.0), Place::Above);
        let strip = Strip::sample(&page, frame, (-30.0, -8.0, 10.0, -2.0)).unwrap();
        assert_eq!(strip.gray.dimensions(), (30, 6));
        assert_eq!(strip.gray.get_pixel(3, 1).0, page.get_pixel(3, 3).0);
        assert_eq!(strip.on_page(3, 1, 5, 2), PixelRect { x: 3, y: 3, width: 2, height: 1 });
        assert!(Strip::sample(&page, frame, (0.0, -90.0, 9.0, -20.0)).is_none());
    }

    #[test]
    fn a_turned_strip_levels_a_turned_line() {
        // A dark line that climbs one pixel in four, under a board turned the same way.
        let page = GrayImage::from_fn(120, 120, |x, y| {
            let distance = y as f32 - (100.0 - x as f32 / 4.0);
            Luma([if distance.abs() < 1.5 { 0 } else { 255 }])
        });
        let quad = Quad([
            Point::new(10.0, 27.5),
            Point::new(70.0, 12.5),
            Point::new(85.0, 72.5),
            Point::new(25.0, 87.5),
        ]);
        let strip = Strip::sample(&page, Frame::of(&quad, Place::Below), (0.0, 0.0, 60.0, 12.0)).unwrap();
        let darkest = |x: u32| (0..12).min_by_key(|&y| strip.gray.get_pixel(x, y).0[0]).unwrap();
        assert!(darkest(5).abs_diff(darkest(55)) <= 1, "{} {}", darkest(5), darkest(55));
    }
}
