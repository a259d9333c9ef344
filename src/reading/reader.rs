//! The pipeline of one page: find boards, warp, read squares, read captions, join, flag.

use image::GrayImage;
use serde::{Deserialize, Serialize};
use tracing::{debug, debug_span};

use super::book::{Heading, headings_of};
use super::crops::{DiagramCrops, cut_crops};
use super::debug::DebugImages;
use super::marks::weigh_marks;
use super::not_chess::why_not_chess;
use super::numbers::{number_gaps, order_by_numbers};
use super::orientation::{
    OrientationParams, OrientationVerdict, SideBelow, ask_the_page, decide_orientation,
};
use super::overlay::overlay_flag;
use super::phase::settle_phase;
use super::quality::{QualityParams, name_squares_outside, quality_flags, squares_outside};
use super::squares::{SquaresParams, decide_squares};
use super::turn::{TurnParams, find_turn, turn_back, turned_finding};
use super::who_moves::who_moves;
use super::{DiagramReading, Orientation, PageReading, Sources};
use crate::board::{
    BoardRegion, BoardScores, Candidate, Coordinates, FindParams, Finding, Model, ModelError, ModelParams,
    OddParams, OnnxModel, Quad, QuarterTurn, SquareScores, Verdict, find_boards, look_again,
    read_coordinates, warp_board,
};
use crate::caption::language::begin_page;
use crate::caption::polyglot::AUTO;
use crate::caption::title::page_title;
use crate::caption::{
    CaptionError, CaptionFacts, CaptionParams, Lexicon, OcrError, PolyglotReader, Printed, TesseractReader,
    TextReader, read_captions,
};
use crate::chess::{Color, FieldSource, Flag, FlagCode, Severity, legal, orientation};
use crate::page::{Page, PageText};

/// Parameters of all stages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadingParams {
    /// Read captions at all; without them every side to move is assumed.
    pub captions: bool,
    /// Languages of the captions as Tesseract names them, joined by `+`: each needs its data installed and
    /// makes reading slower. `auto` finds the language of each page among the installed ones.
    pub languages: String,
    pub model: ModelParams,
    pub find: FindParams,
    pub turn: TurnParams,
    pub squares: SquaresParams,
    pub orientation: OrientationParams,
    pub quality: QualityParams,
    pub odd: OddParams,
    pub caption: CaptionParams,
}

impl Default for ReadingParams {
    fn default() -> Self {
        ReadingParams {
            captions: true,
            languages: AUTO.to_owned(),
            model: ModelParams::default(),
            find: FindParams::default(),
            turn: TurnParams::default(),
            squares: SquaresParams::default(),
            orientation: OrientationParams::default(),
            quality: QualityParams::default(),
            odd: OddParams::default(),
            caption: CaptionParams::default(),
        }
    }
}

/// What is known of the book that a page belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BookContext {
    /// The side that moves where nothing else is printed.
    pub default_side: Option<Color>,
    /// Code of the captions' language ("de"): the one that is tried first.
    pub language: Option<String>,
    /// Marks beside the board are printed only where Black moves.
    pub marks_black_only: bool,
}

