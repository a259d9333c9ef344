//! Captions of a page: find the lines, read them, make sense of them.

use image::GrayImage;
use serde::{Deserialize, Serialize};

use crate::board::Quad;
use crate::chess::{Color, FieldSource};

use super::facts::{CaptionFacts, PixelRect, SideEvidence};
use super::layout::{CaptionLine, LayoutParams, caption_lines};
use super::lexicon::Lexicon;
use super::ocr::{OcrError, TextReader, TextShape, prepare};
use super::sense::make_sense;
use super::strip::Place;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CaptionParams {
    pub layout: LayoutParams,
    /// A line read with less confidence that says nothing is dirt or a picture.
    pub least_confidence: f32,
    /// A line farther from the board than this, in squares, belongs to the caption only when it says
    /// something: a running head or a title does not.
    pub near: f32,
}

impl Default for CaptionParams {
    fn default() -> Self {
        CaptionParams { layout: LayoutParams::default(), least_confidence: 0.55, near: 1.3 }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum CaptionError {
    #[error("cannot read the caption of diagram {diagram}: {source}")]
    Ocr { diagram: usize, source: OcrError },
}

/// A line with its text.
struct ReadLine<'a> {
    line: &'a CaptionLine,
    text: String,
    confidence: f32,
}

/// Reads what is printed around each board of an upright page. One result a board, in the boards' order.
pub fn read_captions(
    gray: &GrayImage,
    boards: &[Quad],
    reader: &mut dyn TextReader,
    params: &CaptionParams,
) -> Result<Vec<CaptionFacts>, CaptionError> {
    read_captions_with(gray, boards, reader, params, Lexicon::built_in())
}

/// The same with a lexicon that has rows of the user's.
pub fn read_captions_with(
    gray: &GrayImage,
    boards: &[Quad],
    reader: &mut dyn TextReader,
    params: &CaptionParams,
    lexicon: &Lexicon,
) -> Result<Vec<CaptionFacts>, CaptionError> {
    let lines = caption_lines(gray, boards, &params.layout);
    let mut read: Vec<ReadLine> = Vec::with_capacity(lines.len());
    for line in &lines {
        let crop = prepare(&line.crop, line.capital_height, line.ink, line.paper);
        let texts = reader
            .read(&crop, TextShape::Line)
            .map_err(|source| CaptionError::Ocr { diagram: line.board + 1, source })?;
        let text = texts.iter().map(|t| t.text.trim()).collect::<Vec<_>>().join(" ").trim().to_owned();
        let confidence = texts.iter().map(|t| t.confidence).fold(1.0, f32::min);
        // Dirt and pieces of pictures read as points and strokes.
        let worded = text.chars().any(char::is_alphanumeric) || text.chars().count() == 1 && confidence > 0.9;
        if worded {
            read.push(ReadLine { line, text, confidence });
        }
    }
    let languages: Vec<String> = reader.languages().iter().filter_map(|l| lexicon_language(l)).collect();
    let languages: Vec<&str> = languages.iter().map(String::as_str).collect();
    let facts = (0..boards.len()).map(|board| {
        let square = boards[board].square_size();
        let own: Vec<&ReadLine> = read.iter().filter(|l| l.line.board == board).collect();
        facts_of(&own, square, params, lexicon, &languages)
    });
    Ok(facts.collect())
}

/// The lexicon's name of a Tesseract language.
fn lexicon_language(tesseract: &str) -> Option<String> {
    let name = match tesseract {
        "eng" | "enm" => "en",
        "deu" | "frk" | "deu_latf" => "de",
        "fra" | "frm" => "fr",
        "spa" | "spa_old" => "es",
        "ita" | "ita_old" => "it",
        "nld" => "nl",
        "rus" => "ru",
        "ukr" => "uk",
        "bul" => "bg",
        "pol" => "pl",
        "ces" => "cs",
        "slk" => "sk",
        "hun" => "hu",
        "srp" | "srp_latn" => "sr",
        "bos" => "bs",
        "hrv" => "hr",
        "slv" => "sl",
        "por" => "pt",
        "ron" => "ro",
        "cat" => "ca",
        "swe" => "sv",
        "dan" => "da",
        "nor" => "nb",
        "fin" => "fi",
        "est" => "et",
        "lit" => "lt",
        "lav" => "lv",
        "ell" => "el",
        "tur" => "tr",
        "ara" => "ar",
        "heb" => "he",
        "fas" => "fa",
        "hin" => "hi",
        "ind" => "id",
        "vie" => "vi",
        "jpn" => "ja",
        "chi_sim" => "zh",
        "chi_tra" => "zh-TW",
        "kor" => "ko",
        "tha" => "th",
        _ => return None,
    };
    Some(name.to_owned())
}

/// Joins the lines of one board: above it from top to bottom, at its sides, below it.
fn facts_of(
    own: &[&ReadLine],
    square: f32,
    params: &CaptionParams,
    lexicon: &Lexicon,
    languages: &[&str],
) -> CaptionFacts {
    let mut facts = CaptionFacts::default();
    let mut kept: Vec<&ReadLine> = Vec::new();
    for place in [Place::Above, Place::Left, Place::Right, Place::Below] {
        let mut block: Vec<&ReadLine> = own.iter().copied().filter(|l| l.line.place == place).collect();
        block.sort_by_key(|l| (l.line.area.y, l.line.area.x));
        let texts: Vec<&str> = block.iter().map(|l| l.text.as_str()).collect();
        let sense = make_sense(&texts, lexicon, languages);
        for said in sense.said {
            let source_line = block[said.line];
            let mut weight = said.weight;
            if source_line.confidence < params.least_confidence {
                weight *= 0.9;
            }
            // "23.Rd1" read where three dots lie on the line: the dots were lost, and with them the side.
            let dots_lost =
                said.source == FieldSource::MoveNumber && source_line.line.dots >= 3 && !has_dots(&said.text);
            if dots_lost {
                weight *= 0.5;
            }
            facts.evidence.push(SideEvidence {
                side: said.side,
                source: said.source,
                text: said.text,
                area: Some(source_line.line.area),
                weight,
            });
        }
        facts.either_side |= sense.either_side;
        // A number that says what it counts ("Fig. 147") goes before a bare one, which may be a page's.
        if sense.names.labelled || facts.number.is_none() {
            facts.number = sense.names.number.or(facts.number.take());
        }
        facts.players = facts.players.take().or(sense.names.players);
        facts.place = facts.place.take().or(sense.names.place);
        facts.year = facts.year.or(sense.names.year);
        facts.stipulation = facts.stipulation.take().or(sense.stipulation);
        facts.piece_count = facts.piece_count.or(sense.piece_count);
        for (i, side) in sense.side_labels {
            match (block[i].line.place, side) {
                (Place::Above, Color::Black) | (Place::Below, Color::White) => facts.white_below = Some(true),
                (Place::Above, Color::White) | (Place::Below, Color::Black) => {
                    facts.white_below = Some(false)
                }
                _ => {}
            }
        }
        for (line, understood) in block.iter().zip(sense.understood) {
            let near = line.line.gap <= params.near * square;
            if understood || (near && line.confidence >= params.least_confidence) {
                kept.push(line);
            }
        }
    }
    // "Mate in two" leaves the side to custom; where a phrase names the colour, custom has no say. Helpmates
    // begin with Black by their nature.
    if facts.evidence.iter().any(|e| e.source == FieldSource::Caption && e.weight >= 0.75) {
        facts.evidence.retain(|e| e.source != FieldSource::Stipulation || e.side == Color::Black);
    }
    if !kept.is_empty() {
        facts.text = Some(kept.iter().map(|l| l.text.as_str()).collect::<Vec<_>>().join(" / "));
        facts.area = kept.iter().map(|l| l.line.area).reduce(around);
    }
    facts
}

fn has_dots(text: &str) -> bool {
    text.contains('…') || text.chars().filter(|c| *c == '.').count() >= 2
}

fn around(a: PixelRect, b: PixelRect) -> PixelRect {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    PixelRect {
        x,
        y,
        width: (a.x + a.width).max(b.x + b.width) - x,
        height: (a.y + a.height).max(b.y + b.height) - y,
    }
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::super::ocr::FakeReader;
    use super::*;

    #[test]
    fn lines_become_facts_with_boxes_and_evidence() {
        let mut gray = GrayImage::from_pixel(400, 500, Luma([235]));
        let mut bars = |x: u32, y: u32, letters: u32| {
            for letter in 0..letters {
                for j in 0..14 {
                    for i in 0..5 {
                        gray.put_pixel(x + letter * 9 + i, y + j, Luma([10]));
                    }
                }
            }
        };
        bars(180, 75, 2);
        bars(140, 360, 12);
        let boards = [Quad::from_bounds(80.0, 100.0, 320.0, 340.0)];
        let mut reader = FakeReader {
            answer: |crop: &GrayImage| {
                if crop.width() > 150 { "Schwarz am Zug.".into() } else { "45".to_owned() }
            },
            languages: vec!["deu".into()],
        };
        let facts = read_captions(&gray, &boards, &mut reader, &CaptionParams::default()).unwrap();
        assert_eq!(facts.len(), 1);
        let facts = &facts[0];
        assert_eq!(facts.text.as_deref(), Some("45 / Schwarz am Zug."));
        assert_eq!(facts.number.as_deref(), Some("45"));
        assert_eq!(facts.evidence.len(), 1);
        assert_eq!(facts.evidence[0].side, Color::Black);
        assert_eq!(facts.evidence[0].source, FieldSource::Caption);
        assert_eq!(facts.evidence[0].area.unwrap().y, 360);
        assert_eq!(facts.area, Some(PixelRect { x: 140, y: 75, width: 104, height: 299 }));
    }

    #[test]
    fn a_page_without_text_is_no_error() {
        let gray = GrayImage::from_pixel(400, 500, Luma([235]));
        let boards = [Quad::from_bounds(80.0, 100.0, 320.0, 340.0)];
        let mut reader = FakeReader { answer: |_: &GrayImage| String::new(), languages: vec!["eng".into()] };
        let facts = read_captions(&gray, &boards, &mut reader, &CaptionParams::default()).unwrap();
        assert_eq!(facts, [CaptionFacts::default()]);
    }
}
