//! Pawns that can only stand so after more captures than men are missing.
//!
//! Each pawn came from some file of its own second rank, no two from the same one; each file to the
//! side cost it a capture and a rank. The least sum of captures over all ways to share the files out is
//! a bound that every game obeys. One misread pawn often breaks it: this is the check that finds pawns
//! read where there are none.

use shakmaty::{Color, Rank, Role, Square};

use super::{list, name};
use crate::chess::{Flag, FlagCode, Placement};

pub(super) fn check(placement: &Placement, flags: &mut Vec<Flag>) {
    for color in [Color::White, Color::Black] {
        let pawns: Vec<Square> = placement
            .squares_of(color, Role::Pawn)
            .into_iter()
            .filter(|pawn| !matches!(pawn.rank(), Rank::First | Rank::Eighth))
            .collect();
        if pawns.len() > 8 {
            // said already
            continue;
        }
        let enemies = placement.men().filter(|(_, man)| man.color != color).count();
        let missing = 16usize.saturating_sub(enemies);
        let fits = |pawns: &[Square]| least_captures(pawns, color).is_some_and(|least| least <= missing);
        if fits(&pawns) {
            continue;
        }
        // the pawns of which each alone would explain it; all when no single one does
        let suspects: Vec<Square> = pawns
            .iter()
            .copied()
            .filter(|suspect| {
                let others: Vec<Square> = pawns.iter().copied().filter(|pawn| pawn != suspect).collect();
                fits(&others)
            })
            .collect();
        let suspects = if suspects.is_empty() { pawns.clone() } else { suspects };
        let message = match least_captures(&pawns, color) {
            None => {
                format!("{}'s pawns can never have come to stand so, see {}", name(color), list(&suspects))
            }
            Some(least) => format!(
                "{}'s pawns stand so only after {least} captures or more, but {}",
                name(color),
                match missing {
                    0 => format!("{} has lost no man", name(!color)),
                    1 => format!("{} has lost only one man", name(!color)),
                    _ => format!("{} has lost only {missing} men", name(!color)),
                }
            ),
        };
        flags.push(Flag::new(FlagCode::ImpossiblePawns, message).on(suspects));
    }
}

/// The fewest captures after which pawns of `color` can stand on these squares; `None` when they never can.
/// Dynamic programming over the sets of files taken.
fn least_captures(pawns: &[Square], color: Color) -> Option<usize> {
    const FILE_SETS: usize = 1 << 8;
    let mut least: Vec<Option<usize>> = vec![None; FILE_SETS];
    least[0] = Some(0);
    for pawn in pawns {
        let file = pawn.file().to_usize();
        let rank = pawn.rank().to_usize();
        let steps = color.fold_wb(rank, 7 - rank).checked_sub(1)?;
        let mut next: Vec<Option<usize>> = vec![None; FILE_SETS];
        for (taken, sum) in least.iter().enumerate() {
            let Some(sum) = sum else {
                continue;
            };
            for origin in (0..8).filter(|origin| taken >> origin & 1 == 0) {
                let captures = file.abs_diff(origin);
                if captures <= steps {
                    let place = &mut next[taken | 1 << origin];
                    *place = Some(place.map_or(sum + captures, |old| old.min(sum + captures)));
                }
            }
        }
        least = next;
    }
    least.into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least(placement: &str, color: Color) -> Option<usize> {
        let placement: Placement = placement.parse().unwrap();
        least_captures(&placement.squares_of(color, Role::Pawn), color)
    }

    #[test]
    fn counts_the_fewest_captures() {
        let cases = [
            ("8/pppppppp/8/8/8/8/PPPPPPPP/8", Some(0)),
            ("8/8/8/8/8/P7/1PPPPPPP/8", Some(0)),
            // doubled on the a-file with seven at home: the eighth came over from b
            ("8/8/8/8/8/P7/P1PPPPPP/8", Some(1)),
            // the b-pawn is still there: nobody can have reached a3
            ("8/8/8/8/8/P7/PP6/8", None),
            ("8/8/8/8/P7/P7/P7/8", Some(3)),
            ("8/8/8/P7/P7/P7/P7/8", Some(6)),
            ("8/8/8/8/8/8/8/8", Some(0)),
        ];
        for (placement, expected) in cases {
            assert_eq!(least(placement, Color::White), expected, "{placement}");
            // the same for Black, seen from the other side
            let turned: Placement = placement.parse::<Placement>().unwrap().turned().colours_swapped();
            assert_eq!(
                least_captures(&turned.squares_of(Color::Black, Role::Pawn), Color::Black),
                expected,
                "{turned}"
            );
        }
    }
}
