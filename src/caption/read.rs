//! Captions of a page: find the lines, read them, make sense of them.

use image::GrayImage;
use serde::{Deserialize, Serialize};

use crate::board::find::order::{column_order, row_order};
use crate::board::{Point, Quad};
use crate::chess::{Color, FieldSource};
use crate::page::PageText;

use super::assign::{Assigned, Contested, Role, assign};
use super::cue::{CueLine, weigh_bare_numbers};
use super::facts::{CaptionFacts, PixelRect, SideEvidence, TextSource};
use super::habit::{small_b_beside, trust_signs_before_words};
use super::heading::{far_lines, heading_lines, heading_says};
use super::language::{LineText, letter_languages, read_lines, read_word};
use super::layout::{CaptionLine, LayoutParams, caption_lines};
use super::lexicon::Lexicon;
use super::marks::follow_lines;
use super::moves::cue_by_dots;
use super::names::names;
use super::ocr::{OcrError, TextReader};
use super::printed::{Verdict, compare, text_of};
use super::sense::{Number, Said, Sense, lone_letter, make_sense};
use super::sequence::odd_numbers;
use super::strip::{Frame, Place};

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
        CaptionParams { layout: LayoutParams::default(), least_confidence: 0.65, near: 1.3 }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum CaptionError {
    #[error("cannot read the caption of diagram {diagram}: {source}")]
    Ocr { diagram: usize, source: OcrError },
}

/// A line with its text and the board that it was given to.
struct ReadLine<'a> {
    line: &'a CaptionLine,
    at: Assigned,
    text: String,
    confidence: f32,
    words: Vec<(String, f32)>,
    /// What a second reader makes of its figures.
    other: Option<String>,
    /// The file's text of the line and what it is worth.
    layer: Option<(String, Verdict)>,
}

impl ReadLine<'_> {
    /// Takes the file's spelling, or keeps its text beside the ink's.
    fn hold_against(&mut self, file: String, lexicon: &Lexicon, languages: &[&str]) {
        let verdict = compare(&file, &self.text, lexicon, languages);
        if verdict.takes_file {
            self.text.clone_from(&file);
            self.confidence = 1.0;
            self.words = file.split_whitespace().map(|word| (word.to_owned(), 1.0)).collect();
        }
        self.layer = Some((file, verdict));
    }

    fn is_of_file(&self) -> bool {
        self.layer.as_ref().is_some_and(|(_, verdict)| verdict.takes_file)
    }
}

/// A page as the caption reader sees it.
pub struct Printed<'a> {
    /// Upright.
    pub gray: &'a GrayImage,
    /// The text that its file draws, in pixels of `gray`.
    pub text: Option<&'a PageText>,
}

/// Reads what is printed around each board of an upright page. One result a board, in the boards' order.
pub fn read_captions(
    page: Printed<'_>,
    boards: &[Quad],
    reader: &mut dyn TextReader,
    params: &CaptionParams,
) -> Result<Vec<CaptionFacts>, CaptionError> {
    read_captions_with(page, boards, reader, params, Lexicon::built_in())
}

