//! The form of one piece of ink: square, disc, triangle or diamond, filled or empty, or a filled bubble with
//! signs cut out of it.
//!
//! The silhouette (ink and what it encloses) is laid over ideal forms of the same bounds, whose edge may be
//! off by a pixel; the best fit wins if no other form comes near it. Fill is told by the ink around the
//! silhouette's centre.

use serde::{Deserialize, Serialize};

use super::ink::{Blob, InkMask};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    Square,
    Disc,
    /// Its point is up.
    TriangleUp,
    TriangleDown,
    TriangleLeft,
    TriangleRight,
    Diamond,
}

impl Form {
    const ALL: [Form; 7] = [
        Form::Square,
        Form::Disc,
        Form::TriangleUp,
        Form::TriangleDown,
        Form::TriangleLeft,
        Form::TriangleRight,
        Form::Diamond,
    ];

    /// Whether the ideal form, filling the square from (-1, -1) to (1, 1), covers a point (y down).
    fn covers(self, x: f32, y: f32) -> bool {
        match self {
            Form::Square => true,
            Form::Disc => x * x + y * y <= 1.0,
            Form::TriangleUp => x.abs() <= (1.0 + y) / 2.0,
            Form::TriangleDown => x.abs() <= (1.0 - y) / 2.0,
            Form::TriangleLeft => y.abs() <= (1.0 + x) / 2.0,
            Form::TriangleRight => y.abs() <= (1.0 - x) / 2.0,
            Form::Diamond => x.abs() + y.abs() <= 1.0,
        }
    }

    /// Centre of mass of the ideal form.
    fn centroid(self) -> (f32, f32) {
        match self {
            Form::TriangleUp => (0.0, 1.0 / 3.0),
            Form::TriangleDown => (0.0, -1.0 / 3.0),
            Form::TriangleLeft => (1.0 / 3.0, 0.0),
            Form::TriangleRight => (-1.0 / 3.0, 0.0),
            _ => (0.0, 0.0),
        }
    }

    /// The same for the form grown about its centre of mass by the factor `scale`.
    fn covers_scaled(self, x: f32, y: f32, scale: f32) -> bool {
        let (cx, cy) = self.centroid();
        let (u, v) = ((x - cx) / scale + cx, (y - cy) / scale + cy);
        u.abs() <= 1.0 && v.abs() <= 1.0 && self.covers(u, v)
    }

    /// The sign for people: □ ■ ○ ● △ ▲ ▽ ▼ ◁ ◀ ▷ ▶ ◇ ◆.
    pub fn sign(self, filled: bool) -> char {
        match (self, filled) {
            (Form::Square, false) => '□',
            (Form::Square, true) => '■',
            (Form::Disc, false) => '○',
            (Form::Disc, true) => '●',
            (Form::TriangleUp, false) => '△',
            (Form::TriangleUp, true) => '▲',
            (Form::TriangleDown, false) => '▽',
            (Form::TriangleDown, true) => '▼',
            (Form::TriangleLeft, false) => '◁',
            (Form::TriangleLeft, true) => '◀',
            (Form::TriangleRight, false) => '▷',
            (Form::TriangleRight, true) => '▶',
            (Form::Diamond, false) => '◇',
            (Form::Diamond, true) => '◆',
        }
    }
}

/// A recognized form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    pub form: Form,
    pub filled: bool,
    /// 1 less the wrong pixels (but for a pixel along the edge) as a share of the ideal form.
    pub fit: f32,
}

/// Fit from which a silhouette has a form.
const LEAST_FIT: f32 = 0.9;
/// By so much the best form must beat the next: a D lies between square and disc.
const CLEARLY: f32 = 0.04;
/// Pixels by which blur and threshold may move an edge.
const EDGE: f32 = 1.4;
/// Light spots of a filled form, as a share of it.
const LARGEST_SPECK: f32 = 0.035;
/// Smaller pieces have no form.
const LEAST_SIDE: u32 = 6;

/// Ink of one piece's bounds as rows of flags with a border of one pixel.
struct Cell {
    width: usize,
    height: usize,
    ink: Vec<bool>,
}

impl Cell {
    fn of(mask: &InkMask, blob: &Blob) -> Cell {
        let (width, height) = (blob.width() as usize + 2, blob.height() as usize + 2);
        let mut ink = vec![false; width * height];
        for y in 0..blob.height() {
            for x in 0..blob.width() {
                ink[(y as usize + 1) * width + x as usize + 1] = mask.get(blob.x0 + x, blob.y0 + y);
            }
        }
        Cell { width, height, ink }
    }

