//! The paper around a board, straightened, and the single glyphs that stand beside the squares.

use image::GrayImage;

use super::glyph::{self, SIDE};
use crate::board::Quad;
use crate::board::warp::{Homography, sample, shrink};

/// Pixels a square of the straightened picture.
const UNIT: usize = 32;
/// How far around the board is looked, in pixels of it: 1.4 squares.
const AROUND: usize = 45;
const WIDE: usize = 8 * UNIT + 2 * AROUND;

/// Ink is darker than the paper around it by a share of the way to the darkest: this for whole glyphs, and less for small
/// or faint ones.
pub const THRESHOLDS: [f32; 2] = [0.42, 0.25];
/// A picture with less between paper and ink, in gray levels, shows nothing.
const LEAST_RANGE: f32 = 18.0;
/// Height or width of a glyph, in pixels: 0.16 to 0.8 squares.
const SMALLEST: usize = 5;
const LARGEST: usize = 26;
/// Pieces of a broken glyph lie this near to each other.
const GAP: usize = 2;
/// Centres of one line of glyphs differ by at most this across the line: letters with and without ascenders.
const SAME_LINE: f32 = 5.0;
/// A coordinate stands this near to the middle of its square, along the edge.
const CENTRED: f32 = 9.0;

/// One side of the board in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    Top,
    Bottom,
    Left,
    Right,
}

impl Edge {
    pub const ALL: [Edge; 4] = [Edge::Top, Edge::Bottom, Edge::Left, Edge::Right];

    pub fn is_level(self) -> bool {
        matches!(self, Edge::Top | Edge::Bottom)
    }
}

/// What stands beside one square.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Nothing,
    /// One glyph, in the middle of the square's side.
    Glyph(Box<[f32; SIDE * SIDE]>),
    /// More than one, or one off the middle: a line of text, a mark.
    Other,
}

/// A straightened picture of the board and the paper around it.
pub struct Surroundings {
    pixels: Vec<u8>,
    /// Pixels that lie on the page.
    inside: Vec<bool>,
    darkest: f32,
}

impl Surroundings {
    /// `None` for a quad without area or a picture without ink.
    pub fn new(gray: &GrayImage, quad: &Quad) -> Option<Surroundings> {
        let ratio = quad.square_size() / UNIT as f32;
        let h = Homography::of_board(quad)?;
        // Blocks low-pass enough for glyphs.
        let step = (ratio.round() as u32).max(1);
        let reach = AROUND as f32 * ratio * 1.3 + 2.0 * step as f32;
        let (width, height) = (gray.width() as f32, gray.height() as f32);
        let (x0, y0, x1, y1) = quad.bounds();
        let left = (x0 - reach).floor().clamp(0.0, width - 1.0);
        let top = (y0 - reach).floor().clamp(0.0, height - 1.0);
        let right = (x1 + reach).ceil().clamp(left + 1.0, width);
        let bottom = (y1 + reach).ceil().clamp(top + 1.0, height);
        let region = image::imageops::crop_imm(
            gray,
            left as u32,
            top as u32,
            (right - left) as u32,
            (bottom - top) as u32,
        )
        .to_image();
        let region = if step > 1 { shrink(&region, step) } else { region };
        let (w, rows) = (region.width() as usize, region.height() as usize);
        let mut pixels = vec![255u8; WIDE * WIDE];
        let mut inside = vec![false; WIDE * WIDE];
        let first = (0.5 - AROUND as f32) / UNIT as f32;
        for y in 0..WIDE {
            let mut walk = h.walk(first, first + y as f32 / UNIT as f32, 1.0 / UNIT as f32);
            for x in 0..WIDE {
                let (px, py) = walk.next_point();
                let i = y * WIDE + x;
                inside[i] = px >= 0.0 && py >= 0.0 && px < width && py < height;
                let (u, v) = ((px - left) / step as f32, (py - top) / step as f32);
                pixels[i] = (sample(region.as_raw(), w, rows, u, v) + 0.5) as u8;
            }
        }
        let darkest = percentile(pixels.iter().copied(), 0.02)?;
        Some(Surroundings { pixels, inside, darkest })
    }