/// The same with a lexicon that has rows of the user's.
pub fn read_captions_with(
    page: Printed<'_>,
    boards: &[Quad],
    reader: &mut dyn TextReader,
    params: &CaptionParams,
    lexicon: &Lexicon,
) -> Result<Vec<CaptionFacts>, CaptionError> {
    let Printed { gray, text: file_text } = page;
    let around = caption_lines(gray, boards, &params.layout);
    let refs: Vec<&CaptionLine> = around.lines.iter().collect();
    let about = |(at, source): (usize, OcrError)| CaptionError::Ocr {
        diagram: around.lines.get(at).map_or(0, |line| line.claims[0].board) + 1,
        source,
    };
    let texts = read_lines(&refs, reader, lexicon).map_err(about)?;
    let of_file = |line: &CaptionLine| file_text.and_then(|page| text_of(line, page));
    let texts = small_b_beside(texts, &refs, boards);
    let worded: Vec<(&CaptionLine, LineText, Option<String>)> = refs
        .iter()
        .copied()
        .zip(texts)
        .map(|(line, text)| (line, text, of_file(line)))
        // What only the file says is kept, to be doubted.
        .filter(|(_, t, file)| is_worded(&t.text) || file.as_deref().is_some_and(is_worded))
        .filter(|(line, t, _)| !is_coordinate(line, &t.text, boards))
        .collect();
    let all: Vec<&LineText> = worded.iter().map(|(_, text, _)| text).collect();
    let (languages, letters_sure) = letter_languages(&all, reader, lexicon);
    let languages: Vec<&str> = languages.iter().map(String::as_str).collect();
    let contested: Vec<Contested> = worded
        .iter()
        .map(|(line, text, _)| Contested {
            claims: line.claims.clone(),
            role: role_of(&make_sense(&[text.text.as_str()], lexicon, &languages)),
        })
        .collect();
    let read: Vec<ReadLine> = worded
        .into_iter()
        .zip(assign(&contested))
        .map(|((line, text, file), at)| {
            let mut read = ReadLine {
                line,
                at,
                text: text.text,
                confidence: text.confidence,
                words: text.words,
                other: text.other,
                layer: None,
            };
            if let Some(file) = file {
                read.hold_against(file, lexicon, &languages);
            }
            read
        })
        .collect();
    let mut marks = around.marks;
    let homes: Vec<_> = read.iter().map(|l| (l.line.area, l.at.claim.board, l.at.sure)).collect();
    follow_lines(&mut marks, &homes);
    // A book that prints letters prints them by most of its boards.
    let is_side =
        |l: &&ReadLine| lone_letter(&l.text).is_some_and(|one| lexicon.letter(one, &languages).is_some());
    let mut lettered: Vec<usize> = read.iter().filter(is_side).map(|l| l.at.claim.board).collect();
    lettered.sort_unstable();
    lettered.dedup();
    let lettered_boards = lettered.len();
    let mut facts: Vec<CaptionFacts> = (0..boards.len())
        .map(|board| {
            let own: Vec<&ReadLine> = read.iter().filter(|l| l.at.claim.board == board).collect();
            let mut facts = facts_of(&own, params, lexicon, &languages);
            facts.marks.clone_from(&marks[board]);
            if !letters_sure || 2 * lettered_boards < boards.len() {
                let by_letter = |e: &&mut SideEvidence| {
                    e.source == FieldSource::Mark && e.text.contains(char::is_alphabetic)
                };
                facts.evidence.iter_mut().filter(by_letter).for_each(|e| e.weight = e.weight.min(AMBIGUOUS));
            }
            facts
        })
        .collect();

    let cues: Vec<CueLine> = read
        .iter()
        .map(|l| CueLine { board: l.at.claim.board, sure: l.at.sure, text: &l.text, line: l.line })
        .collect();
    weigh_bare_numbers(&mut facts, &cues);
    trust_signs_before_words(&mut facts);
    let orders = [row_order(boards), column_order(boards)];
    for line in read.iter().filter(|l| !l.is_of_file()) {
        let (facts, Some(other)) = (&mut facts[line.at.claim.board], &line.other) else { continue };
        if facts.number.as_ref().is_some_and(|number| line.text.contains(number.as_str())) {
            let own = facts.number.clone().unwrap_or_default();
            facts.number_doubt =
                Some(format!("the number was read as {own:?}, figure by figure as {other:?}"));
        }
    }
    for (board, expected) in doubtful_numbers(&facts, &orders) {
        let own = facts[board].number.clone().unwrap_or_default();
        let line = read.iter().find(|l| l.at.claim.board == board && l.text.contains(&own));
        let again = match line.filter(|l| !l.is_of_file()) {
            Some(line) => read_word(line.line, reader)
                .map_err(|source| CaptionError::Ocr { diagram: board + 1, source })?,
            None => String::new(),
        };
        let second = names(&again, lexicon).number;
        facts[board].number_doubt = Some(if second.as_deref() == Some(expected.as_str()) {
            facts[board].number = second;
            format!(
                "the number was read as {own:?} first, then as {expected:?}, which the page's other numbers let expect"
            )
        } else {
            format!("the number was read as {own:?}; the page's other numbers let expect {expected:?}")
        });
    }

    // What stands over a row or the whole page speaks where a board has nothing of its own.
    if facts.iter().any(|f| f.evidence.iter().all(|e| e.weight < TRUSTED)) {
        let taken: Vec<PixelRect> = around.lines.iter().map(|line| line.area).collect();
        for heading in heading_lines(gray, boards, &taken, &params.layout) {
            let text = read_lines(&[&heading.line], reader, lexicon)
                .map_err(|(_, source)| CaptionError::Ocr { diagram: heading.boards[0] + 1, source })?;
            let seen = text.first().and_then(|t| heading_says(&t.text, lexicon));
            let file = of_file(&heading.line).and_then(|file| heading_says(&file, lexicon));
            let hidden = file.filter(|file| seen.as_ref().is_none_or(|seen| seen.side != file.side));
            let silent = |board: &&usize| facts[**board].evidence.iter().all(|e| e.weight < TRUSTED);
            for &board in heading.boards.iter().filter(silent).collect::<Vec<_>>() {
                // What is no sure heading speaks for these boards, and for no others of the book.
                let sure = heading.sure && seen.as_ref().is_none_or(|said| said.whole);
                let (source, weight) = match sure {
                    true => (FieldSource::BookDefault, WEIGHT_HEADING),
                    false => (FieldSource::Caption, WEIGHT_FAR),
                };
                let ink = seen.iter().map(|said| (said.side, said.text.clone(), weight));
                let layer = hidden.iter().map(|said| (said.side, of_layer(&said.text), WEIGHT_LAYER));
                for (side, text, weight) in ink.chain(layer) {
                    let area = Some(heading.line.area);
                    facts[board].evidence.push(SideEvidence { side, source, text, area, weight });
                }
            }
        }
        // What stands alone, but far from a board: heard, with a flag.
        for board in (0..boards.len()).filter(|&board| facts[board].evidence.is_empty()).collect::<Vec<_>>() {
            for line in far_lines(gray, boards, board, &taken, &params.layout) {
                let text = read_lines(&[&line], reader, lexicon)
                    .map_err(|(_, source)| CaptionError::Ocr { diagram: board + 1, source })?;
                let said =
                    text.first().and_then(|t| heading_says(&t.text, lexicon)).filter(|said| said.whole);
                facts[board].evidence.extend(said.map(|said| SideEvidence {
                    side: said.side,
                    source: FieldSource::Caption,
                    text: said.text,
                    area: Some(line.area),
                    weight: WEIGHT_FAR,
                }));
            }
        }
    }
    Ok(facts)
}

