//! The letters a to h and the digits 1 to 8 along a board's edges, which are no captions.

use super::ink::Blob;
use super::layout::Bounds;
use super::lines::InkLine;
use super::strip::{Place, Strip};

/// Drops the letters a to h or the digits 1 to 8 along the board's edge: pieces that stand at the middle
/// of at least five of its files or ranks, within one square of the edge.
pub fn drop_coordinates(ink: &mut Vec<Blob>, strip: &Strip, own: Bounds, place: Place, square: f32) {
    let along = matches!(place, Place::Above | Place::Below);
    // The eighth that a small piece stands in the middle of, and its distance from the board.
    let seat = |b: &Blob| -> Option<(usize, f32)> {
        let (x, y) = b.center();
        let (u, v) = (strip.u0 + x, strip.v0 + y);
        let (position, gap) = match place {
            Place::Above => (u - own.0, own.1 - v),
            Place::Below => (u - own.0, v - own.3),
            Place::Left => (v - own.1, own.0 - u),
            Place::Right => (v - own.1, u - own.2),
        };
        let side = if along { own.2 - own.0 } else { own.3 - own.1 };
        let eighth = position / side * 8.0;
        let nearest = eighth.floor();
        let small = b.width() as f32 <= 0.6 * square && b.height() as f32 <= 0.7 * square;
        let solid = b.height() as f32 >= 0.08 * square;
        let seated = (eighth - nearest - 0.5).abs() < 0.2 && (0.0..8.0).contains(&nearest);
        (small && solid && seated && gap < 1.1 * square).then_some((nearest as usize, gap))
    };
    // Grain of the paper is lower than letters: less than half of the sixth tallest piece.
    let mut heights: Vec<u32> = ink.iter().filter(|b| seat(b).is_some()).map(Blob::height).collect();
    heights.sort_unstable_by_key(|height| std::cmp::Reverse(*height));
    let least = heights.get(5).map_or(0.0, |&height| 0.5 * height as f32);
    let seat = |b: &Blob| seat(b).filter(|_| b.height() as f32 >= least);
    let gaps: Vec<(usize, f32)> = ink.iter().filter_map(seat).collect();
    // All stand in one row: the distance shared by most of them.
    let row = gaps.iter().map(|&(_, gap)| {
        let mut seats = [0usize; 8];
        for &(seat, other) in &gaps {
            if (other - gap).abs() < 0.15 * square {
                seats[seat] += 1;
            }
        }
        let taken = seats.iter().filter(|&&n| n > 0).count();
        let single = seats.iter().all(|&n| n <= 2);
        (if single { taken } else { 0 }, gap)
    });
    let Some((taken, gap)) = row.max_by_key(|&(taken, _)| taken) else { return };
    // In a row of coordinates hardly anything stands between the seats; in a line of text most letters do.
    let in_row = |b: &Blob| {
        let (x, y) = b.center();
        let distance = match place {
            Place::Above => own.1 - (strip.v0 + y),
            Place::Below => strip.v0 + y - own.3,
            Place::Left => own.0 - (strip.u0 + x),
            Place::Right => strip.u0 + x - own.2,
        };
        let position = if along { strip.u0 + x - own.0 } else { strip.v0 + y - own.1 };
        let beside = position > 0.0 && position < if along { own.2 - own.0 } else { own.3 - own.1 };
        beside && b.height() as f32 >= (0.08 * square).max(least) && (distance - gap).abs() < 0.2 * square
    };
    // Pieces of a worn figure lie in its seat too, however low.
    let of_worn = |b: &Blob| {
        let (x, y) = b.center();
        let (u, v) = (strip.u0 + x, strip.v0 + y);
        let (position, side, distance) = match place {
            Place::Above => (u - own.0, own.2 - own.0, own.1 - v),
            Place::Below => (u - own.0, own.2 - own.0, v - own.3),
            Place::Left => (v - own.1, own.3 - own.1, own.0 - u),
            Place::Right => (v - own.1, own.3 - own.1, u - own.2),
        };
        let eighth = position / side * 8.0;
        let seated = (eighth - eighth.floor() - 0.5).abs() < 0.2 && (0.0..8.0).contains(&eighth);
        let low = (b.height().max(b.width()) as f32) < least.max(1.0);
        low && seated && (distance - gap).abs() < 0.2 * square
    };
    if taken >= 5 && ink.iter().filter(|b| in_row(b)).count() <= taken + 3 {
        ink.retain(|b| !(in_row(b) && seat(b).is_some() || of_worn(b)));
    }
}

/// Drops three or more lone pieces in one row close by the board: coordinates that do not stand in the middle of the
/// files and ranks, as in photographs taken at an angle. Letters of a word stand nearer to each other than to be lone.
pub fn drop_lone_rows(candidates: &mut Vec<(f32, &InkLine)>, square: f32) {
    let lone = |(gap, line): &(f32, &InkLine)| {
        line.blobs.len() == 1 && (line.bounds.width() as f32) < 0.6 * square && *gap < square
    };
    let gaps: Vec<f32> = candidates.iter().filter(|c| lone(c)).map(|c| c.0).collect();
    candidates
        .retain(|c| !lone(c) || gaps.iter().filter(|gap| (**gap - c.0).abs() < 0.25 * square).count() < 3);
}

/// Letters that stand in the middle of files or ranks, `least` or more of them in one row by the board:
/// coordinates of which the others were lost.
pub fn drop_stray_coordinates(
    candidates: &mut Vec<(f32, &InkLine)>,
    strip: &Strip,
    own: Bounds,
    place: Place,
    square: f32,
    least: usize,
) {
    // The files or ranks in whose middle the pieces of a line stand, when all of them do, each in its own.
    let seats = |(gap, line): &(f32, &InkLine)| -> usize {
        let tall = line.blobs.iter().map(Blob::height).max().unwrap_or(0);
        let letters = line.blobs.iter().filter(|b| 2 * b.height() >= tall);
        let mut taken = 0u8;
        for b in letters {
            let (x, y) = b.center();
            let (position, side) = match place {
                Place::Above | Place::Below => (strip.u0 + x - own.0, own.2 - own.0),
                Place::Left | Place::Right => (strip.v0 + y - own.1, own.3 - own.1),
            };
            let eighth = position / side * 8.0;
            let middle = (eighth - eighth.floor() - 0.5).abs() < 0.25 && (0.0..8.0).contains(&eighth);
            let small = (b.width() as f32) < 0.6 * square;
            let bit = if middle && small { 1u8 << eighth as u32 } else { return 0 };
            if taken & bit != 0 {
                return 0;
            }
            taken |= bit;
        }
        if *gap < square { taken.count_ones() as usize } else { 0 }
    };
    let rows: Vec<(f32, usize)> = candidates.iter().map(|c| (c.0, seats(c))).collect();
    candidates.retain(|c| {
        let own = seats(c);
        let row: usize = rows.iter().filter(|(gap, _)| (gap - c.0).abs() < 0.25 * square).map(|r| r.1).sum();
        own == 0 || row < least
    });
}
