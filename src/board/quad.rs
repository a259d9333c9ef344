//! Four corners of a board in page pixels.

use serde::{Deserialize, Serialize};

/// A point in page pixels, sub-pixel.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

impl Point {
    pub fn new(x: f32, y: f32) -> Point {
        Point { x, y }
    }

    /// Euclidean distance in pixels.
    pub fn distance(self, other: Point) -> f32 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// Corners clockwise from the picture's top left: top left, top right, bottom right, bottom left.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Quad(pub [Point; 4]);

impl Quad {
    /// The axis-aligned quad with these bounds.
    pub fn from_bounds(x0: f32, y0: f32, x1: f32, y1: f32) -> Quad {
        Quad([Point::new(x0, y0), Point::new(x1, y0), Point::new(x1, y1), Point::new(x0, y1)])
    }

    /// Bounding box as (x0, y0, x1, y1).
    pub fn bounds(&self) -> (f32, f32, f32, f32) {
        let mut out = (f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY);
        for p in self.0 {
            out = (out.0.min(p.x), out.1.min(p.y), out.2.max(p.x), out.3.max(p.y));
        }
        out
    }

    pub fn center(&self) -> Point {
        let [a, b, c, d] = self.0;
        Point::new((a.x + b.x + c.x + d.x) / 4.0, (a.y + b.y + c.y + d.y) / 4.0)
    }

    /// Mean side of one of the 8 x 8 squares, in pixels.
    pub fn square_size(&self) -> f32 {
        (0..4).map(|i| self.0[i].distance(self.0[(i + 1) % 4])).sum::<f32>() / 32.0
    }

    /// Area in square pixels (shoelace), positive for clockwise corners.
    pub fn area(&self) -> f32 {
        let p = self.0;
        (0..4).map(|i| p[i].x * p[(i + 1) % 4].y - p[(i + 1) % 4].x * p[i].y).sum::<f32>() / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_of_a_square() {
        let quad = Quad::from_bounds(10.0, 20.0, 90.0, 100.0);
        assert_eq!(quad.area(), 6400.0);
        assert_eq!(quad.square_size(), 10.0);
        assert_eq!(quad.center(), Point::new(50.0, 60.0));
        assert_eq!(quad.bounds(), (10.0, 20.0, 90.0, 100.0));
    }
}