/// Numbers that fall out of the page's row, with what was to be expected, in the first order of the boards in which a
/// row is seen.
fn doubtful_numbers(facts: &[CaptionFacts], orders: &[Vec<usize>]) -> Vec<(usize, String)> {
    let odd = |order: &Vec<usize>| -> Vec<(usize, String)> {
        let numbers: Vec<Option<&str>> = order.iter().map(|&i| facts[i].number.as_deref()).collect();
        odd_numbers(&numbers).into_iter().map(|(at, expected)| (order[at], expected)).collect()
    };
    let runs = |order: &&Vec<usize>| {
        let numbers: Vec<Option<&str>> = order.iter().map(|&i| facts[i].number.as_deref()).collect();
        !odd_numbers(&numbers).is_empty()
    };
    orders.iter().find(runs).map(odd).unwrap_or_default()
}

/// Evidence that needs no other.
const TRUSTED: f32 = 0.75;
/// A phrase in a heading over the board.
const WEIGHT_HEADING: f32 = 0.85;
/// A phrase far from the board, or in a line of text over a row of boards: whose it is must be looked at.
const WEIGHT_FAR: f32 = 0.65;
/// What the file's text says against the ink: heard, never trusted.
const WEIGHT_LAYER: f32 = 0.6;
/// A side in the ink that the file's text of the same line does not know.
const UNBACKED: f32 = 0.7;
/// "1...?" of which the reader lost the dots that were counted.
const WEIGHT_DOTS: f32 = 0.8;
/// A letter that means White in one language and Black in another.
const AMBIGUOUS: f32 = 0.6;
/// Evidence on a line that a neighbour might claim with as much right.
const UNSURE: f32 = 0.7;
/// Letters, signs and misread phrases read with less confidence than this need a look.
const DOUBTFUL: f32 = 0.5;