    /// Ink and what it encloses: all that a flood from the border does not reach.
    fn silhouette(&self) -> Vec<bool> {
        let mut outside = vec![false; self.ink.len()];
        let mut open = vec![0usize];
        outside[0] = true;
        while let Some(at) = open.pop() {
            let (x, y) = (at % self.width, at / self.width);
            let mut visit = |next: usize| {
                if !self.ink[next] && !outside[next] {
                    outside[next] = true;
                    open.push(next);
                }
            };
            if x > 0 {
                visit(at - 1);
            }
            if x + 1 < self.width {
                visit(at + 1);
            }
            if y > 0 {
                visit(at - self.width);
            }
            if y + 1 < self.height {
                visit(at + self.width);
            }
        }
        outside.into_iter().map(|o| !o).collect()
    }

    /// The same with gaps of worn outlines closed: ink grows by a pixel each way.
    fn grown(&self) -> Cell {
        let mut ink = self.ink.clone();
        for y in 1..self.height - 1 {
            for x in 1..self.width - 1 {
                let at = y * self.width + x;
                ink[at] = self.ink[at - 1]
                    || self.ink[at]
                    || self.ink[at + 1]
                    || self.ink[at - self.width]
                    || self.ink[at + self.width];
            }
        }
        Cell { ink, ..*self }
    }
}

/// The form of a piece of ink, when it has one. What else lies inside its bounds counts as its ink.
pub fn shape_of(mask: &InkMask, blob: &Blob) -> Option<Shape> {
    let (w, h) = (blob.width() as f32, blob.height() as f32);
    if blob.width() < LEAST_SIDE || blob.height() < LEAST_SIDE || w > 1.45 * h || h > 1.45 * w {
        return None;
    }
    let cell = Cell::of(mask, blob);
    let shape = shape_in(&cell, &cell);
    // A worn outline leaks; one that holds is not touched, since growing thickens strokes.
    shape.or_else(|| shape_in(&cell.grown(), &cell))
}

fn shape_in(cell: &Cell, ink: &Cell) -> Option<Shape> {
    let solid = cell.silhouette();
    let (w, h) = ((cell.width - 2) as f32, (cell.height - 2) as f32);
    let mut fits = [(0u32, 0u32); Form::ALL.len()]; // wrong, all of the ideal form
    // At twelve pixels the edge is a fifth of the form; more slack would make all forms alike.
    let slack = (EDGE / (w.min(h) / 2.0)).min(0.2);
    let (mut sum, mut sum_x, mut sum_y) = (0.0f32, 0.0f32, 0.0f32);
    for y in 0..cell.height {
        for x in 0..cell.width {
            let is_solid = solid[y * cell.width + x];
            let (u, v) = ((x as f32 - 0.5) / w * 2.0 - 1.0, (y as f32 - 0.5) / h * 2.0 - 1.0);
            for (form, (wrong, all)) in Form::ALL.iter().zip(&mut fits) {
                let (most, least) = (1.0 + slack, 1.0 - slack);
                let is_wrong = match is_solid {
                    true => !form.covers_scaled(u, v, most),
                    false => form.covers_scaled(u, v, least),
                };
                *wrong += u32::from(is_wrong);
                *all += u32::from(form.covers_scaled(u, v, 1.0));
            }
            if is_solid {
                (sum, sum_x, sum_y) = (sum + 1.0, sum_x + x as f32, sum_y + y as f32);
            }
        }
    }
    let mut ranked: Vec<(Form, f32)> = Form::ALL
        .into_iter()
        .zip(fits)
        .map(|(form, (wrong, all))| (form, 1.0 - wrong as f32 / all.max(1) as f32))
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (form, fit) = ranked[0];
    if fit < LEAST_FIT || fit - ranked[1].1 < CLEARLY {
        return None;
    }
    // Squares, discs and diamonds are as wide as high; a triangle of equal sides is a seventh wider than high.
    let ratio = w / h;
    let sound = match form {
        Form::Square | Form::Disc | Form::Diamond => (0.8..=1.25).contains(&ratio),
        _ => (0.65..=1.45).contains(&ratio),
    };
    if !sound {
        return None;
    }
    let (cx, cy) = (sum_x / sum, sum_y / sum);
    let radius = (0.1 * w.min(h)).max(1.0);
    let (mut core, mut dark) = (0.0f32, 0.0f32);
    let (mut all, mut all_dark) = (0.0f32, 0.0f32);
    for y in 0..cell.height {
        for x in 0..cell.width {
            let at = y * cell.width + x;
            if !solid[at] {
                continue;
            }
            all += 1.0;
            all_dark += f32::from(u8::from(ink.ink[at]));
            if (x as f32 - cx).hypot(y as f32 - cy) <= radius {
                core += 1.0;
                dark += f32::from(u8::from(ink.ink[at]));
            }
        }
    }
    // A bold B or 8 is square and dark; its eyes are larger than the specks of worn print.
    if all_dark >= 0.88 * all && largest_eye(cell, &solid) as f32 > LARGEST_SPECK * all {
        return None;
    }
    let (core_share, share) = (dark / core.max(1.0), all_dark / all);
    let filled = match (core_share, share) {
        (c, s) if c >= 0.9 && s >= 0.88 => true,
        (c, s) if c <= 0.2 && s <= 0.85 => false,
        _ => return None,
    };
    Some(Shape { form, filled, fit })
}