/// Why a page could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadingError {
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Caption(#[from] CaptionError),
    #[error("cannot start the text recognizer: {0}")]
    Text(#[from] OcrError),
    #[error("cannot cut the picture of diagram {ordinal}: {source}")]
    Crop { ordinal: u32, source: image::ImageError },
}

/// Reads pages. One a worker thread: it owns a net session and a text recognizer.
pub struct Reader {
    pub(super) model: Box<dyn Model>,
    pub(super) text: Option<Box<dyn TextReader>>,
    pub(super) params: ReadingParams,
}

impl Reader {
    /// Without a text recognizer no caption is read and every side to move is assumed.
    pub fn new(model: Box<dyn Model>, text: Option<Box<dyn TextReader>>, params: ReadingParams) -> Reader {
        Reader { model, text, params }
    }

    /// A reader with the net and, if captions are wanted, with Tesseract.
    ///
    /// # Errors
    /// When ONNX Runtime, the model or a language's data is missing.
    pub fn open(params: &ReadingParams) -> Result<Reader, ReadingError> {
        let model = Reader::open_model(params)?;
        let text = if params.captions { Some(Reader::open_text(params)?) } else { None };
        Ok(Reader::new(model, text, params.clone()))
    }

    /// The net alone, in a session of its own.
    ///
    /// # Errors
    /// When ONNX Runtime or the model cannot be loaded.
    pub fn open_model(params: &ReadingParams) -> Result<Box<dyn Model>, ReadingError> {
        Ok(Box::new(OnnxModel::open(&params.model)?))
    }

    /// The text recognizer alone.
    ///
    /// # Errors
    /// When a language's data is missing.
    pub fn open_text(params: &ReadingParams) -> Result<Box<dyn TextReader>, ReadingError> {
        match params.languages.trim() {
            AUTO | "" => Ok(Box::new(PolyglotReader::new()?)),
            languages => Ok(Box::new(TesseractReader::new(languages)?)),
        }
    }

    /// Name and version of the net.
    pub fn model_version(&self) -> &str {
        self.model.version()
    }

    /// Reads all diagrams of a page, in reading order.
    ///
    /// # Errors
    /// When the net or the text recognizer fails; never because of what is on the page.
    pub fn read_page(
        &mut self,
        page: &Page,
        book: &BookContext,
        debug_images: Option<&DebugImages>,
    ) -> Result<PageReading, ReadingError> {
        let (width, height) = page.gray.dimensions();
        let mut finding = debug_span!("find").in_scope(|| find_boards(&page.gray, &self.params.find));
        debug!(found = finding.regions.len(), candidates = finding.candidates.len(), "boards");
        let mut warped = debug_span!("warp").in_scope(|| warp_all(&page.gray, &finding.regions));
        let mut scores = debug_span!("squares").in_scope(|| self.model.read(&warped))?;
        let turn = debug_span!("turn").in_scope(|| {
            find_turn(&finding.regions, &warped, &scores, self.model.as_mut(), &self.params.turn)
        })?;
        // From here on everything is upright; places are turned back at the end.
        let upright;
        let gray = if turn == QuarterTurn::Upright {
            &page.gray
        } else {
            upright = turn.undo(&page.gray);
            finding = turned_finding(finding, turn, width as f32, height as f32);
            warped = warp_all(&upright, &finding.regions);
            scores = self.model.read(&warped)?;
            &upright
        };
        let mut moved_flags = vec![None; finding.regions.len()];
        for (index, region) in finding.regions.iter_mut().enumerate() {
            let moved = settle_phase(gray, region, &scores[index], self.model.as_mut())?;
            if let Some(moved) = moved {
                region.quad = moved.quad;
                region.light_first = region.light_first.map(|light| light != moved.tone_changes);
                warped[index] = warp_board(gray, &moved.quad);
                scores[index] = moved.scores;
                moved_flags[index] = Some(moved.flag);
            }
        }
        let mut flags: Vec<Flag> =
            page.warnings.iter().map(|w| Flag::new(FlagCode::DamagedPage, w.clone())).collect();
        let mut index = 0;
        while index < scores.len() {
            let Some(reason) = why_not_chess(&warped[index], &scores[index]) else {
                index += 1;
                continue;
            };
            let quad = finding.regions.remove(index).quad;
            let mut left_out = Flag::new(FlagCode::NotChess, format!("a board was left out: {reason}"));
            left_out.severity = Severity::Note;
            flags.push(left_out);
            finding.candidates.push(Candidate { quad, verdict: Verdict::Dropped(reason) });
            warped.remove(index);
            scores.remove(index);
            moved_flags.remove(index);
        }
        let quads: Vec<_> = finding.regions.iter().map(|region| region.quad).collect();
        debug_span!("looks").in_scope(|| -> Result<(), ModelError> {
            for (scores, quad) in scores.iter_mut().zip(&quads) {
                *scores = look_again(gray, quad, scores, self.model.as_mut())?;
            }
            Ok(())
        })?;
        let coordinates: Vec<Coordinates> = debug_span!("coordinates")
            .in_scope(|| quads.iter().map(|quad| read_coordinates(gray, quad)).collect());
        let mut captions = debug_span!("captions").in_scope(|| {
            // Text has its places on the page as it came.
            let text = page.text.as_ref().filter(|_| turn == QuarterTurn::Upright);
            self.captions(gray, text, &quads, book)
        })?;
        let mut turns: Vec<OrientationVerdict> =
            (0..quads.len()).map(|i| self.side_below(&scores[i], &coordinates[i], &captions[i])).collect();
        ask_the_page(&mut turns, &self.params.orientation);
        let turned: Vec<Orientation> = turns.iter().map(|turn| turn.orientation).collect();
        weigh_marks(&mut captions, &turned, book.marks_black_only);
        let numbers: Vec<Option<&str>> = captions.iter().map(|c| c.number.as_deref()).collect();
        let order = order_by_numbers(&quads, &numbers).unwrap_or_else(|| (0..quads.len()).collect());
        let numbers: Vec<Option<&str>> = order.iter().map(|&i| numbers[i]).collect();
        let gaps = number_gaps(&numbers);
        let mut diagrams: Vec<DiagramReading> = debug_span!("join").in_scope(|| {
            (1..)
                .zip(&order)
                .map(|(ordinal, &i)| {
                    let seen = Seen {
                        region: &finding.regions[i],
                        board: &warped[i],
                        scores: &scores[i],
                        coordinates: &coordinates[i],
                        moved: moved_flags[i].take(),
                        outside: squares_outside(&quads[i], gray.width() as f32, gray.height() as f32),
                    };
                    self.join(ordinal, seen, captions[i].clone(), turns[i].clone(), book)
                })
                .collect()
        });
        doubt_mixed_orientation(&mut diagrams);
        // what a loss has done to a board nobody can tell, and a diagram is often looked at without its page
        for damaged in flags.iter().filter(|flag| flag.code == FlagCode::DamagedPage) {
            diagrams.iter_mut().for_each(|d| d.flags.push(damaged.clone()));
        }
        if let Some(images) = debug_images {
            let warped: Vec<GrayImage> = order.iter().map(|&i| warped[i].clone()).collect();
            images.write(gray, &finding, &warped, &diagrams);
        }
        let mut headings = headings_of(diagrams.iter().map(|d| &d.caption));
        if quads.is_empty() {
            headings.extend(debug_span!("title").in_scope(|| self.title(gray, book))?);
        }
        if turn != QuarterTurn::Upright {
            diagrams.iter_mut().for_each(|d| turn_back(d, turn, width as f32, height as f32));
        }
        flags.extend(gaps);
        flags.extend(doubted_boards(&finding, turn, width as f32, height as f32));
        if diagrams.is_empty() {
            flags.push(Flag::new(FlagCode::NoDiagram, "no diagram was found on this page"));
        }
        Ok(PageReading { width, height, diagrams, flags, headings })
    }

    /// What is printed around each of `quads`, beginning with the book's language; nothing where captions are not read.
    pub(super) fn captions(
        &mut self,
        gray: &GrayImage,
        file_text: Option<&PageText>,
        quads: &[Quad],
        book: &BookContext,
    ) -> Result<Vec<CaptionFacts>, ReadingError> {
        let Some(text) = self.text.as_mut().filter(|_| !quads.is_empty()) else {
            return Ok(vec![CaptionFacts::default(); quads.len()]);
        };
        begin_page(book.language.as_deref(), text.as_mut())?;
        let printed = Printed { gray, text: file_text };
        Ok(read_captions(printed, quads, text.as_mut(), &self.params.caption)?)
    }

    /// What a page without boards says for those after it.
    fn title(&mut self, gray: &GrayImage, book: &BookContext) -> Result<Option<Heading>, ReadingError> {
        let Some(text) = self.text.as_mut() else { return Ok(None) };
        begin_page(book.language.as_deref(), text.as_mut())?;
        let said = page_title(gray, text.as_mut(), Lexicon::built_in())?;
        Ok(said.map(|(side, text)| Heading { side, text }))
    }

    /// Which side is below: what the position, the printed coordinates and the caption's labels say.
    pub(super) fn side_below(
        &self,
        read: &BoardScores,
        coordinates: &Coordinates,
        caption: &CaptionFacts,
    ) -> OrientationVerdict {
        let (placement, _) = legal::most_likely(&read.squares.0);
        let below = SideBelow {
            position: orientation::white_bottom_probability(&placement),
            coordinates: coordinates.white_below,
            read: &coordinates.read,
            labels: caption.white_below,
        };
        decide_orientation(&below, &self.params.orientation)
    }

    pub(super) fn join(
        &self,
        ordinal: u32,
        seen: Seen<'_>,
        caption: CaptionFacts,
        turn: OrientationVerdict,
        book: &BookContext,
    ) -> DiagramReading {
        let Seen { region, board, scores: read, coordinates, moved, outside } = seen;
        let squares: SquareScores = match turn.orientation {
            Orientation::WhiteBottom => read.squares.clone(),
            Orientation::BlackBottom => read.squares.turned(),
        };
        let verdict = decide_squares(&squares, self.model.accept_threshold(), &self.params.squares);
        let mover = who_moves(&caption, &verdict.chosen, book.default_side);

        let mut flags = quality_flags(region, read.outlier, &verdict.chosen, &self.params.quality);
        name_squares_outside(&mut flags, &outside, turn.orientation);
        flags.extend(moved);
        if coordinates.shifted {
            let message = "the coordinates stand one square beside the lattice: check the board's edges";
            flags.push(Flag::new(FlagCode::GridUncertain, message));
        }
        flags.extend(verdict.flags);
        flags.extend(overlay_flag(board, &verdict.chosen, turn.orientation, &outside, &self.params.odd));
        flags.extend(turn.flag);
        flags.extend(mover.flags);
        DiagramReading {
            ordinal,
            quad: region.quad,
            squares,
            raw: verdict.raw,
            legal: Some(verdict.legal),
            placement: verdict.chosen,
            orientation: turn.orientation,
            orientation_reason: turn.reason,
            fen: mover.fen.to_string(),
            sources: Sources {
                placement: FieldSource::Picture,
                side_to_move: mover.source,
                castling: FieldSource::Assumed,
                en_passant: FieldSource::Assumed,
                clocks: FieldSource::Assumed,
            },
            caption,
            confidence: verdict.confidence,
            flags,
            model_version: self.model.version().to_owned(),
        }
    }
}

/// What was seen of one board on the upright page.
pub(super) struct Seen<'a> {
    pub region: &'a BoardRegion,
    /// The board warped square.
    pub board: &'a GrayImage,
    pub scores: &'a BoardScores,
    pub coordinates: &'a Coordinates,
    /// The lattice was moved by a whole square.
    pub moved: Option<Flag>,
    /// Squares outside the picture, counted from its top left.
    pub outside: Vec<usize>,
}