/// Dirt and pieces of pictures read as points and strokes.
fn is_worded(text: &str) -> bool {
    let shapes = '\u{25a0}'..='\u{25ff}';
    text.chars().any(|c| c.is_alphanumeric() || shapes.contains(&c))
}

/// A letter of a file or the figure of a rank that stands at its own file or rank, seen from either side.
fn is_coordinate(line: &CaptionLine, text: &str, boards: &[Quad]) -> bool {
    let signs: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
    let sign = match signs[..] {
        [one] => one,
        // A capital that was read twice.
        [one, two] if one.to_lowercase().eq(two.to_lowercase()) && one.is_uppercase() => one,
        _ => return false,
    };
    let along = match sign {
        'a'..='h' => f32::from(sign as u8 - b'a'),
        'A'..='H' => f32::from(sign as u8 - b'A'),
        '1'..='8' => f32::from(sign as u8 - b'1'),
        _ => return false,
    };
    line.claims.iter().any(|claim| {
        let frame = Frame::of(&boards[claim.board], claim.place);
        let (u0, v0, u1, v1) = frame.bounds(&boards[claim.board]);
        let a = &line.area;
        let center = Point::new(a.x as f32 + a.width as f32 / 2.0, a.y as f32 + a.height as f32 / 2.0);
        let at = frame.of_page(center);
        let eighth = match claim.place {
            Place::Above | Place::Below => (at.x - u0) / (u1 - u0) * 8.0,
            Place::Left | Place::Right => (at.y - v0) / (v1 - v0) * 8.0,
        };
        let near = |seat: f32| (eighth - seat - 0.5).abs() < 0.35;
        claim.gap < 1.0 && (near(along) || near(7.0 - along))
    })
}

fn role_of(sense: &Sense) -> Role {
    let side = !sense.said.is_empty() || sense.either_side || sense.stipulation.is_some();
    let names = &sense.names;
    if side {
        Role::Side
    } else if names.players.is_some() || names.place.is_some() || names.year.is_some() {
        Role::Names
    } else if names.number.is_some() {
        Role::Number
    } else {
        Role::Other
    }
}

/// The weight of what a line says, with the doubts about its reading and its board.
fn weight_on(said: &Said, line: &ReadLine) -> f32 {
    let mut weight = said.weight;
    // The words that say it; a phrase found letter by letter is no accident, however faint.
    let confidence = line
        .words
        .iter()
        .filter(|(word, _)| said.text.contains(word.as_str()))
        .map(|(_, confidence)| *confidence)
        .fold(line.confidence.max(0.01), f32::min);
    let exact = said.source == FieldSource::Caption && said.error == 0.0;
    if confidence < DOUBTFUL && !exact {
        weight *= 0.75;
    }
    // "23.Rd1" read where three dots lie on the line: the dots were lost, and with them the side.
    if said.source == FieldSource::MoveNumber && line.line.dots >= 3 && !has_dots(&said.text) {
        weight *= 0.5;
    }
    if !line.at.sure {
        weight *= UNSURE;
    }
    if line.layer.as_ref().is_some_and(|(_, verdict)| verdict.unbacked) {
        weight *= UNBACKED;
    }
    weight
}

