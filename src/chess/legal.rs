//! The most likely legal placement for 64 x 13 probabilities, exactly.
//!
//! Legal here: exactly one king a side, no pawn on ranks 1 and 8, at most eight pawns a side, and no
//! more promoted men than pawns are missing (which bounds a side to 16 men). Who moves and who is in
//! check is not part of it.
//!
//! Method: each man but the king takes either an original slot of its kind (one queen, two rooks,
//! two knights, one bishop a square colour) or one of its side's eight pawn slots, as a pawn or
//! promoted. A placement is legal exactly when its men fit into the slots, so the product of
//! probabilities is greatest where a transportation problem (64 squares to 15 columns with
//! capacities) has its optimum. It is solved by successive shortest augmenting paths over the
//! columns (Ahuja, Magnanti, Orlin: Network Flows, 1993, section 9.7), which is exact.

use serde::{Deserialize, Serialize};
use shakmaty::{Color, Piece, Rank, Role, Square};

use super::placement::squares_in_fen_order;
use super::{PieceClass, Placement};

/// Probabilities of the 13 classes ([`super::CLASSES`]) for the 64 squares, a8 first, row by row.
pub type Probabilities = [[f32; PieceClass::COUNT]; 64];

/// A probability of zero counts as this: a net's zero is rounding, and one zero must not make all placements equally impossible.
pub const PROBABILITY_FLOOR: f64 = 1e-12;

/// The likeliest placement and the likeliest legal one.
#[derive(Debug, Clone, PartialEq)]
pub struct LegalPlacement {
    /// The most likely legal placement.
    pub placement: Placement,
    /// Natural logarithm of its probability, squares taken as independent.
    pub log_probability: f64,
    /// The likeliest class of each square taken alone.
    pub raw: Placement,
    /// Natural logarithm of the raw placement's probability.
    pub raw_log_probability: f64,
    /// Squares where the two differ, in FEN's order.
    pub changed: Vec<Square>,
}

impl LegalPlacement {
    /// Probability that all 64 squares of the legal placement are right.
    pub fn confidence(&self) -> f32 {
        self.log_probability.exp() as f32
    }

    /// Probability that all 64 squares of the raw placement are right.
    pub fn raw_confidence(&self) -> f32 {
        self.raw_log_probability.exp() as f32
    }

    /// Whether the raw placement was legal already.
    pub fn raw_is_legal(&self) -> bool {
        self.changed.is_empty()
    }
}

/// How much rarer a promoted man is than the usual men, in printed positions.
///
/// Kinds are found by the slots of the method above: a second queen, a third rook or knight, a second
/// bishop of one square colour.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MaterialPrior {
    /// Odds against a second queen. Positions with one are about one in a hundred in books of games and endings.
    pub queen: f64,
    /// Odds against any other promoted man: underpromotions that stay on the board are rarer by an order of magnitude.
    pub other: f64,
}

impl Default for MaterialPrior {
    fn default() -> Self {
        MaterialPrior { queen: 100.0, other: 1000.0 }
    }
}

impl MaterialPrior {
    /// Rules only: a promoted man costs nothing.
    const NONE: MaterialPrior = MaterialPrior { queen: 1.0, other: 1.0 };

    /// The cost of a man of `role` in a pawn slot, as a negative log-probability.
    fn cost(&self, role: Role) -> f64 {
        match role {
            Role::Pawn => 0.0,
            Role::Queen => self.queen.max(1.0).ln(),
            _ => self.other.max(1.0).ln(),
        }
    }
}

/// The likeliest class of each square, and the natural logarithm of the probability that all are right.
pub fn most_likely(probabilities: &Probabilities) -> (Placement, f64) {
    let mut placement = Placement::default();
    let mut log_probability = 0.0;
    for (row, square) in probabilities.iter().zip(squares_in_fen_order()) {
        let mut best = (PieceClass::EMPTY, f64::NEG_INFINITY);
        for class in PieceClass::all() {
            let log = log_of(row[class.index()]);
            if log > best.1 {
                best = (class, log);
            }
        }
        placement.set(square, best.0.piece());
        log_probability += best.1;
    }
    (placement, log_probability)
}

/// Natural logarithm of the probability of `placement`, squares taken as independent.
pub fn log_probability_of(probabilities: &Probabilities, placement: &Placement) -> f64 {
    probabilities
        .iter()
        .zip(squares_in_fen_order())
        .map(|(row, square)| log_of(row[PieceClass::from(placement.get(square)).index()]))
        .sum()
}

