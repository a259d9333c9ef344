//! Which board of a new reading is which board of the old one: by their place on the page.

use crate::board::Quad;

/// Overlap (intersection over union of the bounding boxes) from which two boards are the same. Two boards of one page never
/// overlap by more than a few per cent, and two readings of one board rarely by less than nine tenths; one half leaves room on both sides.
const SAME: f32 = 0.5;

/// A board with the size of the page it was measured on, so that readings at different resolutions compare.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub quad: Quad,
    pub width: u32,
    pub height: u32,
}

impl Place {
    /// Bounds as fractions of the page.
    fn bounds(&self) -> [f32; 4] {
        let (width, height) = (self.width.max(1) as f32, self.height.max(1) as f32);
        let (x0, y0, x1, y1) = self.quad.bounds();
        [x0 / width, y0 / height, x1 / width, y1 / height]
    }
}

fn overlap(a: [f32; 4], b: [f32; 4]) -> f32 {
    let side = |low: f32, high: f32| (high - low).max(0.0);
    let both = side(a[0].max(b[0]), a[2].min(b[2])) * side(a[1].max(b[1]), a[3].min(b[3]));
    let area = |r: [f32; 4]| side(r[0], r[2]) * side(r[1], r[3]);
    let all = area(a) + area(b) - both;
    if all > 0.0 { both / all } else { 0.0 }
}

/// For each new board the index of the old one that it is, if any. Best overlap first; none is used twice.
pub(super) fn match_boards(old: &[Place], new: &[Place]) -> Vec<Option<usize>> {
    let old: Vec<[f32; 4]> = old.iter().map(Place::bounds).collect();
    let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
    for (n, place) in new.iter().enumerate() {
        let bounds = place.bounds();
        for (o, &other) in old.iter().enumerate() {
            let score = overlap(bounds, other);
            if score >= SAME {
                pairs.push((score, n, o));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut matched = vec![None; new.len()];
    let mut used = vec![false; old.len()];
    for (_, n, o) in pairs {
        if matched[n].is_none() && !used[o] {
            matched[n] = Some(o);
            used[o] = true;
        }
    }
    matched
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(x: f32, y: f32, side: f32, scale: f32) -> Place {
        Place {
            quad: Quad::from_bounds(x * scale, y * scale, (x + side) * scale, (y + side) * scale),
            width: (1000.0 * scale) as u32,
            height: (1500.0 * scale) as u32,
        }
    }

    #[test]
    fn finds_the_same_boards_at_another_resolution_and_order() {
        let old = [
            place(100.0, 100.0, 300.0, 1.0),
            place(500.0, 100.0, 300.0, 1.0),
            place(100.0, 600.0, 300.0, 1.0),
        ];
        let new = [
            place(104.0, 598.0, 297.0, 2.0),
            place(101.0, 99.0, 302.0, 2.0),
            place(500.0, 600.0, 300.0, 2.0),
        ];
        assert_eq!(match_boards(&old, &new), [Some(2), Some(0), None]);
    }

    #[test]
    fn the_better_overlap_wins_and_none_is_used_twice() {
        let old = [place(100.0, 100.0, 300.0, 1.0)];
        let new = [place(140.0, 100.0, 300.0, 1.0), place(102.0, 100.0, 300.0, 1.0)];
        assert_eq!(match_boards(&old, &new), [None, Some(0)]);
    }

    #[test]
    fn broken_quads_match_nothing() {
        let nan = Place { quad: Quad::from_bounds(f32::NAN, 0.0, f32::NAN, 1.0), width: 0, height: 0 };
        assert_eq!(match_boards(&[nan], &[nan, place(0.0, 0.0, 1.0, 1.0)]), [None, None]);
    }
}
