//! All of a reading that hangs on who moves: the FEN, the source of its side, the flags. Decided when a page is read, and again when
//! the rest of the book has more to say ([`super::book`]).

use super::caption_flags::caption_flags;
use super::side::{SideVerdict, join_side};
use super::stipulation::stipulation_flag;
use super::{DiagramReading, Sources};
use crate::caption::CaptionFacts;
use crate::chess::{Color, Fen, FieldSource, Flag, FlagCode, MateParams, Placement, checks, in_check};

/// The flags that may come or go with the side to move.
const HANGING: [FlagCode; 6] = [
    FlagCode::SideAssumed,
    FlagCode::SideConflict,
    FlagCode::SolutionIllegal,
    FlagCode::OpponentInCheck,
    FlagCode::ImpossibleCheck,
    FlagCode::StipulationUnsound,
];

/// Who moves, and what follows from it.
#[derive(Debug, Clone, PartialEq)]
pub struct WhoMoves {
    pub fen: Fen,
    pub source: FieldSource,
    /// Everything that caption and position say against each other or against the rules.
    pub flags: Vec<Flag>,
}

/// Joins the evidence about a position, and checks the position with the side that follows. `default` is the book's.
pub fn who_moves(caption: &CaptionFacts, placement: &Placement, default: Option<Color>) -> WhoMoves {
    let side = join_side(&caption.evidence, in_check::side_in_check(placement), default);
    let fen = Fen::new(*placement, side.side);
    let mut flags = side_flags(&side);
    flags.extend(caption_flags(caption, &fen, side.side, side.source));
    flags.extend(checks::check_dead(&fen.placement));
    // the orientation was weighed before, with the printers' habit
    flags.extend(checks::check_position(&fen).into_iter().filter(|flag| flag.code != FlagCode::UpsideDown));
    flags.extend(stipulation_flag(&fen, caption.stipulation.as_deref(), &MateParams::default()));
    WhoMoves { fen, source: side.source, flags }
}

/// The parts of a diagram's reading that hang on who moves.
#[derive(Debug)]
pub struct Mover<'a> {
    pub placement: &'a Placement,
    pub caption: &'a mut CaptionFacts,
    /// All six fields.
    pub fen: &'a mut String,
    pub sources: &'a mut Sources,
    pub flags: &'a mut Vec<Flag>,
}

impl Mover<'_> {
    /// Nothing printed with the diagram says who moves.
    pub fn hangs_on_default(&self) -> bool {
        matches!(self.sources.side_to_move, FieldSource::Assumed | FieldSource::BookDefault)
            || self.flags.iter().any(|flag| flag.code == FlagCode::SideAssumed)
    }

    /// Decides again, after the evidence changed; the other flags stay. Whether anything is other than it was.
    pub fn decide_again(&mut self, default: Option<Color>) -> bool {
        let before = (self.fen.clone(), self.sources.side_to_move, self.flags.clone());
        let now = who_moves(self.caption, self.placement, default);
        let hangs = |flag: &Flag| HANGING.contains(&flag.code);
        let at = self.flags.iter().position(hangs).unwrap_or(self.flags.len());
        self.flags.retain(|flag| !hangs(flag));
        self.flags.splice(at..at, now.flags.into_iter().filter(hangs));
        *self.fen = now.fen.to_string();
        self.sources.side_to_move = now.source;
        before != (self.fen.clone(), self.sources.side_to_move, self.flags.clone())
    }
}

impl DiagramReading {
    /// The parts that hang on who moves.
    pub fn mover(&mut self) -> Mover<'_> {
        Mover {
            placement: &self.placement,
            caption: &mut self.caption,
            fen: &mut self.fen,
            sources: &mut self.sources,
            flags: &mut self.flags,
        }
    }
}

fn side_flags(side: &SideVerdict) -> Vec<Flag> {
    let mut flags = Vec::new();
    if side.assumed {
        let mover = if side.side == Color::White { "White" } else { "Black" };
        let message = match side.source {
            FieldSource::Assumed => format!("nothing says who moves: {mover} was assumed"),
            source => format!("{mover} to move only by weak evidence ({source})"),
        };
        flags.push(Flag::new(FlagCode::SideAssumed, message));
    }
    if let Some(conflict) = &side.conflict {
        flags.push(Flag::new(FlagCode::SideConflict, conflict.clone()));
    }
    flags
}
