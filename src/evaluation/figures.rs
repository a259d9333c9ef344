//! The figures of an evaluation, gathered page by page.

use std::collections::BTreeMap;

use serde::Serialize;

use super::compare::{ReadDiagram, compare, equal_squares};
use super::{Calibration, Label, LabelledPage, Reliability};
use crate::chess::placement::squares_in_fen_order;
use crate::chess::{Color, FlagCode, PieceClass};

/// Flags that ask who moves or which side is below. All others ask whether the squares are right: also
/// "opponent in check" is a misread man more often than a misread side.
const ABOUT_THE_SIDE: [FlagCode; 4] =
    [FlagCode::SideAssumed, FlagCode::SideConflict, FlagCode::OrientationAssumed, FlagCode::UpsideDown];

/// Counts over pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Figures {
    pub pages: u64,
    /// Pages that could not be read; all that is labelled on them counts as missed.
    pub unread: u64,
    /// Labelled diagrams.
    pub labelled: u64,
    /// Labelled diagrams that were found.
    pub found: u64,
    /// Read diagrams that are none of the labelled: false alarms.
    pub extra: u64,
    /// Read diagrams.
    pub read: u64,
    /// Squares of found diagrams.
    pub squares: u64,
    pub squares_right: u64,
    /// Found diagrams with all 64 squares right.
    pub exact: u64,
    /// Labelled diagrams whose side to move is labelled.
    pub sides: u64,
    pub sides_right: u64,
    /// Found diagrams whose orientation is labelled.
    pub orientations: u64,
    pub orientations_right: u64,
    /// Read diagrams that ask for a review.
    pub review: u64,
    /// Read diagrams that ask for one because of their squares (whatever else they ask).
    pub review_of_squares: u64,
    /// Accepted diagrams that are wrong: a square, the side where it is labelled, or no diagram at all.
    pub silent: u64,
}

/// Shares of the counts, 0 to 1; `None` of nothing. A diagram that was not found counts as wrong.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Shares {
    pub found: Option<f64>,
    pub squares_right: Option<f64>,
    pub exact: Option<f64>,
    pub sides_right: Option<f64>,
    pub orientations_right: Option<f64>,
    pub review: Option<f64>,
    pub review_of_squares: Option<f64>,
}

impl Figures {
    pub fn shares(&self) -> Shares {
        let share = |part: u64, all: u64| (all > 0).then(|| part as f64 / all as f64);
        Shares {
            found: share(self.found, self.labelled),
            squares_right: share(self.squares_right, self.squares),
            exact: share(self.exact, self.labelled),
            sides_right: share(self.sides_right, self.sides),
            orientations_right: share(self.orientations_right, self.orientations),
            review: share(self.review, self.read),
            review_of_squares: share(self.review_of_squares, self.read),
        }
    }

    fn add(&mut self, other: &Figures) {
        self.pages += other.pages;
        self.unread += other.unread;
        self.labelled += other.labelled;
        self.found += other.found;
        self.extra += other.extra;
        self.read += other.read;
        self.squares += other.squares;
        self.squares_right += other.squares_right;
        self.exact += other.exact;
        self.sides += other.sides;
        self.sides_right += other.sides_right;
        self.orientations += other.orientations;
        self.orientations_right += other.orientations_right;
        self.review += other.review;
        self.review_of_squares += other.review_of_squares;
        self.silent += other.silent;
    }
}

/// How often a man was taken for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// FEN letter of what is printed, `.` for an empty square.
    pub truth: char,
    /// FEN letter of what was read.
    pub read: char,
    pub count: u64,
}

/// A page without a reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnreadPage {
    pub file: String,
    pub reason: String,
}

/// A diagram with an error.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WrongDiagram {
    pub file: String,
    /// What is printed; `None` for a false alarm.
    pub truth: Option<String>,
    pub side_to_move: Option<char>,
    /// What was read; `None` for a missed diagram.
    pub read: Option<String>,
    pub read_side: Option<char>,
    pub squares_right: u32,
    /// It was accepted: the worst kind.
    pub silent: bool,
    /// Flags that ask for a look.
    pub flags: Vec<FlagCode>,
}

/// Gathers figures page by page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evaluation {
    books: BTreeMap<String, Figures>,
    squares: Reliability,
    boards: Reliability,
    /// By truth, then by reading, in the order of the classes.
    confusions: [[u64; PieceClass::COUNT]; PieceClass::COUNT],
    flags: BTreeMap<&'static str, u64>,
    unread: Vec<UnreadPage>,
    wrong: Vec<WrongDiagram>,
}

