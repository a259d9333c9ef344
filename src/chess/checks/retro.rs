//! Last moves: which moves can have led to a position.
//!
//! The moves found are a superset of the legal ones: each is possible as far as the rules of
//! movement, counting of men and the checks of the position before it tell. So when none is left,
//! the position is proved impossible; when some are left, nothing is claimed.

use shakmaty::{Board, CastlingSide, Color, File, Piece, Rank, Role, Square, attacks};

use crate::chess::castling::{king_home, rook_home};
use crate::chess::en_passant::{DoubleStep, in_check, only_king};
use crate::chess::material::promoted_men;
use crate::chess::{Castling, Placement};

/// A move taken back.
#[derive(Debug, Clone)]
pub(super) struct LastMove {
    /// The man that moved, as it stood before the move.
    pub man: Piece,
    pub to: Square,
    /// The double step that this move was, if it was one.
    pub double_step: Option<DoubleStep>,
    /// The position before the move.
    pub before: Board,
}

/// Calls `found` with each move that `mover` can have made last, until it answers true; says
/// whether it did. The other side's king, if it is the only one, was not in check before the move.
pub(super) fn any_last_move(board: &Board, mover: Color, mut found: impl FnMut(&LastMove) -> bool) -> bool {
    let captured = capturable(board, !mover);
    let mut test = |last: LastMove| !in_check(&last.before, !mover) && found(&last);
    board.by_color(mover).into_iter().any(|to| {
        let Some(man) = board.piece_at(to) else {
            return false;
        };
        match man.role {
            Role::Pawn => pawn_moves(board, to, mover, &captured, &mut test),
            _ => {
                piece_moves(board, to, man, &captured, &mut test)
                    || promotions(board, to, man, &captured, &mut test)
                    || castlings(board, to, man, &mut test)
            }
        }
    })
}

/// What can have been captured on a square of the middle ranks: men that the side can still have
/// had. A side that is over its limits already is not counted: that is another check's word.
fn capturable(board: &Board, color: Color) -> Vec<Role> {
    let placement = Placement::from(board);
    let fits =
        |placement: &Placement| placement.count(color, Role::Pawn) + promoted_men(placement, color) <= 8;
    let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    if !fits(&placement) {
        return roles.to_vec();
    }
    roles
        .into_iter()
        .filter(|&role| {
            // A bishop fits if it does so on either colour of square.
            [true, false].into_iter().any(|light| {
                let free = Square::ALL
                    .into_iter()
                    .find(|&square| square.is_light() == light && placement.get(square).is_none());
                free.is_some_and(|square| {
                    let mut more = placement;
                    more.set(square, Some(Piece { color, role }));
                    fits(&more)
                })
            })
        })
        .collect()
}

/// The board with the man on `to` back on `from`, and `captured` on `to`.
fn taken_back(board: &Board, from: Square, to: Square, man: Piece, captured: Option<Piece>) -> Board {
    let mut before = board.clone();
    before.discard_piece_at(to);
    if let Some(captured) = captured {
        before.set_piece_at(to, captured);
    }
    before.set_piece_at(from, man);
    before
}

fn plain(before: Board, man: Piece, to: Square) -> LastMove {
    LastMove { man, to, double_step: None, before }
}

fn captures_on(to: Square, captured: &[Role], mover: Color) -> impl Iterator<Item = Piece> + '_ {
    captured
        .iter()
        .filter(move |&&role| role != Role::Pawn || !is_edge(to))
        .map(move |&role| Piece { color: !mover, role })
}

fn is_edge(square: Square) -> bool {
    matches!(square.rank(), Rank::First | Rank::Eighth)
}

fn piece_moves(
    board: &Board,
    to: Square,
    man: Piece,
    captured: &[Role],
    test: &mut impl FnMut(LastMove) -> bool,
) -> bool {
    let origins = attacks::attacks(to, man, board.occupied()) & !board.occupied();
    origins.into_iter().any(|from| {
        test(plain(taken_back(board, from, to, man, None), man, to))
            || captures_on(to, captured, man.color)
                .any(|victim| test(plain(taken_back(board, from, to, man, Some(victim)), man, to)))
    })
}

fn promotions(
    board: &Board,
    to: Square,
    man: Piece,
    captured: &[Role],
    test: &mut impl FnMut(LastMove) -> bool,
) -> bool {
    let last_rank = man.color.fold_wb(Rank::Eighth, Rank::First);
    if man.role == Role::King || to.rank() != last_rank {
        return false;
    }
    let pawn = Piece { color: man.color, role: Role::Pawn };
    let pawns = (board.pawns() & board.by_color(man.color)).count();
    if pawns >= 8 {
        return false;
    }
    let back = man.color.fold_wb(-8, 8);
    let straight = to.offset(back).filter(|&from| board.piece_at(from).is_none());
    straight.is_some_and(|from| test(plain(taken_back(board, from, to, pawn, None), pawn, to)))
        || capture_origins(board, to, man.color).any(|from| {
            captures_on(to, captured, man.color)
                .any(|victim| test(plain(taken_back(board, from, to, pawn, Some(victim)), pawn, to)))
        })
}

/// Empty squares from which a pawn of `color` captures on `to`.
fn capture_origins(board: &Board, to: Square, color: Color) -> impl Iterator<Item = Square> {
    (attacks::pawn_attacks(!color, to) & !board.occupied()).into_iter()
}

