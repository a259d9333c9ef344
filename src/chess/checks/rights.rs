//! Castling rights and en passant squares that the placement contradicts.

use shakmaty::{CastlingSide, Color, Piece, Role, Square};

use super::retro::{self, Known};
use super::{join, name};
use crate::chess::castling::{king_home, rook_home};
use crate::chess::en_passant::DoubleStep;
use crate::chess::{Castling, Fen, Flag, FlagCode};

pub(super) fn check_castling(fen: &Fen, flags: &mut Vec<Flag>) {
    for color in [Color::White, Color::Black] {
        let mut missing: Vec<Square> = Vec::new();
        let mut letters = String::new();
        for (_, side) in fen.castling.held().filter(|&(owner, _)| owner == color) {
            let absent = absent_men(fen, color, side);
            if !absent.is_empty() {
                letters.push(Castling::letter(color, side));
                missing.extend(absent);
            }
        }
        missing.sort_unstable();
        missing.dedup();
        if missing.is_empty() {
            continue;
        }
        let men: Vec<String> = missing
            .iter()
            .map(|&square| {
                let man = if square == king_home(color) { "king" } else { "rook" };
                format!("{} is not on {square}", possessive(color, man))
            })
            .collect();
        let message = format!("castling right {letters} is impossible: {}", join(&men));
        flags.push(Flag::new(FlagCode::CastlingImpossible, message).on(missing));
    }
    if !flags.iter().any(|flag| flag.code == FlagCode::CastlingImpossible) {
        lost_by_the_last_move(fen, flags);
    }
}

fn possessive(color: Color, man: &str) -> String {
    format!("{}'s {man}", name(color))
}

/// Home squares of king and rook that do not hold them.
fn absent_men(fen: &Fen, color: Color, side: CastlingSide) -> Vec<Square> {
    [(king_home(color), Role::King), (rook_home(color, side), Role::Rook)]
        .into_iter()
        .filter(|&(square, role)| fen.placement.get(square) != Some(Piece { color, role }))
        .map(|(square, _)| square)
        .collect()
}

/// The side that moved last has a right although only its king or rook can have moved.
fn lost_by_the_last_move(fen: &Fen, flags: &mut Vec<Flag>) {
    let mover = !fen.side_to_move;
    let held: Vec<CastlingSide> =
        fen.castling.held().filter(|&(owner, _)| owner == mover).map(|(_, side)| side).collect();
    if held.is_empty() {
        return;
    }
    let board = fen.placement.board();
    let exists = |castling| {
        let known = Known { castling, en_passant: None };
        retro::last_move_exists(&board, fen.side_to_move, &known, retro::DEPTH)
    };
    if exists(fen.castling) || !exists(Castling::NONE) {
        return;
    }
    let letters: String = held.iter().map(|&side| Castling::letter(mover, side)).collect();
    let message = format!(
        "castling right {letters} is impossible: {}'s last move can only have been with the king or that rook",
        name(mover)
    );
    let squares =
        held.iter().map(|&side| rook_home(mover, side)).chain([king_home(mover)]).collect::<Vec<_>>();
    flags.push(Flag::new(FlagCode::CastlingImpossible, message).on(squares));
}

pub(super) fn check_en_passant(fen: &Fen, flags: &mut Vec<Flag>) {
    let Some(square) = fen.en_passant else {
        return;
    };
    let mover = name(!fen.side_to_move);
    let mut flag = |reason: String, squares: Vec<Square>| {
        let message = format!("en passant square {square} is impossible: {reason}");
        flags.push(Flag::new(FlagCode::EnPassantImpossible, message).on(squares));
    };
    let Some(step) = DoubleStep::over(fen.side_to_move, square) else {
        let rank = fen.side_to_move.fold_wb(6, 3);
        let to_move = name(fen.side_to_move);
        return flag(format!("with {to_move} to move it must be on rank {rank}"), vec![square]);
    };
    let pawn = Piece { color: !fen.side_to_move, role: Role::Pawn };
    if fen.placement.get(step.to) != Some(pawn) {
        return flag(format!("{mover} has no pawn on {}", step.to), vec![square, step.to]);
    }
    let taken: Vec<Square> =
        [step.over, step.from].into_iter().filter(|&s| fen.placement.get(s).is_some()).collect();
    if !taken.is_empty() {
        let names = super::list(&taken);
        let verb = if taken.len() == 1 { "is" } else { "are" };
        return flag(format!("{names} {verb} not empty behind the pawn on {}", step.to), taken);
    }
    let board = fen.placement.board();
    let exists = |en_passant| {
        let known = Known { castling: Castling::NONE, en_passant };
        retro::last_move_exists(&board, fen.side_to_move, &known, retro::DEPTH)
    };
    if !exists(Some(square)) && exists(None) {
        let reason = format!(
            "before a double step from {} {}'s king would have been in check",
            step.from,
            name(fen.side_to_move)
        );
        flag(reason, vec![square, step.to]);
    }
}