impl Evaluation {
    /// A page that was read.
    pub fn add(&mut self, page: &LabelledPage, reads: &[ReadDiagram]) {
        let compared = compare(&page.diagrams, reads);
        let mut of = Figures {
            pages: 1,
            labelled: page.diagrams.len() as u64,
            found: compared.found.len() as u64,
            extra: compared.extra.len() as u64,
            read: reads.len() as u64,
            sides: page.diagrams.iter().filter(|label| label.side_to_move.is_some()).count() as u64,
            ..Figures::default()
        };
        for read in reads {
            of.review += u64::from(!read.accepted);
            of.review_of_squares += u64::from(read.doubts.iter().any(|code| !ABOUT_THE_SIDE.contains(code)));
            for code in &read.doubts {
                *self.flags.entry(code.as_str()).or_default() += 1;
            }
        }
        for pair in &compared.found {
            let (label, read) = (&page.diagrams[pair.label], &reads[pair.read]);
            let right = equal_squares(&label.placement, &read.placement);
            let side = label.side_to_move.is_none_or(|side| side == read.side_to_move);
            of.squares += 64;
            of.squares_right += u64::from(right);
            of.exact += u64::from(right == 64);
            of.sides_right += u64::from(label.side_to_move.is_some() && side);
            of.orientations += u64::from(label.orientation.is_some());
            of.orientations_right += u64::from(label.orientation == Some(read.orientation));
            self.look_at_squares(label, read);
            if right < 64 || !side {
                of.silent += u64::from(read.accepted);
                self.wrong.push(wrong(&page.name, Some(label), Some(read), right));
            }
        }
        for &missed in &compared.missed {
            self.wrong.push(wrong(&page.name, Some(&page.diagrams[missed]), None, 0));
        }
        for &extra in &compared.extra {
            of.silent += u64::from(reads[extra].accepted);
            self.wrong.push(wrong(&page.name, None, Some(&reads[extra]), 0));
        }
        self.books.entry(page.book.clone()).or_default().add(&of);
    }

    /// A page that could not be read.
    pub fn add_unread(&mut self, page: &LabelledPage, reason: String) {
        let sides = page.diagrams.iter().filter(|label| label.side_to_move.is_some()).count() as u64;
        let of = Figures {
            pages: 1,
            unread: 1,
            labelled: page.diagrams.len() as u64,
            sides,
            ..Figures::default()
        };
        self.books.entry(page.book.clone()).or_default().add(&of);
        self.unread.push(UnreadPage { file: page.name.clone(), reason });
        for label in &page.diagrams {
            self.wrong.push(wrong(&page.name, Some(label), None, 0));
        }
    }

    /// Calibration and confusions are about what the net saw: a board that was taken for a turned one is turned back for them.
    fn look_at_squares(&mut self, label: &Label, read: &ReadDiagram) {
        let turned = label.orientation.is_some_and(|orientation| orientation != read.orientation);
        let seen = if turned { read.placement.turned() } else { read.placement };
        let mut all = true;
        for (index, square) in squares_in_fen_order().enumerate() {
            let p = read.probabilities[if turned { 63 - index } else { index }];
            let (truth, got) =
                (PieceClass::from(label.placement.get(square)), PieceClass::from(seen.get(square)));
            self.squares.add(f64::from(p), truth == got);
            if truth != got {
                all = false;
                self.confusions[truth.index()][got.index()] += 1;
            }
        }
        self.boards.add(f64::from(read.confidence), all);
    }

    /// Figures by book, in the order of their names.
    pub fn books(&self) -> &BTreeMap<String, Figures> {
        &self.books
    }

    pub fn total(&self) -> Figures {
        let mut total = Figures::default();
        for figures in self.books.values() {
            total.add(figures);
        }
        total
    }

    /// Probabilities of single squares against the truth.
    pub fn squares(&self) -> Calibration {
        self.squares.table()
    }

    /// The confidence in whole boards against the truth.
    pub fn boards(&self) -> Calibration {
        self.boards.table()
    }

    /// What was taken for what, most frequent first.
    pub fn confusions(&self) -> Vec<Confusion> {
        let mut out = Vec::new();
        for truth in PieceClass::all() {
            for read in PieceClass::all() {
                let count = self.confusions[truth.index()][read.index()];
                if count > 0 {
                    out.push(Confusion { truth: truth.letter(), read: read.letter(), count });
                }
            }
        }
        out.sort_by_key(|confusion| std::cmp::Reverse(confusion.count));
        out
    }

    /// How many read diagrams carry each flag that asks for a look.
    pub fn flags(&self) -> &BTreeMap<&'static str, u64> {
        &self.flags
    }

    pub fn unread(&self) -> &[UnreadPage] {
        &self.unread
    }

    /// All diagrams with an error, in the order of the labels.
    pub fn wrong(&self) -> &[WrongDiagram] {
        &self.wrong
    }
}

fn wrong(file: &str, label: Option<&Label>, read: Option<&ReadDiagram>, squares_right: u32) -> WrongDiagram {
    WrongDiagram {
        file: file.to_owned(),
        truth: label.map(|label| label.placement.to_string()),
        side_to_move: label.and_then(|label| label.side_to_move).map(Color::char),
        read: read.map(|read| read.placement.to_string()),
        read_side: read.map(|read| read.side_to_move.char()),
        squares_right,
        silent: read.is_some_and(|read| read.accepted),
        flags: read.map(|read| read.doubts.clone()).unwrap_or_default(),
    }
}