/// Pixels of the largest spot of paper inside a silhouette.
fn largest_eye(cell: &Cell, solid: &[bool]) -> usize {
    let mut seen = vec![false; solid.len()];
    let mut largest = 0;
    for start in 0..solid.len() {
        if !solid[start] || cell.ink[start] || seen[start] {
            continue;
        }
        let (mut open, mut size) = (vec![start], 0);
        seen[start] = true;
        while let Some(at) = open.pop() {
            size += 1;
            // the silhouette never reaches the cell's border
            for next in [at - 1, at + 1, at - cell.width, at + cell.width] {
                if solid[next] && !cell.ink[next] && !seen[next] {
                    seen[next] = true;
                    open.push(next);
                }
            }
        }
        largest = largest.max(size);
    }
    largest
}

/// Whether a piece of ink is a filled bubble (round, square or oblong) with signs cut out of it in white:
/// a solid silhouette, most but not all of it ink, the rest enclosed and in its middle.
pub fn is_filled_bubble(mask: &InkMask, blob: &Blob) -> bool {
    let (w, h) = (blob.width() as f32, blob.height() as f32);
    // Letters with eyes (B, 8, 0) are narrower.
    if blob.height() < 12 || w > 3.0 * h || w < 0.93 * h {
        return false;
    }
    let cell = Cell::of(mask, blob);
    let solid = cell.silhouette();
    let area = solid.iter().filter(|s| **s).count() as f32;
    let (mut dark, mut rim, mut rim_dark) = (0.0f32, 0.0f32, 0.0f32);
    let (mut core, mut core_dark) = (0.0f32, 0.0f32);
    let edge = 0.12 * h;
    for y in 1..cell.height - 1 {
        for x in 1..cell.width - 1 {
            let at = y * cell.width + x;
            if !solid[at] {
                continue;
            }
            let is_dark = f32::from(u8::from(cell.ink[at]));
            dark += is_dark;
            let (dx, dy) = ((x as f32).min(w - x as f32), (y as f32).min(h - y as f32));
            if dx < edge || dy < edge {
                rim += 1.0;
                rim_dark += is_dark;
            }
            if dx > 0.25 * w && dy > 0.25 * h {
                core += 1.0;
                core_dark += is_dark;
            }
        }
    }
    let share = dark / area.max(1.0);
    // A disc covers 79 % of its bounds, a rounded box more. An O is empty in its middle.
    let signs = core_dark >= 0.2 * core && core_dark <= 0.92 * core;
    area >= 0.74 * w * h && (0.5..0.93).contains(&share) && rim_dark >= 0.95 * rim && signs
}

#[cfg(test)]
pub(super) mod tests {
    use image::{GrayImage, Luma};

    use super::super::ink::{binarize, blobs};
    use super::*;

