//! Checks to kings: the side not to move in check, and checks that no last move can have given.

use shakmaty::{Board, Color, Role, Square};

use super::retro::{self, Known};
use super::{join, name, role_name};
use crate::chess::en_passant::only_king;
use crate::chess::{Fen, Flag, FlagCode, Placement};

pub(super) fn check(fen: &Fen, flags: &mut Vec<Flag>) {
    let board = fen.placement.board();
    if kings_touch(&board, flags) {
        return;
    }
    let (mover, other) = (fen.side_to_move, !fen.side_to_move);
    let against_other = retro::checkers(&board, other);
    let against_mover = retro::checkers(&board, mover);
    if !against_other.is_empty() {
        let cure = if against_mover.is_empty() {
            format!("possible only if {} is to move", name(other))
        } else {
            "both kings are in check, so neither side can be to move".to_owned()
        };
        let message = format!(
            "{} is to move, but {}'s king is in check from {}: {cure}",
            name(mover),
            name(other),
            men(&board, &against_other)
        );
        let king = only_king(&board, other);
        flags.push(Flag::new(FlagCode::OpponentInCheck, message).on(king.into_iter().chain(against_other)));
    }
    if !against_mover.is_empty() {
        impossible_check(&board, mover, &against_mover, flags);
    }
}

/// The same without a side to move: both kings in check, and checks that are impossible whoever moves.
pub(super) fn check_both_sides(placement: &Placement, flags: &mut Vec<Flag>) {
    let board = placement.board();
    if kings_touch(&board, flags) {
        return;
    }
    let [white, black] = [Color::White, Color::Black].map(|color| retro::checkers(&board, color));
    if !white.is_empty() && !black.is_empty() {
        let message = format!(
            "both kings are in check (White's from {}, Black's from {}), so neither side can be to move",
            men(&board, &white),
            men(&board, &black)
        );
        let kings = [Color::White, Color::Black].into_iter().filter_map(|color| only_king(&board, color));
        flags.push(Flag::new(FlagCode::OpponentInCheck, message).on(kings.chain(white).chain(black)));
        return;
    }
    for (color, checkers) in [(Color::White, white), (Color::Black, black)] {
        if !checkers.is_empty() {
            impossible_check(&board, color, &checkers, flags);
        }
    }
}

/// Kings side by side: each is in check whoever moves.
fn kings_touch(board: &Board, flags: &mut Vec<Flag>) -> bool {
    let kings = [Color::White, Color::Black].map(|color| only_king(board, color));
    let [Some(white), Some(black)] = kings else {
        return false;
    };
    if white.distance(black) > 1 {
        return false;
    }
    let message = format!("the kings on {white} and {black} stand next to each other");
    flags.push(Flag::new(FlagCode::OpponentInCheck, message).on([white, black]));
    true
}

fn impossible_check(board: &Board, checked: Color, checkers: &[Square], flags: &mut Vec<Flag>) {
    if retro::last_move_exists(board, checked, &Known::default(), retro::DEPTH) {
        return;
    }
    let message = format!(
        "{}'s king is in check from {}, and no last move can have led to that",
        name(checked),
        men(board, checkers)
    );
    let king = only_king(board, checked);
    flags.push(
        Flag::new(FlagCode::ImpossibleCheck, message).on(king.into_iter().chain(checkers.iter().copied())),
    );
}

/// "the rook on e1 and the knight on f6".
fn men(board: &Board, squares: &[Square]) -> String {
    let names: Vec<String> = squares
        .iter()
        .map(|&square| {
            let role = board.role_at(square).unwrap_or(Role::Pawn);
            format!("the {} on {square}", role_name(role, false))
        })
        .collect();
    join(&names)
}
