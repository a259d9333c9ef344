//! The title of a page without boards: a chapter's heading on a leaf of its own, which speaks for the boards on the pages after it.

use image::GrayImage;
use image::imageops::{FilterType, resize};

use crate::board::Quad;
use crate::chess::Color;

use super::cut::cut_out;
use super::heading::heading_says;
use super::ink::{binarize, blobs};
use super::language::read_lines;
use super::layout::{CaptionLine, Claim};
use super::lexicon::Lexicon;
use super::lines::{InkLine, LineParams, text_lines};
use super::ocr::{OcrError, TextReader};
use super::prose::prose_lines;
use super::strip::{Frame, Place, Strip};

/// Titles are large: a page is looked at with so many pixels across, which keeps pages of text cheap.
const WIDTH: u32 = 1200;
/// The square of a board as it would stand on the page, eight to two thirds of its width: lines are measured in squares.
const SQUARES_ACROSS: f32 = 12.0;
/// A title is larger than the text by this at least, ...
const LARGER: f32 = 1.15;
/// ... but for a leaf with so few lines, all of which are titles.
const FEW_LINES: usize = 8;
/// Pieces of ink in a title.
const PIECES: std::ops::Range<usize> = 6..60;
/// Lines that are read, the largest first.
const MOST_READ: usize = 3;

/// The side that a page's title names for the boards after it, with its words.
///
/// # Errors
/// When the text recognizer fails.
pub fn page_title(
    gray: &GrayImage,
    reader: &mut dyn TextReader,
    lexicon: &Lexicon,
) -> Result<Option<(Color, String)>, OcrError> {
    let mut found: Option<(Color, String)> = None;
    for line in title_lines(gray) {
        let read = read_lines(&[&line], reader, lexicon).map_err(|(_, error)| error)?;
        let said = read.first().and_then(|text| heading_says(&text.text, lexicon)).filter(|said| said.whole);
        let Some(said) = said.map(|said| (said.side, said.text)) else { continue };
        // A page that speaks of both sides is a table of contents or talk.
        if found.as_ref().is_some_and(|(side, _)| *side != said.0) {
            return Ok(None);
        }
        found.get_or_insert(said);
    }
    Ok(found)
}

/// Lines that may be titles, the largest first.
fn title_lines(gray: &GrayImage) -> Vec<CaptionLine> {
    let smaller;
    let gray = if gray.width() > WIDTH {
        let height = (u64::from(gray.height()) * u64::from(WIDTH) / u64::from(gray.width())).max(1) as u32;
        smaller = resize(gray, WIDTH, height, FilterType::Triangle);
        &smaller
    } else {
        gray
    };
    let (width, height) = (gray.width() as f32, gray.height() as f32);
    let square = width / SQUARES_ACROSS;
    // The whole page, as a strip below a board that lies on its upper edge.
    let frame = Frame::of(&Quad::from_bounds(0.0, -1.0, width, 0.0), Place::Below);
    let Some(strip) = Strip::sample(gray, frame, (0.0, 0.0, width, height)) else { return Vec::new() };
    let mask = binarize(&strip.gray, (0.6 * square).round().max(6.0) as u32);
    let lines = text_lines(&blobs(&mask), square, &LineParams::default());
    let prose = prose_lines(&lines, square);
    let mut sizes: Vec<f32> = lines.iter().map(|line| line.capital_height).collect();
    sizes.sort_by(f32::total_cmp);
    let least = match sizes.get(sizes.len() / 2) {
        Some(usual) if lines.len() > FEW_LINES => LARGER * usual,
        _ => 0.0,
    };
    let mut titles: Vec<&InkLine> = lines
        .iter()
        .zip(prose)
        .filter(|(line, prose)| !prose && PIECES.contains(&line.blobs.len()) && line.capital_height >= least)
        .map(|(line, _)| line)
        .collect();
    titles.sort_by(|a, b| b.capital_height.total_cmp(&a.capital_height));
    titles.truncate(MOST_READ);
    let claim = Claim { board: 0, place: Place::Below, gap: 0.0 };
    titles.into_iter().map(|line| cut_out(&strip, &mask, line, claim, square)).collect()
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::super::ocr::FakeReader;
    use super::*;

    /// A page with lines of bars: (x, y, letters, height).
    fn page(lines: &[(u32, u32, u32, u32)]) -> GrayImage {
        let mut gray = GrayImage::from_pixel(600, 800, Luma([235]));
        for &(x, y, letters, high) in lines {
            for (letter, i, j) in
                (0..letters).flat_map(|l| (0..high / 3).flat_map(move |i| (0..high).map(move |j| (l, i, j))))
            {
                gray.put_pixel(x + letter * high * 2 / 3 + i, y + j, Luma([10]));
            }
        }
        gray
    }

    #[test]
    fn the_largest_lines_are_read_and_text_is_not() {
        let mut lines = vec![(180, 100, 13, 24)];
        lines.extend((0..20).map(|i| (60, 200 + 20 * i, 60, 12)));
        let gray = page(&lines);
        let mut reads = 0;
        let mut reader = FakeReader {
            answer: |_: &GrayImage| {
                reads += 1;
                "Black to move".to_owned()
            },
            languages: vec!["eng".into()],
        };
        let said = page_title(&gray, &mut reader, Lexicon::built_in()).unwrap();
        assert_eq!(said, Some((Color::Black, "Black to move".to_owned())));
        assert_eq!(reads, 1);
        let text = page(&lines[1..]);
        assert!(title_lines(&text).is_empty());
        assert!(title_lines(&page(&[])).is_empty());
    }
}
