//! The JSON line that `fenwatch scan --json` prints for a page. Field names are stable.

use serde::Serialize;

use super::{DiagramReading, Orientation, PageReading, Status};
use crate::board::{Quad, QuarterTurn};
use crate::caption::{SideEvidence, TextSource};
use crate::chess::placement::squares_in_fen_order;
use crate::chess::{FieldSource, Flag};

/// One line: a page, or the reason why it (or its file) could not be read.
#[derive(Debug, Serialize)]
pub struct PageLine<'a> {
    pub source: &'a str,
    /// 1-based page inside the file.
    pub page: u32,
    pub width: u32,
    pub height: u32,
    /// Degrees that the page was found turned clockwise: 0, 90, 180 or 270. Corners are in the picture as given.
    pub turn: u32,
    pub diagrams: Vec<DiagramLine<'a>>,
    /// Flags about the page as a whole.
    pub flags: &'a [Flag],
    pub error: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct DiagramLine<'a> {
    pub ordinal: u32,
    /// Clockwise from the one that is top left in the picture as it came, in page pixels: the board's own top left is
    /// number `turn` / 90, counted from 0.
    pub corners: [[f32; 2]; 4],
    pub orientation: Orientation,
    pub orientation_reason: &'a str,
    pub placement: String,
    /// The likeliest class of each square taken alone.
    pub raw_placement: String,
    pub legal_placement: Option<String>,
    pub fen: &'a str,
    pub side_to_move: char,
    pub side_to_move_source: FieldSource,
    pub side_evidence: &'a [SideEvidence],
    pub caption: Option<&'a str>,
    /// Where the caption's text comes from.
    pub caption_source: Option<TextSource>,
    pub number: Option<&'a str>,
    pub players: Option<&'a str>,
    pub stipulation: Option<&'a str>,
    pub confidence: f32,
    pub status: Status,
    pub flags: &'a [Flag],
    pub squares: Vec<SquareLine>,
    pub model: &'a str,
}

#[derive(Debug, Serialize)]
pub struct SquareLine {
    pub square: String,
    /// The class that the placement carries, `.` for empty.
    pub piece: char,
    pub p: f32,
    /// The likeliest other class.
    pub second: char,
    pub p2: f32,
}

impl<'a> PageLine<'a> {
    pub fn of_reading(source: &'a str, page: u32, reading: &'a PageReading) -> PageLine<'a> {
        PageLine {
            source,
            page,
            width: reading.width,
            height: reading.height,
            turn: reading.diagrams.first().map_or(0, |d| QuarterTurn::of_quad(&d.quad).degrees()),
            diagrams: reading.diagrams.iter().map(DiagramLine::of).collect(),
            flags: &reading.flags,
            error: None,
        }
    }

    pub fn of_error(source: &'a str, page: u32, error: String) -> PageLine<'a> {
        PageLine {
            source,
            page,
            width: 0,
            height: 0,
            turn: 0,
            diagrams: Vec::new(),
            flags: &[],
            error: Some(error),
        }
    }
}

impl<'a> DiagramLine<'a> {
    fn of(d: &'a DiagramReading) -> DiagramLine<'a> {
        let side_to_move = if d.fen.split(' ').nth(1) == Some("b") { 'b' } else { 'w' };
        DiagramLine {
            ordinal: d.ordinal,
            corners: corners_as_seen(&d.quad),
            orientation: d.orientation,
            orientation_reason: &d.orientation_reason,
            placement: d.placement.to_string(),
            raw_placement: d.raw.to_string(),
            legal_placement: d.legal.map(|l| l.to_string()),
            fen: &d.fen,
            side_to_move,
            side_to_move_source: d.sources.side_to_move,
            side_evidence: &d.caption.evidence,
            caption: d.caption.text.as_deref(),
            caption_source: d.caption.text_source,
            number: d.caption.number.as_deref(),
            players: d.caption.players.as_deref(),
            stipulation: d.caption.stipulation.as_deref(),
            confidence: round(d.confidence, 1e4),
            status: d.status(),
            flags: &d.flags,
            squares: square_lines(d),
            model: &d.model_version,
        }
    }
}

/// Clockwise from the corner that is top left in the picture as given.
fn corners_as_seen(quad: &Quad) -> [[f32; 2]; 4] {
    let mut corners = quad.0.map(|p| [round(p.x, 100.0), round(p.y, 100.0)]);
    corners.rotate_right(QuarterTurn::of_quad(quad) as usize);
    corners
}

fn square_lines(d: &DiagramReading) -> Vec<SquareLine> {
    squares_in_fen_order()
        .enumerate()
        .map(|(index, square)| {
            let piece = crate::chess::PieceClass::from(d.placement.get(square));
            let [first, next] = d.squares.best_two(index);
            let second = if first.0 == piece { next } else { first };
            SquareLine {
                square: square.to_string(),
                piece: piece.letter(),
                p: round(d.squares.0[index][piece.index()], 1e5),
                second: second.0.letter(),
                p2: round(second.1, 1e5),
            }
        })
        .collect()
}

/// Rounds so that lines stay short and stable.
fn round(value: f32, steps: f32) -> f32 {
    (value * steps).round() / steps
}
