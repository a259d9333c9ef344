//! Which of the boards that a line may belong to it belongs to: geometry first, then sense.
//!
//! A book prints the same thing at the same place: its numbers above or below its boards, its phrases
//! likewise. Lines that only one board can claim, or that are far nearer to one, show the habit; lines
//! between two boards follow it. A board that would get two phrases gives one to a neighbour that has none.

use super::layout::Claim;
use super::strip::Place;

/// What a line says, as far as its place matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    Number,
    /// Who moves.
    Side,
    /// Players, place, year.
    Names,
    /// A mark told by its shape.
    Mark,
    Other,
}

impl Role {
    const ALL: [Role; 5] = [Role::Number, Role::Side, Role::Names, Role::Mark, Role::Other];
}

/// A line to be assigned.
#[derive(Debug, Clone, PartialEq)]
pub struct Contested {
    /// The nearest first.
    pub claims: Vec<Claim>,
    pub role: Role,
}

/// Where a line was put.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assigned {
    pub claim: Claim,
    /// `false`: another board might claim it with as much right.
    pub sure: bool,
}

/// Beyond so many times the distance (and a bit of a square) a second board has no say.
const FAR: f32 = 2.0;
const FAR_SQUARES: f32 = 0.3;
/// Distances that differ by less than this share (and this bit of a square) tell nothing.
const ALIKE: f32 = 1.3;
const ALIKE_SQUARES: f32 = 0.1;

/// Assigns each line to one of its claims. Lines without a claim are not allowed.
pub fn assign(lines: &[Contested]) -> Vec<Assigned> {
    let habits = Role::ALL.map(|role| (role, habit(lines, role)));
    let mut out: Vec<Assigned> = lines
        .iter()
        .map(|line| {
            let nearest = line.claims[0];
            let habit = habits.iter().find(|(role, _)| *role == line.role).and_then(|(_, habit)| *habit);
            if certain(line) {
                return Assigned { claim: nearest, sure: true };
            }
            let fitting = habit.and_then(|place| line.claims.iter().find(|claim| claim.place == place));
            match fitting {
                Some(&claim) => Assigned { claim, sure: true },
                None => Assigned { claim: nearest, sure: !alike(line) },
            }
        })
        .collect();
    give_to_those_without(lines, &mut out, habits.iter().find(|h| h.0 == Role::Side).and_then(|h| h.1));
    out
}

fn certain(line: &Contested) -> bool {
    match line.claims[..] {
        [_] => true,
        [first, second, ..] => second.gap > FAR * first.gap + FAR_SQUARES,
        [] => false,
    }
}

fn alike(line: &Contested) -> bool {
    matches!(line.claims[..], [first, second, ..] if second.gap < ALIKE * first.gap + ALIKE_SQUARES)
}

/// Where the certain lines of a role stand, when they stand at one place almost always.
fn habit(lines: &[Contested], role: Role) -> Option<Place> {
    let mut counts = Place::ALL.map(|place| {
        let here = |l: &&Contested| l.role == role && certain(l) && l.claims[0].place == place;
        (lines.iter().filter(here).count(), place)
    });
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let others: usize = counts[1..].iter().map(|(count, _)| count).sum();
    (counts[0].0 > 3 * others).then_some(counts[0].1)
}

/// A board with a phrase above and another below, beside one with none that could claim one of them.
fn give_to_those_without(lines: &[Contested], out: &mut [Assigned], habit: Option<Place>) {
    let sides: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].role == Role::Side).collect();
    for &i in &sides {
        let Assigned { claim, .. } = out[i];
        let other = sides
            .iter()
            .any(|&j| j != i && out[j].claim.board == claim.board && out[j].claim.place != claim.place);
        if !other || habit == Some(claim.place) {
            continue;
        }
        let rival = lines[i].claims.iter().find(|rival| {
            rival.board != claim.board && sides.iter().all(|&j| out[j].claim.board != rival.board)
        });
        if let Some(&rival) = rival {
            // Against the distances: believed where the book's habit says so too.
            out[i] = Assigned { claim: rival, sure: habit == Some(rival.place) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(role: Role, claims: &[(usize, Place, f32)]) -> Contested {
        let claims = claims.iter().map(|&(board, place, gap)| Claim { board, place, gap }).collect();
        Contested { claims, role }
    }

    fn boards(out: &[Assigned]) -> Vec<(usize, bool)> {
        out.iter().map(|a| (a.claim.board, a.sure)).collect()
    }

    use Place::{Above, Below};

    #[test]
    fn a_clear_distance_decides() {
        let lines =
            [line(Role::Side, &[(0, Below, 0.4), (2, Above, 1.6)]), line(Role::Side, &[(2, Below, 0.5)])];
        assert_eq!(boards(&assign(&lines)), [(0, true), (2, true)]);
    }

    #[test]
    fn lines_between_boards_follow_the_pages_habit() {
        // Three boards in a column; the text between two stands nearer to the lower one.
        let lines = [
            line(Role::Side, &[(1, Above, 0.6), (0, Below, 0.7)]),
            line(Role::Side, &[(2, Above, 0.6), (1, Below, 0.7)]),
            line(Role::Side, &[(2, Below, 0.7)]),
        ];
        assert_eq!(boards(&assign(&lines)), [(0, true), (1, true), (2, true)]);
        // Numbers have a habit of their own.
        let mut more = lines.to_vec();
        more.push(line(Role::Number, &[(0, Above, 0.6)]));
        more.push(line(Role::Number, &[(1, Above, 0.6), (0, Below, 0.7)]));
        assert_eq!(boards(&assign(&more))[3..], [(0, true), (1, true)]);
    }

    #[test]
    fn without_a_habit_an_even_distance_is_unsure() {
        let lines = [line(Role::Side, &[(1, Above, 0.6), (0, Below, 0.65)])];
        assert_eq!(boards(&assign(&lines)), [(1, false)]);
        let lines = [line(Role::Side, &[(1, Above, 0.6), (0, Below, 0.95)])];
        assert_eq!(boards(&assign(&lines)), [(1, true)]);
    }

    #[test]
    fn a_board_with_two_phrases_gives_one_away() {
        let lines = [
            line(Role::Side, &[(2, Above, 0.5), (0, Below, 0.7)]),
            line(Role::Side, &[(2, Below, 0.5)]),
            line(Role::Side, &[(1, Above, 0.5)]),
        ];
        assert_eq!(boards(&assign(&lines))[0], (0, false));
    }
}