/// Whether `placement` obeys the rules that this module means by legal.
pub fn is_legal_placement(placement: &Placement) -> bool {
    let edge_pawn = placement
        .men()
        .any(|(square, man)| man.role == Role::Pawn && matches!(square.rank(), Rank::First | Rank::Eighth));
    !edge_pawn
        && Color::ALL.into_iter().all(|color| {
            placement.count(color, Role::King) == 1
                && placement.count(color, Role::Pawn) + super::material::promoted_men(placement, color) <= 8
        })
}

/// The most likely legal placement. There always is one.
pub fn most_likely_legal(probabilities: &Probabilities) -> LegalPlacement {
    let (raw, raw_log_probability) = most_likely(probabilities);
    if is_legal_placement(&raw) {
        return LegalPlacement {
            placement: raw,
            log_probability: raw_log_probability,
            raw,
            raw_log_probability,
            changed: Vec::new(),
        };
    }
    let placement = Transport::solve(probabilities, &MaterialPrior::NONE);
    let changed = squares_in_fen_order().filter(|&square| placement.get(square) != raw.get(square)).collect();
    LegalPlacement {
        placement,
        log_probability: log_probability_of(probabilities, &placement),
        raw,
        raw_log_probability,
        changed,
    }
}

/// The legal placement that is most likely when promoted men are as rare as `prior` says. Where nothing
/// in the picture speaks for fewer of them it is [`most_likely_legal`]'s.
pub fn most_plausible(probabilities: &Probabilities, prior: &MaterialPrior) -> Placement {
    Transport::solve(probabilities, prior)
}

fn log_of(p: f32) -> f64 {
    // `max` also turns a NaN into the floor
    f64::from(p).max(PROBABILITY_FLOOR).ln()
}

/// Columns of the transportation problem: empty, then seven kinds of slot a side.
const COLUMNS: usize = 15;
const EMPTY: usize = 0;
const KINGS: [usize; 2] = [1, 8];
/// King, queen, rooks, knights, light bishop, dark bishop, pawns and promoted men; White's, then Black's.
const CAPACITY: [usize; COLUMNS] = [64, 1, 1, 2, 2, 1, 1, 8, 1, 1, 2, 2, 1, 1, 8];

struct Transport {
    /// Cost (negative log-probability) of each square in each column; infinite where it cannot go.
    cost: Box<[[f64; COLUMNS]; 64]>,
    /// What stands on a square that is in a side's pawn slots.
    in_pawn_slot: Box<[[PieceClass; 2]; 64]>,
    column_of: [Option<usize>; 64],
    used: [usize; COLUMNS],
}

fn class_of(color: Color, role: Role) -> PieceClass {
    PieceClass::from(Some(Piece { color, role }))
}

impl Transport {
    fn solve(probabilities: &Probabilities, prior: &MaterialPrior) -> Placement {
        let mut flow = Transport::new(probabilities, prior);
        flow.assign_all();
        flow.bring_in_kings();
        flow.placement()
    }