/// The file's text as evidence says where it comes from.
fn of_layer(text: &str) -> String {
    format!("the file's text: {text}")
}

/// Joins the lines of one board: above it from top to bottom, at its sides, below it.
fn facts_of(
    own: &[&ReadLine],
    params: &CaptionParams,
    lexicon: &Lexicon,
    languages: &[&str],
) -> CaptionFacts {
    let mut facts = CaptionFacts::default();
    let mut kept: Vec<&ReadLine> = Vec::new();
    let mut numbers: Vec<(bool, f32, String)> = Vec::new();
    for place in [Place::Above, Place::Left, Place::Right, Place::Below] {
        let mut block: Vec<&ReadLine> = own.iter().copied().filter(|l| l.at.claim.place == place).collect();
        block.sort_by_key(|l| (l.line.area.y, l.line.area.x));
        let texts: Vec<&str> = block.iter().map(|l| l.text.as_str()).collect();
        let sense = make_sense(&texts, lexicon, languages);
        for said in sense.said.iter().cloned() {
            let source_line = block[said.line];
            let weight = weight_on(&said, source_line);
            facts.evidence.push(SideEvidence {
                side: said.side,
                source: said.source,
                text: said.text,
                area: Some(source_line.line.area),
                weight,
            });
        }
        for line in block.iter().filter(|_| sense.said.is_empty()) {
            let Some(side) = cue_by_dots(&line.text, line.line.dots) else { continue };
            facts.evidence.push(SideEvidence {
                side,
                source: FieldSource::MoveNumber,
                text: format!("{} with {} dots", line.text, line.line.dots),
                area: Some(line.line.area),
                weight: if line.at.sure { WEIGHT_DOTS } else { WEIGHT_DOTS * UNSURE },
            });
        }
        facts.either_side |= sense.either_side;
        let strangers: Vec<usize> =
            sense.numbers.iter().filter(|n| is_page_number(n, &block, params.near)).map(|n| n.line).collect();
        let own_numbers = sense.numbers.into_iter().filter(|n| !strangers.contains(&n.line));
        numbers.extend(own_numbers.map(|n| (!n.labelled, block[n.line].at.claim.gap, n.text)));
        facts.players = facts.players.take().or(sense.names.players);
        facts.place = facts.place.take().or(sense.names.place);
        facts.year = facts.year.or(sense.names.year);
        facts.stipulation = facts.stipulation.take().or(sense.stipulation);
        facts.piece_count = facts.piece_count.or(sense.piece_count);
        facts.language = facts.language.take().or(sense.language);
        if sense.first_move.is_some() && (facts.first_move.is_none() || (sense.solution && !facts.solution)) {
            facts.first_move = sense.first_move;
            facts.solution = sense.solution;
        }
        for (i, side) in sense.side_labels {
            match (block[i].at.claim.place, side) {
                (Place::Above, Color::Black) | (Place::Below, Color::White) => facts.white_below = Some(true),
                (Place::Above, Color::White) | (Place::Below, Color::Black) => {
                    facts.white_below = Some(false)
                }
                _ => {}
            }
        }
        let far_edge = block
            .iter()
            .zip(&sense.understood)
            .enumerate()
            .filter(|(i, (_, understood))| **understood && !strangers.contains(i))
            .map(|(_, (line, _))| line.at.claim.gap)
            .max_by(f32::total_cmp);
        for (i, (line, understood)) in block.iter().zip(sense.understood).enumerate() {
            let near = line.at.claim.gap <= params.near;
            let beside = matches!(place, Place::Left | Place::Right);
            facts.unexplained |= beside && !understood && line.line.pieces <= 2;
            // A letter or two without meaning are dirt, or what is left of coordinates.
            let words = line.text.chars().filter(|c| c.is_alphanumeric()).count() > 2;
            let legible = line.confidence >= params.least_confidence;
            // What stands between the board and a line of its caption belongs to it.
            let between = !beside && far_edge.is_some_and(|far| line.at.claim.gap < far);
            if (understood && !strangers.contains(&i)) || ((near || between) && words && legible) {
                kept.push(line);
            }
        }
    }
    for line in own {
        let Some((file, verdict)) = &line.layer else { continue };
        facts.layer_doubts.extend(verdict.doubts.iter().cloned());
        facts.evidence.extend(verdict.sides.iter().map(|&side| SideEvidence {
            side,
            source: FieldSource::Caption,
            text: of_layer(file),
            area: Some(line.line.area),
            weight: WEIGHT_LAYER,
        }));
    }
    // A number that says what it counts ("Fig. 147") goes before a bare one, which may be a page's; of those
    // the nearest.
    numbers.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    facts.number = numbers.into_iter().next().map(|(_, _, text)| text);
    // "Mate in two" leaves the side to custom; where a phrase names the colour, custom has no say. Helpmates
    // begin with Black by their nature.
    if facts.evidence.iter().any(|e| e.source == FieldSource::Caption && e.weight >= 0.75) {
        facts.evidence.retain(|e| e.source != FieldSource::Stipulation || e.side == Color::Black);
    }
    if !kept.is_empty() {
        facts.text = Some(kept.iter().map(|l| l.text.as_str()).collect::<Vec<_>>().join(" / "));
        facts.text_source = Some(match kept.iter().filter(|l| l.is_of_file()).count() {
            0 => TextSource::Ocr,
            given if given == kept.len() => TextSource::TextLayer,
            _ => TextSource::Mixed,
        });
        facts.area = kept.iter().map(|l| l.line.area).reduce(around);
    }
    facts
}