    /// What stands beside the eight squares of an edge, from left to right or from top to bottom: the line of glyphs that has
    /// most of them in the middles of the squares. `threshold`: one of [`THRESHOLDS`].
    pub fn cells(&self, edge: Edge, threshold: f32) -> [Cell; 8] {
        let strip = Strip::new(self, edge, threshold);
        let glyphs = strip.glyphs();
        let mut best: (f32, [Cell; 8]) = (0.0, std::array::from_fn(|_| Cell::Nothing));
        for seed in &glyphs {
            let line: Vec<&Blob> =
                glyphs.iter().filter(|g| (g.across() - seed.across()).abs() < SAME_LINE).collect();
            let cells: [Cell; 8] = std::array::from_fn(|i| {
                let middle = (AROUND + i * UNIT + UNIT / 2) as f32;
                let mut mine = line.iter().filter(|g| (g.along() - middle).abs() <= UNIT as f32 / 2.0);
                match (mine.next(), mine.next()) {
                    (None, _) => Cell::Nothing,
                    (Some(one), None) if (one.along() - middle).abs() <= CENTRED => {
                        Cell::Glyph(Box::new(strip.normalised(one)))
                    }
                    _ => Cell::Other,
                }
            });
            let worth = cells
                .iter()
                .map(|cell| match cell {
                    Cell::Nothing => 0.0,
                    Cell::Glyph(_) => 1.0,
                    Cell::Other => -0.5,
                })
                .sum::<f32>();
            // Of equals the one nearer the board.
            let worth = worth - seed.across() / (4.0 * AROUND as f32);
            if worth > best.0 {
                best = (worth, cells);
            }
        }
        best.1
    }
}

/// A connected patch of ink; bounds along the edge and away from the board, ends excluded.
#[derive(Debug, Clone, Copy)]
struct Blob {
    a0: usize,
    a1: usize,
    o0: usize,
    o1: usize,
}

impl Blob {
    fn along(&self) -> f32 {
        (self.a0 + self.a1) as f32 / 2.0
    }

    fn across(&self) -> f32 {
        (self.o0 + self.o1) as f32 / 2.0
    }

    fn extent(&self) -> usize {
        (self.a1 - self.a0).max(self.o1 - self.o0)
    }

    fn with(&self, other: &Blob) -> Blob {
        Blob {
            a0: self.a0.min(other.a0),
            a1: self.a1.max(other.a1),
            o0: self.o0.min(other.o0),
            o1: self.o1.max(other.o1),
        }
    }

    fn is_near(&self, other: &Blob) -> bool {
        let apart = |a0: usize, a1: usize, b0: usize, b1: usize| a0.max(b0).saturating_sub(a1.min(b1));
        apart(self.a0, self.a1, other.a0, other.a1) <= GAP
            && apart(self.o0, self.o1, other.o0, other.o1) <= GAP
    }
}

/// One edge's paper as ink and paper: `WIDE` pixels along the edge, `AROUND` away from the board.
struct Strip<'a> {
    around: &'a Surroundings,
    edge: Edge,
    ink: Vec<bool>,
    /// Paper of each square's stretch, in gray levels.
    paper: [f32; 10],
}

