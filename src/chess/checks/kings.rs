//! Exactly one king a side.

use shakmaty::{Color, Role};

use super::{list, name};
use crate::chess::{Flag, FlagCode, Placement};

pub(super) fn check(placement: &Placement, flags: &mut Vec<Flag>) {
    for color in [Color::White, Color::Black] {
        if placement.count(color, Role::King) == 0 {
            flags.push(Flag::new(FlagCode::MissingKing, format!("{} has no king", name(color))));
        }
    }
    for color in [Color::White, Color::Black] {
        let kings = placement.squares_of(color, Role::King);
        if kings.len() > 1 {
            let message = format!("{} has {} kings: {}", name(color), kings.len(), list(&kings));
            flags.push(Flag::new(FlagCode::ExtraKing, message).on(kings));
        }
    }
}
