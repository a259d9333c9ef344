//! Promoted men: more than possible, or merely rare.

use shakmaty::{Color, Role, Square};

use super::{join, list, name, role_name};
use crate::chess::material::{Excess, Men};
use crate::chess::{Flag, FlagCode, Placement};

pub(super) fn check_promotions(placement: &Placement, flags: &mut Vec<Flag>) {
    let sides = [Color::White, Color::Black].map(|color| (color, Men::of(placement, color)));
    let full_board = sides.iter().all(|(_, men)| men.total() >= 16);
    for (color, men) in &sides {
        let excess = men.excess(*color);
        let promoted: usize = excess.iter().map(|e| e.count).sum();
        let missing_pawns = 8usize.saturating_sub(men.pawns.len());
        let message = if promoted > missing_pawns {
            format!(
                "{} has {} and {}: {} and {}",
                name(*color),
                count(men.pawns.len(), Role::Pawn),
                kinds(&excess),
                match promoted {
                    1 => "one man must be promoted".to_owned(),
                    _ => format!("{promoted} men must be promoted"),
                },
                match missing_pawns {
                    0 => "no pawn is missing".to_owned(),
                    1 => "only one pawn is missing".to_owned(),
                    _ => format!("only {missing_pawns} pawns are missing"),
                }
            )
        } else if men.total() > 16 {
            format!("{} has {} men, 16 at most are possible", name(*color), men.total())
        } else if full_board && promoted > 0 {
            format!(
                "{} has {}, but all 32 men are on the board, and without a capture no pawn can pass another to promote",
                name(*color),
                kinds(&excess)
            )
        } else {
            continue;
        };
        flags.push(Flag::new(FlagCode::TooManyPieces, message).on(squares(&excess)));
    }
}

pub(super) fn check_unusual(placement: &Placement, flags: &mut Vec<Flag>) {
    if flags.iter().any(|flag| flag.code == FlagCode::TooManyPieces) {
        return;
    }
    for color in [Color::White, Color::Black] {
        let excess = Men::of(placement, color).excess(color);
        let promoted: usize = excess.iter().map(|e| e.count).sum();
        if promoted == 0 {
            continue;
        }
        let must = match promoted {
            1 => "one of the men must be a promoted pawn".to_owned(),
            _ => format!("{promoted} of the men must be promoted pawns"),
        };
        let message = format!("{} has {}: {must}", name(color), kinds(&excess));
        flags.push(Flag::new(FlagCode::UnusualMaterial, message).on(squares(&excess)));
    }
}

/// Kings alone, with one knight, or with bishops of one shade.
pub(super) fn is_dead(placement: &Placement) -> bool {
    let men: Vec<_> = placement.men().filter(|(_, man)| man.role != Role::King).collect();
    let two_kings = placement.men().count() == men.len() + 2;
    let one_shade =
        |light: bool| men.iter().all(|(square, man)| man.role == Role::Bishop && square.is_light() == light);
    let lone_knight = men.len() == 1 && men[0].1.role == Role::Knight;
    two_kings && (lone_knight || one_shade(true) || one_shade(false))
}

fn squares(excess: &[Excess]) -> Vec<Square> {
    excess.iter().flat_map(|e| e.squares.iter().copied()).collect()
}

/// "2 queens", "1 pawn", "no pawns".
fn count(number: usize, role: Role) -> String {
    match number {
        0 => format!("no {}", role_name(role, true)),
        _ => format!("{number} {}", role_name(role, number != 1)),
    }
}

/// "3 knights and 2 bishops on light squares".
fn kinds(excess: &[Excess]) -> String {
    let names: Vec<String> = excess
        .iter()
        .map(|e| {
            let men = count(e.squares.len(), e.role);
            match (e.role, e.caged_home) {
                (Role::Bishop, Some(home)) => format!(
                    "a bishop on {} although the pawns beside {home} never let the one from there out",
                    list(&e.squares)
                ),
                (Role::Bishop, None) => {
                    let shade = if e.squares.iter().all(|s| s.is_light()) { "light" } else { "dark" };
                    format!("{men} on {shade} squares")
                }
                _ => men,
            }
        })
        .collect();
    join(&names)
}