/// A note on what may be a board and was not taken for one, with the places on the page as it came.
fn doubted_boards(finding: &Finding, turn: QuarterTurn, width: f32, height: f32) -> Option<Flag> {
    let places: Vec<String> = finding
        .doubted()
        .iter()
        .map(|quad| {
            let (x0, y0, x1, y1) = turn.quad_from_upright(quad, width, height).bounds();
            let within = |v: f32, most: f32| v.clamp(0.0, most).round();
            let (left, right) = (within(x0, width), within(x1, width));
            format!("x {left} to {right}, y {} to {}", within(y0, height), within(y1, height))
        })
        .collect();
    let (subject, them) = match places.len() {
        0 => return None,
        1 => ("one place may hold a board, in part, worn or faint, that was".to_owned(), "it"),
        count => (format!("{count} places may hold boards, in part, worn or faint, that were"), "them"),
    };
    let message = format!("{subject} not taken: look at {them} ({})", places.join("; "));
    Some(Flag::new(FlagCode::BoardDoubted, message))
}

fn warp_all(gray: &GrayImage, regions: &[BoardRegion]) -> Vec<GrayImage> {
    regions.iter().map(|region| warp_board(gray, &region.quad)).collect()
}

/// On a page that prints a board from Black's side, a board whose side nothing tells is in doubt, not noted.
fn doubt_mixed_orientation(diagrams: &mut [DiagramReading]) {
    if diagrams.iter().all(|d| d.orientation == Orientation::WhiteBottom) {
        return;
    }
    for flag in diagrams.iter_mut().flat_map(|d| &mut d.flags) {
        if flag.code == FlagCode::OrientationAssumed && flag.severity == Severity::Note {
            flag.severity = Severity::Doubt;
            flag.message += "; another board of this page is printed from Black's side";
        }
    }
}

/// The pictures of all diagrams of a page, in their order.
///
/// # Errors
/// When a picture cannot be encoded.
pub fn crops_of(page: &Page, reading: &PageReading) -> Result<Vec<DiagramCrops>, ReadingError> {
    reading
        .diagrams
        .iter()
        .map(|d| {
            cut_crops(&page.gray, &d.quad, d.caption.area)
                .map_err(|source| ReadingError::Crop { ordinal: d.ordinal, source })
        })
        .collect()
}
