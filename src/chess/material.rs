//! Counting men: what must have been promoted.

use shakmaty::{Color, File, Rank, Role, Square};

use super::Placement;

/// Men of one kind of which some must be promoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excess {
    pub role: Role,
    /// All men of that kind (for bishops: of that colour of square) that can be the promoted ones.
    pub squares: Vec<Square>,
    /// How many of them must be promoted.
    pub count: usize,
    /// For bishops: the home square that the original one never left, since its pawns have not moved.
    pub caged_home: Option<Square>,
}

/// The men of one side by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Men {
    pub kings: Vec<Square>,
    pub queens: Vec<Square>,
    pub rooks: Vec<Square>,
    pub light_bishops: Vec<Square>,
    pub dark_bishops: Vec<Square>,
    pub knights: Vec<Square>,
    pub pawns: Vec<Square>,
}

impl Men {
    /// The men of `color`.
    pub fn of(placement: &Placement, color: Color) -> Men {
        let mut men = Men::default();
        for (square, man) in placement.men().filter(|(_, man)| man.color == color) {
            match man.role {
                Role::King => men.kings.push(square),
                Role::Queen => men.queens.push(square),
                Role::Rook => men.rooks.push(square),
                Role::Bishop if square.is_light() => men.light_bishops.push(square),
                Role::Bishop => men.dark_bishops.push(square),
                Role::Knight => men.knights.push(square),
                Role::Pawn => men.pawns.push(square),
            }
        }
        men
    }

    /// All men together.
    pub fn total(&self) -> usize {
        self.kings.len() + self.pieces() + self.pawns.len()
    }

    fn pieces(&self) -> usize {
        self.queens.len()
            + self.rooks.len()
            + self.light_bishops.len()
            + self.dark_bishops.len()
            + self.knights.len()
    }

    /// How many of the men must be promoted pawns, counting no more than what a side begins with.
    pub fn promoted(&self) -> usize {
        self.queens.len().saturating_sub(1)
            + self.rooks.len().saturating_sub(2)
            + self.light_bishops.len().saturating_sub(1)
            + self.dark_bishops.len().saturating_sub(1)
            + self.knights.len().saturating_sub(2)
    }

    /// The kinds of which some must be promoted. Exact for bishops: one that its own unmoved pawns
    /// lock in at home (b2 and d2 for c1) is not the one that stands elsewhere.
    pub fn excess(&self, color: Color) -> Vec<Excess> {
        let mut out = Vec::new();
        let mut add = |role, squares: &[Square], original: usize, caged_home| {
            if squares.len() > original {
                let count = squares.len() - original;
                out.push(Excess { role, squares: squares.to_vec(), count, caged_home });
            }
        };
        add(Role::Queen, &self.queens, 1, None);
        add(Role::Rook, &self.rooks, 2, None);
        for bishops in [&self.light_bishops, &self.dark_bishops] {
            let home = self.bishop_home(color, bishops);
            if home.is_some_and(|home| self.is_caged(color, home)) {
                let outside: Vec<Square> = bishops.iter().copied().filter(|&b| Some(b) != home).collect();
                add(Role::Bishop, &outside, 0, home);
            } else {
                add(Role::Bishop, bishops, 1, None);
            }
        }
        add(Role::Knight, &self.knights, 2, None);
        out
    }

    /// Where the original bishop of this colour of square began.
    fn bishop_home(&self, color: Color, bishops: &[Square]) -> Option<Square> {
        let light = bishops.first()?.is_light();
        [File::C, File::F]
            .into_iter()
            .map(|file| Square::from_coords(file, color.fold_wb(Rank::First, Rank::Eighth)))
            .find(|home| home.is_light() == light)
    }

    /// Whether both pawns that lock the bishop of `home` in still stand where they began.
    fn is_caged(&self, color: Color, home: Square) -> bool {
        let rank = color.fold_wb(Rank::Second, Rank::Seventh);
        [-1, 1].into_iter().all(|delta| {
            home.file()
                .offset(delta)
                .is_some_and(|file| self.pawns.contains(&Square::from_coords(file, rank)))
        })
    }
}

/// [`Men::promoted`] of one side.
pub fn promoted_men(placement: &Placement, color: Color) -> usize {
    Men::of(placement, color).promoted()
}