    /// A gray picture of a form with `side` pixels, its outline `stroke` pixels thick (0: filled).
    pub fn drawn(form: Form, side: u32, stroke: f32) -> GrayImage {
        let margin = side / 2 + 4;
        let r = side as f32 / 2.0;
        // Fine dots averaged, as print is scanned.
        GrayImage::from_fn(side + 2 * margin, side + 2 * margin, |x, y| {
            let mut ink = 0;
            for i in 0..16 {
                let px = (x as f32 + (i % 4) as f32 / 4.0 + 0.125 - margin as f32) / r - 1.0;
                let py = (y as f32 + (i / 4) as f32 / 4.0 + 0.125 - margin as f32) / r - 1.0;
                let inner = match form {
                    Form::Square | Form::Disc => 1.0 - stroke / r,
                    _ => 1.0 - 2.2 * stroke / r,
                };
                let hole = stroke > 0.0 && form.covers_scaled(px, py, inner);
                ink += u32::from(form.covers_scaled(px, py, 1.0) && !hole);
            }
            Luma([(235 - 215 * ink / 16) as u8])
        })
    }

    fn read(gray: &GrayImage) -> Option<Shape> {
        let mask = binarize(gray, gray.width());
        let found = blobs(&mask);
        let whole = found.iter().copied().reduce(|a, b| a.union(&b))?;
        shape_of(&mask, &whole)
    }

    #[test]
    fn forms_are_told_at_small_and_large_sizes() {
        for form in Form::ALL {
            for side in [11, 16, 30, 61] {
                for (stroke, filled) in [(0.0, true), ((side as f32 / 12.0).max(1.2), false)] {
                    let shape = read(&drawn(form, side, stroke));
                    let told = shape.map(|s| (s.form, s.filled));
                    // At eleven pixels some forms are too alike to be told; none may be taken for another.
                    let untold = side < 16 && told.is_none();
                    assert!(untold || told == Some((form, filled)), "{form:?} {side} {stroke} {shape:?}");
                }
            }
        }
    }

    #[test]
    fn a_broken_outline_still_has_its_form() {
        let mut gray = drawn(Form::Square, 24, 2.0);
        for y in 20..22 {
            for x in 0..30 {
                gray.put_pixel(x, y, Luma([235]));
            }
        }
        assert_eq!(read(&gray).map(|s| (s.form, s.filled)), Some((Form::Square, false)));
    }

    /// Letters that a shape may be taken for, drawn with strokes: (x0, y0, x1, y1) in fifths of 10 pixels.
    fn strokes(rects: &[(u32, u32, u32, u32)]) -> GrayImage {
        let mut gray = GrayImage::from_pixel(70, 70, Luma([235]));
        for &(x0, y0, x1, y1) in rects {
            for y in y0..y1 {
                for x in x0..x1 {
                    gray.put_pixel(x, y, Luma([20]));
                }
            }
        }
        gray
    }

    #[test]
    fn letters_and_strokes_are_no_forms() {
        // H, E, L, a bar, B
        let h = strokes(&[(20, 20, 25, 50), (40, 20, 45, 50), (20, 32, 45, 37)]);
        let e = strokes(&[(20, 20, 25, 50), (20, 20, 42, 24), (20, 33, 42, 37), (20, 46, 42, 50)]);
        let l = strokes(&[(20, 20, 25, 50), (20, 45, 42, 50)]);
        let bar = strokes(&[(20, 20, 26, 50)]);
        let b = strokes(&[
            (20, 20, 25, 50),
            (38, 20, 43, 50),
            (20, 20, 43, 24),
            (20, 33, 43, 37),
            (20, 46, 43, 50),
        ]);
        for (name, gray) in [("H", h), ("E", e), ("L", l), ("bar", bar), ("B", b)] {
            assert_eq!(read(&gray), None, "{name}");
        }
    }

    #[test]
    fn a_bubble_holds_white_signs() {
        let mut gray = drawn(Form::Disc, 40, 0.0);
        let middle = gray.width() / 2;
        for y in middle - 8..middle + 8 {
            for x in [middle - 6, middle - 5, middle - 4, middle + 3, middle + 4, middle + 5] {
                gray.put_pixel(x, y, Luma([235]));
            }
        }
        let mask = binarize(&gray, gray.width());
        let whole = blobs(&mask)[0];
        assert!(is_filled_bubble(&mask, &whole));
        assert!(!is_filled_bubble(&mask, &Blob { x1: whole.x0 + whole.width() / 2, ..whole }));
        let full = drawn(Form::Disc, 40, 0.0);
        let mask = binarize(&full, full.width());
        assert!(!is_filled_bubble(&mask, &blobs(&mask)[0]));
    }
}