fn pawn_moves(
    board: &Board,
    to: Square,
    color: Color,
    captured: &[Role],
    test: &mut impl FnMut(LastMove) -> bool,
) -> bool {
    let man = Piece { color, role: Role::Pawn };
    let back = color.fold_wb(-8, 8);
    let empty = |square: Square| board.piece_at(square).is_none();
    let Some(behind) = to.offset(back) else {
        return false;
    };
    // a single step
    if empty(behind) && !is_edge(behind) && test(plain(taken_back(board, behind, to, man, None), man, to)) {
        return true;
    }
    // a double step
    let double_step =
        DoubleStep::over(!color, behind).filter(|step| step.to == to && empty(behind) && empty(step.from));
    if let Some(step) = double_step {
        let before = taken_back(board, step.from, to, man, None);
        if test(LastMove { man, to, double_step, before }) {
            return true;
        }
    }
    capture_origins(board, to, color).filter(|&from| !is_edge(from)).any(|from| {
        captures_on(to, captured, color)
            .any(|victim| test(plain(taken_back(board, from, to, man, Some(victim)), man, to)))
            || en_passant_back(board, from, to, color, captured)
                .is_some_and(|before| test(plain(before, man, to)))
    })
}

/// The board before an en passant capture from `from` to `to`, if it can have been one.
fn en_passant_back(
    board: &Board,
    from: Square,
    to: Square,
    color: Color,
    captured: &[Role],
) -> Option<Board> {
    let step = DoubleStep::over(color, to)?;
    let free = board.piece_at(step.from).is_none() && board.piece_at(step.to).is_none();
    if !free || !captured.contains(&Role::Pawn) {
        return None;
    }
    let mut before = taken_back(board, from, to, Piece { color, role: Role::Pawn }, None);
    before.set_piece_at(step.to, Piece { color: !color, role: Role::Pawn });
    // Before the capture the other side's pawn made its double step; the mover was not to be in
    // check before that, or it would have been taken rather than answered.
    let mut earlier = before.clone();
    earlier.discard_piece_at(step.to);
    earlier.set_piece_at(step.from, Piece { color: !color, role: Role::Pawn });
    (!in_check(&earlier, color)).then_some(before)
}

fn castlings(board: &Board, to: Square, man: Piece, test: &mut impl FnMut(LastMove) -> bool) -> bool {
    if man.role != Role::King {
        return false;
    }
    let color = man.color;
    let rook = Piece { color, role: Role::Rook };
    [CastlingSide::KingSide, CastlingSide::QueenSide].into_iter().any(|side| {
        let stands = to == side.king_to(color) && board.piece_at(side.rook_to(color)) == Some(rook);
        if !stands {
            return false;
        }
        let (king_from, rook_from) = (king_home(color), rook_home(color, side));
        let mut before = board.clone();
        before.discard_piece_at(to);
        before.discard_piece_at(side.rook_to(color));
        let path = attacks::between(king_from, rook_from).with(king_from).with(rook_from);
        if (path & before.occupied()).any() {
            return false;
        }
        before.set_piece_at(king_from, man);
        before.set_piece_at(rook_from, rook);
        // The king castles neither out of check nor through one.
        let crossed =
            Square::from_coords(if side.is_king_side() { File::F } else { File::D }, king_from.rank());
        let attacked = |square: Square| before.attacks_to(square, !color, before.occupied()).any();
        !attacked(king_from)
            && !attacked(crossed)
            && test(LastMove { man, to, double_step: None, before: before.clone() })
    })
}

/// Moves taken back behind the last one, where that one answered a check: enough for every case known,
/// and each more costs a factor of some hundred on impossible positions.
pub(super) const DEPTH: u32 = 1;

/// What the other FEN fields say about the last move.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    /// Rights that the mover still has: neither its king nor these rooks have moved.
    pub castling: Castling,
    /// The last move was a double step over this square.
    pub en_passant: Option<Square>,
}

impl Known {
    fn allows(&self, last: &LastMove) -> bool {
        if self.en_passant.is_some() {
            return last.double_step.map(|step| step.over) == self.en_passant;
        }
        let color = last.man.color;
        self.castling.held().filter(|&(owner, _)| owner == color).all(|(_, side)| {
            // A promoted rook on the corner cannot hold the right either.
            last.man.role != Role::King && last.to != rook_home(color, side)
        })
    }
}

/// Whether one move can have led to `board`, where `to_move` is to move now; a check that stands on
/// the board must be that move's work. `depth` further moves are taken back where the mover was in
/// check itself.
pub(super) fn last_move_exists(board: &Board, to_move: Color, known: &Known, depth: u32) -> bool {
    any_last_move(board, !to_move, |last| {
        if !known.allows(last) {
            return false;
        }
        // The mover may have answered a check; that check must have been possible too.
        depth == 0
            || !in_check(&last.before, !to_move)
            || last_move_exists(&last.before, !to_move, &Known::default(), depth - 1)
    })
}

/// Squares of the men that check the only king of `color`.
pub(super) fn checkers(board: &Board, color: Color) -> Vec<Square> {
    only_king(board, color)
        .map(|king| board.attacks_to(king, !color, board.occupied()).into_iter().collect())
        .unwrap_or_default()
}
