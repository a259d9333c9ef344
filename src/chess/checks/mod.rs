//! Position checks: everything that can be said against a FEN without its picture.
//!
//! Nothing legal is called impossible: where a check reasons about the past (last moves, promotions),
//! it flags only what it can prove.

mod attack;
mod kings;
mod men;
mod pawn_structure;
mod pawns;
mod retro;
mod rights;
mod turned;

use shakmaty::{Color, Role, Square};

use super::{Fen, Flag, FlagCode, Placement, Severity};

/// All that is wrong or remarkable about a position, in the order of the flags' documentation.
pub fn check_position(fen: &Fen) -> Vec<Flag> {
    let mut flags = Vec::new();
    kings::check(&fen.placement, &mut flags);
    pawns::check_edge_ranks(&fen.placement, &mut flags);
    attack::check(fen, &mut flags);
    pawns::check_count(&fen.placement, &mut flags);
    men::check_promotions(&fen.placement, &mut flags);
    pawn_structure::check(&fen.placement, &mut flags);
    rights::check_castling(fen, &mut flags);
    rights::check_en_passant(fen, &mut flags);
    turned::check(&fen.placement, &mut flags);
    men::check_unusual(&fen.placement, &mut flags);
    flags
}

/// The checks of a placement alone, for when nothing is known of the other fields: all but
/// those about the side to move and its rights.
pub fn check_placement(placement: &Placement) -> Vec<Flag> {
    let mut flags = Vec::new();
    kings::check(placement, &mut flags);
    pawns::check_edge_ranks(placement, &mut flags);
    attack::check_both_sides(placement, &mut flags);
    pawns::check_count(placement, &mut flags);
    men::check_promotions(placement, &mut flags);
    pawn_structure::check(placement, &mut flags);
    turned::check(placement, &mut flags);
    men::check_unusual(placement, &mut flags);
    flags
}

/// A doubt about a placement read from a picture: with these men neither side could ever mate, whatever is played. Legal, and yet nobody
/// prints it but by mistake, so a man was probably not seen.
pub fn check_dead(placement: &Placement) -> Option<Flag> {
    men::is_dead(placement).then(|| {
        let message = "with these men neither side can ever mate: one was probably not seen";
        Flag::new(FlagCode::UnusualMaterial, message).with_severity(Severity::Doubt)
    })
}

/// "White" or "Black".
fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// "rook", "rooks" and so on.
fn role_name(role: Role, many: bool) -> &'static str {
    match (role, many) {
        (Role::Pawn, false) => "pawn",
        (Role::Pawn, true) => "pawns",
        (Role::Knight, false) => "knight",
        (Role::Knight, true) => "knights",
        (Role::Bishop, false) => "bishop",
        (Role::Bishop, true) => "bishops",
        (Role::Rook, false) => "rook",
        (Role::Rook, true) => "rooks",
        (Role::Queen, false) => "queen",
        (Role::Queen, true) => "queens",
        (Role::King, false) => "king",
        (Role::King, true) => "kings",
    }
}

/// "a1", "a1 and b2", "a1, b2 and c3".
fn list(squares: &[Square]) -> String {
    let names: Vec<String> = squares.iter().map(Square::to_string).collect();
    join(&names)
}

fn join(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod retro_tests;
