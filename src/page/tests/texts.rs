//! The text that PDF pages draw.

use super::read_bytes;
use crate::page::{Page, PageText};

/// A PDF of one page of 200 x 100 points with these drawing commands; `/F1` is Helvetica, `/Im` a white picture.
fn pdf(commands: &str) -> Vec<u8> {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> /XObject << /Im 6 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{commands}\nendstream", commands.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
        "<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 \
         /Filter /ASCIIHexDecode /Length 9 >>\nstream\nFFFFFFFF>\nendstream"
            .to_owned(),
    ];
    let mut out = String::from("%PDF-1.4\n");
    let mut starts = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        starts.push(out.len());
        out += &format!("{number} 0 obj\n{object}\nendobj\n");
    }
    let table = out.len();
    out += &format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for start in starts {
        out += &format!("{start:010} 00000 n \n");
    }
    out += &format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1);
    out.into_bytes()
}

fn read(commands: &str) -> Page {
    read_bytes(&pdf(commands)).unwrap()
}

fn text(commands: &str) -> String {
    let text = read(commands).text.unwrap_or_default();
    text.glyphs.iter().map(|glyph| glyph.text.as_str()).collect()
}

#[test]
fn drawn_text_comes_with_its_places() {
    let page = read("BT /F1 12 Tf 20 50 Td (Weiß am Zug) Tj ET".replace('ß', "\\337").as_str());
    let PageText { glyphs } = page.text.as_ref().unwrap();
    assert_eq!(glyphs.iter().map(|g| g.text.as_str()).collect::<String>(), "Weiß am Zug");
    // 200 points are 694 pixels at 250 dots an inch.
    let scale = page.gray.width() as f32 / 200.0;
    let first = &glyphs[0];
    assert!((first.x0 - 20.0 * scale).abs() < 0.5 && (first.base - 50.0 * scale).abs() < 0.5, "{first:?}");
    assert!((first.size - 12.0 * scale).abs() < 0.5, "{first:?}");
    // W is 944 thousandths wide.
    assert!((first.x1 - first.x0 - 0.944 * 12.0 * scale).abs() < 0.5, "{first:?}");
    // The ink is there.
    let dark = page
        .gray
        .enumerate_pixels()
        .filter(|(x, y, p)| {
            let (x, y) = (*x as f32, *y as f32);
            p.0[0] < 128 && x > first.x0 && x < first.x1 && y < first.base && y > first.base - first.size
        })
        .count();
    assert!(dark > 50, "{dark}");
}

#[test]
fn text_that_is_not_seen_is_no_text() {
    assert_eq!(text("BT /F1 12 Tf 20 50 Td (seen) Tj 3 Tr 0 20 Td (laid under a scan) Tj ET"), "seen");
    let covered = "BT /F1 12 Tf 20 50 Td (covered) Tj ET q 90 0 0 40 10 40 cm /Im Do Q \
                   BT /F1 12 Tf 20 50 Td (above) Tj ET";
    assert_eq!(text(covered), "above");
    assert_eq!(text("BT /F1 12 Tf 0 1 -1 0 50 20 Tm (upright) Tj ET"), "");
}

#[test]
fn a_scan_with_text_laid_under_it_has_none() {
    let page = read("q 200 0 0 100 0 0 cm /Im Do Q BT 3 Tr /F1 12 Tf 20 50 Td (Whlte to rnove) Tj ET");
    assert_eq!(page.text, None);
}
