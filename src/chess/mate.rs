//! Direct mates by exhaustive search: is there a mate in so many moves, by which first moves?
//!
//! Depth first over the attacker's moves and all replies. The search is exact; its cost is bounded by a count of
//! positions and not by a clock, so that the same position always gets the same answer. A reply that refuted the attacker's last try
//! is tried first against the next (the killer heuristic), and positions two moves before the mate are remembered,
//! since most are reached in several orders of moves.

use std::collections::HashMap;

use shakmaty::{Chess, EnPassantMode, Move, MoveList, Position, san::SanPlus, zobrist::Zobrist64};

use super::fen::playable;
use super::{Castling, Fen, en_passant};

/// How much a search may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MateParams {
    /// Positions made in all.
    pub max_positions: u64,
    /// Mates longer than this are not searched for.
    pub max_moves: u16,
}

impl Default for MateParams {
    fn default() -> Self {
        // A million positions are some 40 ms of a processor. Any two-mover takes a hundredth of that, most three-movers a tenth;
        // a four-mover that is not there would use it up and tell nothing.
        MateParams { max_positions: 1_000_000, max_moves: 3 }
    }
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MateVerdict {
    /// Mate can be forced in `moves` and not faster, by these first moves (SAN): all of them where [`mates`] was asked, else at least one.
    Mate { moves: u16, keys: Vec<String> },
    /// No mate can be forced in the moves asked for.
    None,
    /// The bound was reached first, or nobody can play on from the position.
    Unknown,
}

/// Whether the side to move can force mate within `moves`, for a printed diagram: castling is taken as allowed where king and rook stand at
/// home, as problems have it, and as forbidden; the last move may have been a double step. `None` holds for all of that.
pub fn diagram_mates(fen: &Fen, moves: u16, params: &MateParams) -> MateVerdict {
    let possible = Castling::possible(&fen.placement);
    let mut variants = vec![(possible, None)];
    if possible != Castling::NONE {
        variants.push((Castling::NONE, None));
    }
    let squares = en_passant::possible_squares(&fen.placement, fen.side_to_move);
    variants.extend(squares.into_iter().map(|square| (possible, Some(square))));
    let mut search = Search::new(params);
    let mut sure = true;
    for (castling, en_passant) in variants {
        let setup = Fen { castling, en_passant, ..fen.clone() }.setup();
        let Ok(position) = playable(setup) else {
            // the double step itself cannot have been
            sure &= en_passant.is_some();
            continue;
        };
        match search.shortest(&position, moves, false) {
            MateVerdict::None => {}
            MateVerdict::Unknown => sure = false,
            found => return found,
        }
    }
    if sure { MateVerdict::None } else { MateVerdict::Unknown }
}

/// All first moves by which the side to move forces mate fastest, within `moves`, in exactly this position.
pub fn mates(fen: &Fen, moves: u16, params: &MateParams) -> MateVerdict {
    match fen.playable() {
        Ok(position) => Search::new(params).shortest(&position, moves, true),
        Err(_) => MateVerdict::Unknown,
    }
}

/// The bound was reached.
struct Over;

struct Search {
    params: MateParams,
    positions: u64,
    /// Whether the side to move mates within two moves.
    within_two: HashMap<u64, bool>,
}

impl Search {
    fn new(params: &MateParams) -> Search {
        Search { params: *params, positions: 0, within_two: HashMap::new() }
    }

    fn shortest(&mut self, position: &Chess, moves: u16, all: bool) -> MateVerdict {
        if moves > self.params.max_moves {
            return MateVerdict::Unknown;
        }
        for length in 1..=moves {
            match self.keys(position, length, all) {
                Err(Over) => return MateVerdict::Unknown,
                Ok(keys) if !keys.is_empty() => {
                    let named = |m: &Move| SanPlus::from_move(position.clone(), *m).to_string();
                    return MateVerdict::Mate { moves: length, keys: keys.iter().map(named).collect() };
                }
                Ok(_) => {}
            }
        }
        MateVerdict::None
    }

    /// First moves that force mate within `moves`; with `all`, every one, else the first that is found.
    fn keys(&mut self, position: &Chess, moves: u16, all: bool) -> Result<Vec<Move>, Over> {
        let mut keys = Vec::new();
        let mut killer = None;
        for (m, after) in self.tries(position, moves)? {
            if self.holds(&after, moves, &mut killer)? {
                keys.push(m);
                if !all {
                    break;
                }
            }
        }
        Ok(keys)
    }

    /// Whether the side to move forces mate within `moves`.
    fn attacks(&mut self, position: &Chess, moves: u16) -> Result<bool, Over> {
        if moves == 1 {
            for m in position.legal_moves() {
                if is_mate(&self.play(position, m)?) {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let key = (moves == 2).then(|| position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0);
        if let Some(&known) = key.and_then(|key| self.within_two.get(&key)) {
            return Ok(known);
        }
        let mut killer = None;
        let mut found = false;
        for (_, after) in self.tries(position, moves)? {
            if self.holds(&after, moves, &mut killer)? {
                found = true;
                break;
            }
        }
        if let Some(key) = key {
            self.within_two.insert(key, found);
        }
        Ok(found)
    }

    /// The attacker's moves, those that leave the fewest replies first: checks and threats of stalemate come before all others.
    fn tries(&mut self, position: &Chess, moves: u16) -> Result<Vec<(Move, Chess)>, Over> {
        let mut tries = Vec::new();
        for m in position.legal_moves() {
            let after = self.play(position, m)?;
            // with the last move only a mate will do
            if moves > 1 || after.is_check() {
                let replies = after.legal_moves().len();
                tries.push((replies, m, after));
            }
        }
        tries.sort_by_key(|(replies, ..)| *replies);
        Ok(tries.into_iter().map(|(_, m, after)| (m, after)).collect())
    }

    /// Whether the attacker, who has just made the first of `moves`, mates against every reply.
    fn holds(&mut self, after: &Chess, moves: u16, killer: &mut Option<Move>) -> Result<bool, Over> {
        let replies = after.legal_moves();
        if replies.is_empty() {
            return Ok(after.is_check());
        }
        if moves == 1 {
            return Ok(false);
        }
        for reply in ordered(&replies, *killer) {
            let next = self.play(after, reply)?;
            if !self.attacks(&next, moves - 1)? {
                *killer = Some(reply);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn play(&mut self, position: &Chess, m: Move) -> Result<Chess, Over> {
        self.positions += 1;
        if self.positions > self.params.max_positions {
            return Err(Over);
        }
        let mut after = position.clone();
        after.play_unchecked(m);
        Ok(after)
    }
}

fn is_mate(position: &Chess) -> bool {
    position.is_check() && position.legal_moves().is_empty()
}

fn ordered(replies: &MoveList, killer: Option<Move>) -> impl Iterator<Item = Move> + '_ {
    let first = killer.filter(|killer| replies.contains(killer));
    first.into_iter().chain(replies.iter().copied().filter(move |reply| Some(*reply) != first))
}

#[cfg(test)]
#[path = "mate_tests.rs"]
mod tests;
