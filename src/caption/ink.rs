//! Ink of a small gray picture: local threshold and connected components.

use image::GrayImage;

/// A connected piece of ink (8-neighbourhood). Bounds in pixels, `x1` and `y1` exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blob {
    pub x0: u32,
    pub y0: u32,
    pub x1: u32,
    pub y1: u32,
    /// Ink pixels.
    pub area: u32,
}

impl Blob {
    pub fn width(&self) -> u32 {
        self.x1 - self.x0
    }

    pub fn height(&self) -> u32 {
        self.y1 - self.y0
    }

    pub fn center(&self) -> (f32, f32) {
        ((self.x0 + self.x1) as f32 / 2.0, (self.y0 + self.y1) as f32 / 2.0)
    }

    pub fn contains(&self, other: &Blob) -> bool {
        self.x0 <= other.x0 && self.y0 <= other.y0 && self.x1 >= other.x1 && self.y1 >= other.y1
    }

    pub fn union(&self, other: &Blob) -> Blob {
        Blob {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
            area: self.area + other.area,
        }
    }
}

/// Which pixels are ink.
#[derive(Debug, Clone)]
pub struct InkMask {
    pub width: u32,
    pub height: u32,
    ink: Vec<bool>,
}

impl InkMask {
    pub fn get(&self, x: u32, y: u32) -> bool {
        self.ink[(y * self.width + x) as usize]
    }

    /// Clears a rectangle (clipped to the picture).
    pub fn clear(&mut self, x0: u32, y0: u32, x1: u32, y1: u32) {
        for y in y0.min(self.height)..y1.min(self.height) {
            let row = (y * self.width) as usize;
            self.ink[row + x0.min(self.width) as usize..row + x1.min(self.width) as usize].fill(false);
        }
    }
}

/// Share by which a pixel must be darker than the mean around it (Bradley and Roth 2007 use 0.15; a little
/// less keeps the hairlines of worn type).
const DARKER: f32 = 0.12;
/// Least difference in gray levels, so that paper grain and show-through of dark paper are no ink.
const LEAST_CONTRAST: f32 = 14.0;

/// Local threshold against the mean of the square of `2 * radius + 1` pixels around (integral image).
pub fn binarize(gray: &GrayImage, radius: u32) -> InkMask {
    let (width, height) = (gray.width() as usize, gray.height() as usize);
    let levels = gray.as_raw();
    let radius = radius as usize;
    let stride = width + 1;
    // Sums may wrap: their differences are those of windows, which do not.
    let mut sums = vec![0u32; stride * (height + 1)];
    for (y, line) in levels.chunks_exact(width.max(1)).enumerate() {
        let (above, below) = sums[y * stride..].split_at_mut(stride);
        let mut row = 0u32;
        for ((below, above), level) in below[1..stride].iter_mut().zip(&above[1..]).zip(line) {
            row = row.wrapping_add(u32::from(*level));
            *below = above.wrapping_add(row);
        }
    }
    // No mean is above white, so nothing lighter than this can be ink.
    let lightest = 255.0 - (255.0 * DARKER).max(LEAST_CONTRAST);
    let mut ink = vec![false; width * height];
    for y in 0..height {
        let (top, bottom) = (y.saturating_sub(radius), (y + radius + 1).min(height));
        let (upper, lower) = (&sums[top * stride..], &sums[bottom * stride..]);
        let line = &levels[y * width..(y + 1) * width];
        for (x, (&level, ink)) in line.iter().zip(&mut ink[y * width..(y + 1) * width]).enumerate() {
            let level = f32::from(level);
            if level >= lightest {
                continue;
            }
            let (left, right) = (x.saturating_sub(radius), (x + radius + 1).min(width));
            let sum =
                lower[right].wrapping_add(upper[left]).wrapping_sub(lower[left]).wrapping_sub(upper[right]);
            let mean = sum as f32 / ((right - left) * (bottom - top)) as f32;
            *ink = level < mean - (mean * DARKER).max(LEAST_CONTRAST);
        }
    }
    InkMask { width: gray.width(), height: gray.height(), ink }
}

/// Connected components by runs and union-find, in order of their topmost run.
pub fn blobs(mask: &InkMask) -> Vec<Blob> {
    struct Run {
        x0: u32,
        x1: u32,
        y: u32,
    }
    fn root(parents: &mut [usize], mut i: usize) -> usize {
        while parents[i] != i {
            parents[i] = parents[parents[i]];
            i = parents[i];
        }
        i
    }
    let mut runs: Vec<Run> = Vec::new();
    let mut parents: Vec<usize> = Vec::new();
    let mut above = 0..0;
    for y in 0..mask.height {
        let first = runs.len();
        let mut x = 0;
        while x < mask.width {
            if !mask.get(x, y) {
                x += 1;
                continue;
            }
            let x0 = x;
            while x < mask.width && mask.get(x, y) {
                x += 1;
            }
            parents.push(runs.len());
            runs.push(Run { x0, x1: x, y });
        }
        let mut upper = above.start;
        for lower in first..runs.len() {
            while upper < above.end && runs[upper].x1 < runs[lower].x0 {
                upper += 1;
            }
            let mut i = upper;
            while i < above.end && runs[i].x0 <= runs[lower].x1 {
                let (a, b) = (root(&mut parents, i), root(&mut parents, lower));
                parents[a.max(b)] = a.min(b);
                i += 1;
            }
        }
        above = first..runs.len();
    }
    let mut slots: Vec<Option<usize>> = vec![None; runs.len()];
    let mut out: Vec<Blob> = Vec::new();
    for (i, run) in runs.iter().enumerate() {
        let r = root(&mut parents, i);
        let piece = Blob { x0: run.x0, y0: run.y, x1: run.x1, y1: run.y + 1, area: run.x1 - run.x0 };
        match slots[r] {
            Some(slot) => out[slot] = out[slot].union(&piece),
            None => {
                slots[r] = Some(out.len());
                out.push(piece);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    fn picture(rows: &[&str]) -> GrayImage {
        let width = rows[0].len() as u32;
        GrayImage::from_fn(width, rows.len() as u32, |x, y| {
            Luma([if rows[y as usize].as_bytes()[x as usize] == b'#' { 30 } else { 220 }])
        })
    }

    #[test]
    fn components_join_diagonally_and_count() {
        let gray = picture(&["#.......", ".#....##", "#.......", "....#.#.", "....###."]);
        let found = blobs(&binarize(&gray, 8));
        assert_eq!(found.len(), 3);
        assert_eq!(found[0], Blob { x0: 0, y0: 0, x1: 2, y1: 3, area: 3 });
        assert_eq!(found[1], Blob { x0: 6, y0: 1, x1: 8, y1: 2, area: 2 });
        assert_eq!(found[2], Blob { x0: 4, y0: 3, x1: 7, y1: 5, area: 5 });
    }

    #[test]
    fn a_slope_of_paper_is_no_ink() {
        let gray = GrayImage::from_fn(100, 20, |x, _| Luma([150 + x as u8]));
        assert!(blobs(&binarize(&gray, 10)).is_empty());
    }

    #[test]
    fn cleared_ink_is_gone() {
        let mut mask = binarize(&picture(&["..#...#.", "........"]), 5);
        mask.clear(5, 0, 99, 99);
        assert_eq!(blobs(&mask).len(), 1);
    }
}
