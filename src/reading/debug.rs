//! `--debug-images DIR`: what each stage saw, as PNG files for a person's eye.

use std::path::{Path, PathBuf};

use font8x8::{BASIC_FONTS, UnicodeFonts};
use image::{GrayImage, Rgb, RgbImage, imageops};
use imageproc::drawing::draw_line_segment_mut;

use super::DiagramReading;
use crate::board::model::{MARGIN, SQUARE};
use crate::board::{Finding, Quad, Verdict};
use crate::chess::{PieceClass, Square};

const KEPT: Rgb<u8> = Rgb([0, 150, 0]);
const DROPPED: Rgb<u8> = Rgb([220, 0, 0]);
const LETTER: Rgb<u8> = Rgb([0, 60, 220]);
const UNSURE: Rgb<u8> = Rgb([230, 0, 120]);

/// Writes the pictures of one page: `STEM-p001-...png`.
#[derive(Debug, Clone)]
pub struct DebugImages {
    folder: PathBuf,
    prefix: String,
}

impl DebugImages {
    /// For page `page` (1-based) of `source`.
    pub fn new(folder: &Path, source: &Path, page: u32) -> DebugImages {
        let stem = source.file_stem().map_or_else(|| "page".into(), |s| s.to_string_lossy().into_owned());
        DebugImages { folder: folder.to_owned(), prefix: format!("{stem}-p{page:03}") }
    }

    /// Writes the binarized page, the candidates with their verdicts, and each warped board with
    /// its read squares. A picture that cannot be written is logged and does not stop the reading.
    pub fn write(
        &self,
        gray: &GrayImage,
        finding: &Finding,
        warped: &[GrayImage],
        diagrams: &[DiagramReading],
    ) {
        if let Some(binarized) = &finding.binarized {
            self.save("1-binarized", &image::DynamicImage::ImageLuma8(binarized.clone()).to_rgb8());
        }
        self.save("2-candidates", &candidates_overlay(gray, finding));
        for (board, diagram) in warped.iter().zip(diagrams) {
            self.save(&format!("3-board-{:02}", diagram.ordinal), &read_squares(board, diagram));
        }
    }

    fn save(&self, name: &str, picture: &RgbImage) {
        let path = self.folder.join(format!("{}-{name}.png", self.prefix));
        let written = std::fs::create_dir_all(&self.folder)
            .map_err(image::ImageError::IoError)
            .and_then(|()| picture.save(&path));
        if let Err(error) = written {
            tracing::warn!(path = %path.display(), %error, "cannot write a debug image");
        }
    }
}

fn candidates_overlay(gray: &GrayImage, finding: &Finding) -> RgbImage {
    let mut out = image::DynamicImage::ImageLuma8(gray.clone()).to_rgb8();
    for candidate in &finding.candidates {
        if let Verdict::Dropped(reason) | Verdict::Doubted(reason) = &candidate.verdict {
            outline(&mut out, &candidate.quad, DROPPED);
            let corner = candidate.quad.0[0];
            write_text(&mut out, corner.x as i32 + 3, corner.y as i32 + 3, reason, DROPPED, 1);
        }
    }
    for (region, number) in finding.regions.iter().zip(1..) {
        outline(&mut out, &region.quad, KEPT);
        lattice(&mut out, &region.quad);
        let corner = region.quad.0[0];
        let text = format!("{number} score {:.2} residual {:.3}", region.score, region.lattice_residual);
        write_text(&mut out, corner.x as i32, corner.y as i32 - 12, &text, KEPT, 1);
    }
    out
}

fn outline(out: &mut RgbImage, quad: &Quad, color: Rgb<u8>) {
    for side in 0..4 {
        let (a, b) = (quad.0[side], quad.0[(side + 1) % 4]);
        for offset in [-1.0, 0.0, 1.0] {
            draw_line_segment_mut(out, (a.x + offset, a.y + offset), (b.x + offset, b.y + offset), color);
        }
    }
}

/// The seven inner lines each way, straight between the sides' divisions.
fn lattice(out: &mut RgbImage, quad: &Quad) {
    let [tl, tr, br, bl] = quad.0;
    let between = |a: crate::board::Point, b: crate::board::Point, t: f32| {
        (a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t)
    };
    for i in 1..8 {
        let t = i as f32 / 8.0;
        draw_line_segment_mut(out, between(tl, tr, t), between(bl, br, t), KEPT);
        draw_line_segment_mut(out, between(tl, bl, t), between(tr, br, t), KEPT);
    }
}

/// The warped board, twice its size, with the read letter in each square's corner.
fn read_squares(board: &GrayImage, diagram: &DiagramReading) -> RgbImage {
    let scale = 2;
    let big = imageops::resize(
        board,
        board.width() * scale,
        board.height() * scale,
        imageops::FilterType::Triangle,
    );
    let mut out = image::DynamicImage::ImageLuma8(big).to_rgb8();
    let unsure: Vec<Square> = diagram.flags.iter().flat_map(|f| f.squares.iter().copied()).collect();
    let white_below = diagram.orientation == super::Orientation::WhiteBottom;
    for row in 0..8u32 {
        for column in 0..8u32 {
            let square = Square::from_coords(shakmaty::File::new(column), shakmaty::Rank::new(7 - row));
            let square = if white_below { square } else { square.rotate_180() };
            let class = PieceClass::from(diagram.placement.get(square));
            let doubtful = unsure.contains(&square);
            if class == PieceClass::EMPTY && !doubtful {
                continue;
            }
            let (x, y) = ((MARGIN + column * SQUARE) * scale + 2, (MARGIN + row * SQUARE) * scale + 2);
            let color = if doubtful { UNSURE } else { LETTER };
            write_text(&mut out, x as i32, y as i32, &class.letter().to_string(), color, 2);
        }
    }
    out
}

/// Writes ASCII text with an 8 x 8 bitmap font, `scale` pixels a dot, on a white ground.
fn write_text(out: &mut RgbImage, x: i32, y: i32, text: &str, color: Rgb<u8>, scale: i32) {
    for (index, letter) in text.chars().enumerate() {
        let Some(rows) = BASIC_FONTS.get(letter) else { continue };
        for (dy, row) in (0..).zip(rows) {
            for dx in 0..8 {
                let ink = if row >> dx & 1 == 1 { color } else { Rgb([255, 255, 255]) };
                for (sx, sy) in (0..scale).flat_map(|sx| (0..scale).map(move |sy| (sx, sy))) {
                    let px = x + (index as i32 * 8 + dx) * scale + sx;
                    let py = y + dy * scale + sy;
                    if px >= 0 && py >= 0 && (px as u32) < out.width() && (py as u32) < out.height() {
                        out.put_pixel(px as u32, py as u32, ink);
                    }
                }
            }
        }
    }
}