impl<'a> Strip<'a> {
    fn new(around: &'a Surroundings, edge: Edge, share: f32) -> Strip<'a> {
        let mut strip = Strip { around, edge, ink: vec![false; WIDE * AROUND], paper: [255.0; 10] };
        for stretch in 0..10 {
            let (from, to) = strip.stretch(stretch);
            let values = (0..AROUND).flat_map(|o| (from..to).map(move |a| (a, o)));
            let values = values.filter(|&(a, o)| around.inside[strip.index(a, o)]);
            let paper = percentile(values.map(|(a, o)| around.pixels[strip.index(a, o)]), 0.75);
            strip.paper[stretch] = paper.unwrap_or(255.0);
            let range = strip.paper[stretch] - around.darkest;
            if range < LEAST_RANGE {
                continue;
            }
            let threshold = strip.paper[stretch] - share * range;
            for o in 0..AROUND {
                for a in from..to {
                    let i = strip.index(a, o);
                    strip.ink[o * WIDE + a] = around.inside[i] && f32::from(around.pixels[i]) < threshold;
                }
            }
        }
        strip
    }

    /// The first and the last stretch are the corners, the others a square each.
    fn stretch(&self, index: usize) -> (usize, usize) {
        let start = |i: usize| if i == 0 { 0 } else { AROUND + (i - 1) * UNIT };
        (start(index), if index == 9 { WIDE } else { start(index + 1) })
    }

    /// Index of the straightened picture.
    fn index(&self, along: usize, out: usize) -> usize {
        let (near, far) = (AROUND - 1 - out, WIDE - AROUND + out);
        match self.edge {
            Edge::Top => near * WIDE + along,
            Edge::Bottom => far * WIDE + along,
            Edge::Left => along * WIDE + near,
            Edge::Right => along * WIDE + far,
        }
    }

    /// Patches of ink of a glyph's size that touch neither the board nor the end of what is seen.
    fn glyphs(&self) -> Vec<Blob> {
        let mut blobs = self.blobs();
        // Parts of the frame and what crosses the strip.
        blobs.retain(|b| b.o0 > 0 && b.o1 < AROUND && b.extent() <= LARGEST);
        loop {
            let pair = (0..blobs.len())
                .flat_map(|i| (0..i).map(move |j| (i, j)))
                .find(|&(i, j)| blobs[i].is_near(&blobs[j]) && blobs[i].with(&blobs[j]).extent() <= LARGEST);
            let Some((i, j)) = pair else { break };
            let gone = blobs.swap_remove(i);
            blobs[j] = blobs[j].with(&gone);
        }
        blobs.retain(|b| b.extent() >= SMALLEST && (b.a1 - b.a0).min(b.o1 - b.o0) >= 2);
        blobs
    }

    fn blobs(&self) -> Vec<Blob> {
        let mut left = self.ink.clone();
        let mut out = Vec::new();
        let mut open = Vec::new();
        for start in 0..left.len() {
            if !std::mem::take(&mut left[start]) {
                continue;
            }
            let mut blob = Blob { a0: usize::MAX, a1: 0, o0: usize::MAX, o1: 0 };
            let mut size = 0;
            open.push(start);
            while let Some(i) = open.pop() {
                let (a, o) = (i % WIDE, i / WIDE);
                blob = blob.with(&Blob { a0: a, a1: a + 1, o0: o, o1: o + 1 });
                size += 1;
                for o in o.saturating_sub(1)..(o + 2).min(AROUND) {
                    for a in a.saturating_sub(1)..(a + 2).min(WIDE) {
                        if std::mem::take(&mut left[o * WIDE + a]) {
                            open.push(o * WIDE + a);
                        }
                    }
                }
            }
            if size >= 3 {
                out.push(blob);
            }
        }
        out
    }

    fn normalised(&self, blob: &Blob) -> [f32; SIDE * SIDE] {
        // Back to the picture's own axes.
        let corners = [(blob.a0, blob.o0), (blob.a1 - 1, blob.o1 - 1)].map(|(a, o)| {
            let i = self.index(a, o);
            (i % WIDE, i / WIDE)
        });
        let (x0, x1) = (corners[0].0.min(corners[1].0), corners[0].0.max(corners[1].0) + 1);
        let (y0, y1) = (corners[0].1.min(corners[1].1), corners[0].1.max(corners[1].1) + 1);
        let stretch = (0..10).find(|&i| self.stretch(i).1 > (blob.a0 + blob.a1) / 2).unwrap_or(9);
        let paper = self.paper[stretch];
        // Faint glyphs are stretched to full contrast.
        let pixels = (y0..y1).flat_map(|y| (x0..x1).map(move |x| y * WIDE + x));
        let darkest = pixels.map(|i| self.around.pixels[i]).min().unwrap_or(0);
        let range = (paper - f32::from(darkest)).max(1.0);
        glyph::normalise(x0 as f32, y0 as f32, x1 as f32, y1 as f32, |x, y| {
            // Neighbours of the glyph are not its ink.
            let near = |v: isize, low: usize, high: usize| v + 1 >= low as isize && v <= high as isize;
            if !near(x, x0, x1) || !near(y, y0, y1) {
                return 0.0;
            }
            let clamp = |v: isize| v.clamp(0, WIDE as isize - 1) as usize;
            ((paper - f32::from(self.around.pixels[clamp(y) * WIDE + clamp(x)])) / range).clamp(0.0, 1.0)
        })
    }
}

/// The value under which a share of them lies; `None` without values.
fn percentile(values: impl Iterator<Item = u8>, share: f32) -> Option<f32> {
    let mut histogram = [0usize; 256];
    values.for_each(|v| histogram[v as usize] += 1);
    let all: usize = histogram.iter().sum();
    let want = (all as f32 * share) as usize;
    let mut sum = 0;
    let at = histogram.iter().position(|n| {
        sum += n;
        sum > want
    })?;
    Some(at as f32)
}