/// A bare number far from the board, with nothing else of the caption between them.
fn is_page_number(number: &Number, block: &[&ReadLine], near: f32) -> bool {
    let gap = block[number.line].at.claim.gap;
    let between = block.iter().any(|l| l.at.claim.gap < gap && gap - l.at.claim.gap < 1.2);
    // Pages are numbered over and under their boards; what stands beside a board is its own.
    let over = matches!(block[number.line].at.claim.place, Place::Above | Place::Below);
    over && number.bare && gap > near && !between
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
        let facts = read_captions(
            Printed { gray: &gray, text: None },
            &boards,
            &mut reader,
            &CaptionParams::default(),
        )
        .unwrap();
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
    fn a_number_beside_the_board_is_its_own_however_far() {
        let boards = [Quad::from_bounds(120.0, 100.0, 360.0, 340.0)];
        // Two figures at (x, y): a square and a half left of the board, or as far over it.
        let number = |x: u32, y: u32| {
            let mut gray = GrayImage::from_pixel(460, 500, Luma([235]));
            for (i, j) in (0..2)
                .flat_map(|letter| (0..5).map(move |i| letter * 9 + i))
                .flat_map(|i| (0..14).map(move |j| (i, j)))
            {
                gray.put_pixel(x + i, y + j, Luma([10]));
            }
            let mut reader =
                FakeReader { answer: |_: &GrayImage| "43".to_owned(), languages: vec!["eng".into()] };
            let printed = Printed { gray: &gray, text: None };
            read_captions(printed, &boards, &mut reader, &CaptionParams::default()).unwrap().remove(0).number
        };
        assert_eq!(number(60, 110).as_deref(), Some("43"));
        assert_eq!(number(230, 40), None);
    }

    #[test]
    fn a_page_without_text_is_no_error() {
        let gray = GrayImage::from_pixel(400, 500, Luma([235]));
        let boards = [Quad::from_bounds(80.0, 100.0, 320.0, 340.0)];
        let mut reader = FakeReader { answer: |_: &GrayImage| String::new(), languages: vec!["eng".into()] };
        let facts = read_captions(
            Printed { gray: &gray, text: None },
            &boards,
            &mut reader,
            &CaptionParams::default(),
        )
        .unwrap();
        assert_eq!(facts, [CaptionFacts::default()]);
    }
}