    fn new(probabilities: &Probabilities, prior: &MaterialPrior) -> Transport {
        let mut cost = Box::new([[f64::INFINITY; COLUMNS]; 64]);
        let mut in_pawn_slot = Box::new([[PieceClass::EMPTY; 2]; 64]);
        for (index, square) in squares_in_fen_order().enumerate() {
            let of = |class: PieceClass| -log_of(probabilities[index][class.index()]);
            cost[index][EMPTY] = of(PieceClass::EMPTY);
            for (side, color) in [Color::White, Color::Black].into_iter().enumerate() {
                let slots = &mut cost[index][KINGS[side]..KINGS[side] + 7];
                slots[0] = of(class_of(color, Role::King));
                slots[1] = of(class_of(color, Role::Queen));
                slots[2] = of(class_of(color, Role::Rook));
                slots[3] = of(class_of(color, Role::Knight));
                slots[if square.is_light() { 4 } else { 5 }] = of(class_of(color, Role::Bishop));
                let edge = matches!(square.rank(), Rank::First | Rank::Eighth);
                for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                    let class = class_of(color, role);
                    let price = of(class) + prior.cost(role);
                    if !(role == Role::Pawn && edge) && price < slots[6] {
                        slots[6] = price;
                        in_pawn_slot[index][side] = class;
                    }
                }
            }
        }
        Transport { cost, in_pawn_slot, column_of: [None; 64], used: [0; COLUMNS] }
    }

    /// Puts each square into a column, at least total cost.
    fn assign_all(&mut self) {
        for index in 0..64 {
            let cheapest = (0..COLUMNS)
                .min_by(|&a, &b| self.cost[index][a].total_cmp(&self.cost[index][b]))
                .unwrap_or(EMPTY);
            if self.used[cheapest] < CAPACITY[cheapest] {
                // An optimal assignment has no improving path from a column to a free slot, so no
                // detour is cheaper than the cheapest column itself.
                self.put(index, cheapest);
                continue;
            }
            let paths = self.shortest_paths(|column| self.cost[index][column]);
            let end = (0..COLUMNS)
                .filter(|&column| self.used[column] < CAPACITY[column])
                .min_by(|&a, &b| paths.distance[a].total_cmp(&paths.distance[b]))
                .unwrap_or(EMPTY);
            let first = self.shift_along(&paths, end);
            self.put(index, first);
        }
    }

    /// Brings one square into each king column that is still empty, at least additional cost.
    fn bring_in_kings(&mut self) {
        for king in KINGS {
            if self.used[king] == 1 {
                continue;
            }
            // Any column may give up a square, except the other king's.
            let paths =
                self.shortest_paths(|column| if KINGS.contains(&column) { f64::INFINITY } else { 0.0 });
            self.shift_along(&paths, king);
        }
    }

    fn put(&mut self, index: usize, column: usize) {
        self.column_of[index] = Some(column);
        self.used[column] += 1;
    }

    /// Bellman-Ford over the columns: an edge from `a` to `b` moves the square of `a` for which that is cheapest.
    #[allow(clippy::needless_range_loop, reason = "columns index several tables at once")]
    fn shortest_paths(&self, start: impl Fn(usize) -> f64) -> Paths {
        let mut edge = [[(f64::INFINITY, usize::MAX); COLUMNS]; COLUMNS];
        for index in 0..64 {
            let Some(from) = self.column_of[index] else {
                continue;
            };
            for to in 0..COLUMNS {
                let more = self.cost[index][to] - self.cost[index][from];
                if to != from && more < edge[from][to].0 {
                    edge[from][to] = (more, index);
                }
            }
        }
        let mut paths = Paths { distance: std::array::from_fn(start), before: [None; COLUMNS] };
        for _ in 0..COLUMNS {
            let mut improved = false;
            for from in 0..COLUMNS {
                for to in 0..COLUMNS {
                    let distance = paths.distance[from] + edge[from][to].0;
                    // the margin keeps rounding from turning a cycle of cost zero into an endless gain
                    if distance < paths.distance[to] - 1e-9 {
                        paths.distance[to] = distance;
                        paths.before[to] = Some((from, edge[from][to].1));
                        improved = true;
                    }
                }
            }
            if !improved {
                break;
            }
        }
        paths
    }

    /// Moves one square along each edge of the path to `end`; gives the column where the path begins.
    fn shift_along(&mut self, paths: &Paths, end: usize) -> usize {
        let mut column = end;
        // a shortest path visits each column once
        for _ in 0..COLUMNS {
            let Some((from, index)) = paths.before[column] else {
                break;
            };
            self.column_of[index] = Some(column);
            self.used[column] += 1;
            self.used[from] -= 1;
            column = from;
        }
        column
    }

    fn placement(&self) -> Placement {
        let mut out = Placement::default();
        for (index, square) in squares_in_fen_order().enumerate() {
            let Some(column) = self.column_of[index].filter(|&column| column != EMPTY) else {
                continue;
            };
            let side = (column - 1) / 7;
            let color = [Color::White, Color::Black][side];
            let class = match (column - 1) % 7 {
                0 => class_of(color, Role::King),
                1 => class_of(color, Role::Queen),
                2 => class_of(color, Role::Rook),
                3 => class_of(color, Role::Knight),
                4 | 5 => class_of(color, Role::Bishop),
                _ => self.in_pawn_slot[index][side],
            };
            out.set(square, class.piece());
        }
        out
    }
}

struct Paths {
    distance: [f64; COLUMNS],
    /// The column before this one on the shortest path, and the square that moves between them.
    before: [Option<(usize, usize)>; COLUMNS],
}

#[cfg(test)]
#[path = "legal_tests.rs"]
mod tests;
