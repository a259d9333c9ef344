//! Cutting a line's pixels out of its strip, for OCR.

use super::dashes::dash_widths;
use super::ink::{Blob, InkMask};
use super::layout::{CaptionLine, Claim};
use super::lines::InkLine;
use super::marks::bubble_of;
use super::strip::Strip;

/// Cuts a line's pixels out of its strip.
pub fn cut_out(strip: &Strip, mask: &InkMask, line: &InkLine, claim: Claim, square: f32) -> CaptionLine {
    let b = &line.bounds;
    if let Some(bubble) = bubble_of(mask, line, square) {
        return cut_out_of_bubble(strip, &bubble, claim);
    }
    let (x0, y0) = (b.x0.saturating_sub(2), b.y0.saturating_sub(2));
    let (x1, y1) = ((b.x1 + 2).min(mask.width), (b.y1 + 2).min(mask.height));
    let crop = image::imageops::crop_imm(&strip.gray, x0, y0, x1 - x0, y1 - y0).to_image();
    let (mut ink, mut paper) = (Vec::new(), Vec::new());
    for (x, y, pixel) in crop.enumerate_pixels() {
        if mask.get(x0 + x, y0 + y) { ink.push(pixel.0[0]) } else { paper.push(pixel.0[0]) }
    }
    let rank = |levels: &mut Vec<u8>, share: f32| {
        levels.sort_unstable();
        levels.get(((levels.len() as f32 - 1.0).max(0.0) * share) as usize).copied()
    };
    // The darker half of the ink is letter, the rest its blurred edge; the paper's lower quarter is edge too.
    let ink = rank(&mut ink, 0.2).unwrap_or(0);
    let paper = rank(&mut paper, 0.5).unwrap_or(255).max(ink.saturating_add(10));
    let dots = line
        .blobs
        .iter()
        .filter(|d| {
            let (w, h) = (d.width() as f32, d.height() as f32);
            let small = h <= 0.35 * line.capital_height && w <= 0.45 * line.capital_height && w <= 2.0 * h;
            small && d.center().1 > b.y0 as f32 + 0.45 * b.height() as f32
        })
        .count();
    CaptionLine {
        claims: vec![claim],
        area: strip.on_page(b.x0, b.y0, b.x1, b.y1),
        crop,
        capital_height: line.capital_height,
        ink,
        paper,
        dots,
        pieces: line.blobs.len(),
        dashes: dash_widths(line),
    }
}

/// The white signs of a filled bubble as dark ones on white: levels exchanged, what lies outside left white.
fn cut_out_of_bubble(strip: &Strip, blob: &Blob, claim: Claim) -> CaptionLine {
    let mut crop =
        image::imageops::crop_imm(&strip.gray, blob.x0, blob.y0, blob.width(), blob.height()).to_image();
    let (w, h) = (crop.width() as f32, crop.height() as f32);
    // An ellipse a little smaller than the bubble; the signs of an oblong one lie within it too.
    for (x, y, pixel) in crop.enumerate_pixels_mut() {
        let (u, v) = ((x as f32 + 0.5) / w * 2.0 - 1.0, (y as f32 + 0.5) / h * 2.0 - 1.0);
        let outside = (u / 0.9).powi(4) + (v / 0.86).powi(2) > 1.0;
        pixel.0[0] = if outside { 255 } else { 255 - pixel.0[0] };
    }
    let (dark, light) = crop
        .pixels()
        .fold((255u8, 0u8), |(d, l), p| if p.0[0] == 255 { (d, l) } else { (d.min(p.0[0]), l.max(p.0[0])) });
    CaptionLine {
        claims: vec![claim],
        area: strip.on_page(blob.x0, blob.y0, blob.x1, blob.y1),
        capital_height: 0.5 * h,
        ink: dark,
        paper: light.max(dark.saturating_add(10)),
        dots: 0,
        // As many as a number of two digits.
        pieces: 2,
        dashes: Vec::new(),
        crop,
    }
}
