//! Flags: what is doubtful or impossible about a diagram or a page. Codes are stable, users filter by them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use shakmaty::Square;

/// How much a flag weighs. Ordered: `Note < Doubt < Impossible`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing; needs no review.
    Note,
    /// A person should look.
    Doubt,
    /// The position cannot be exported without a human yes.
    Impossible,
}

impl Severity {
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Doubt => "doubt",
            Severity::Impossible => "impossible",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! flag_codes {
    ($($variant:ident $code:literal $severity:ident $what:literal;)*) => {
        /// The code of a flag, with its usual severity in [`FlagCode::severity`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum FlagCode {
            $(#[doc = $what] #[serde(rename = $code)] $variant,)*
        }

        impl FlagCode {
            /// All codes, in the order of the documentation.
            pub const ALL: &'static [FlagCode] = &[$(FlagCode::$variant,)*];

            /// The stable name, snake_case.
            pub fn as_str(self) -> &'static str {
                match self { $(FlagCode::$variant => $code,)* }
            }

            /// The severity that a flag of this code has unless the evidence says otherwise.
            pub fn severity(self) -> Severity {
                match self { $(FlagCode::$variant => Severity::$severity,)* }
            }
        }
    };
}

flag_codes! {
    UncertainSquare "uncertain_square" Doubt "A square's calibrated probability is under the threshold.";
    IllegalRepaired "illegal_repaired" Doubt "The most likely legal placement differs from the raw one.";
    MissingKing "missing_king" Impossible "A side has no king.";
    ExtraKing "extra_king" Impossible "A side has more than one king.";
    PawnOnEdgeRank "pawn_on_edge_rank" Impossible "A pawn stands on rank 1 or 8.";
    OpponentInCheck "opponent_in_check" Impossible "The side not to move is in check.";
    ImpossibleCheck "impossible_check" Doubt "A check that no last move could have given.";
    TooManyPawns "too_many_pawns" Impossible "More than eight pawns of one colour.";
    TooManyPieces "too_many_pieces" Impossible "More men than promotions allow.";
    ImpossiblePawns "impossible_pawns" Doubt "Pawns that can only stand so after more captures than men are missing.";
    CastlingImpossible "castling_impossible" Impossible "A castling right that the placement contradicts.";
    EnPassantImpossible "en_passant_impossible" Impossible "An en passant square that the placement contradicts.";
    UpsideDown "upside_down" Doubt "Pawns, coordinates or kings say that the board is turned.";
    ColoursSwapped "colours_swapped" Doubt "White's and Black's men look exchanged.";
    OrientationAssumed "orientation_assumed" Note "Nothing says which side is below, or the evidence disagrees.";
    SideAssumed "side_assumed" Doubt "Nothing says who moves.";
    SideConflict "side_conflict" Doubt "Two sources disagree about who moves.";
    BoardCutOff "board_cut_off" Doubt "Fewer than 64 squares are in the picture.";
    GridUncertain "grid_uncertain" Doubt "The 8 x 8 lattice does not fit well: the whole board is in doubt.";
    LowResolution "low_resolution" Doubt "Few pixels a square.";
    Overlay "overlay" Doubt "Arrows, marks or pencil on squares.";
    PoorPrint "poor_print" Doubt "Faded or blotched print, or type unlike anything the net has seen.";
    NotChess "not_chess" Doubt "Looks like a board and holds no chess position.";
    StipulationUnsound "stipulation_unsound" Doubt "The stipulation cannot be met: a square is probably misread.";
    SolutionIllegal "solution_illegal" Doubt "The printed solution's first move is not legal here.";
    MaterialMismatch "material_mismatch" Doubt "The printed piece count or list disagrees.";
    NumberDoubtful "number_doubtful" Doubt "The diagram's number does not fit the page's row of numbers.";
    NumberGap "number_gap" Note "The diagram numbers skip.";
    BoardDoubted "board_doubted" Note "Something on the page may be a board and was not taken for one.";
    NoDiagram "no_diagram" Note "A page without any diagram.";
    DuplicatePosition "duplicate_position" Note "The same position is already in the collection.";
    UnusualMaterial "unusual_material" Note "Legal but rare material.";
    DamagedPage "damaged_page" Doubt "The page's picture was decoded with losses.";
}

impl fmt::Display for FlagCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that is no flag code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown flag code {0:?}")]
pub struct UnknownFlagCode(pub String);

impl FromStr for FlagCode {
    type Err = UnknownFlagCode;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        FlagCode::ALL
            .iter()
            .copied()
            .find(|code| code.as_str() == text)
            .ok_or_else(|| UnknownFlagCode(text.to_owned()))
    }
}

/// One flag: what, how bad, where, and a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    pub code: FlagCode,
    pub severity: Severity,
    /// The squares it is about, seen from White's side; empty when it is about the whole diagram or page.
    #[serde(with = "square_names")]
    pub squares: Vec<Square>,
    pub message: String,
}

impl Flag {
    /// A flag of the code's usual severity about no square in particular.
    pub fn new(code: FlagCode, message: impl Into<String>) -> Flag {
        Flag { code, severity: code.severity(), squares: Vec::new(), message: message.into() }
    }

    /// The same flag about these squares.
    pub fn on(mut self, squares: impl IntoIterator<Item = Square>) -> Flag {
        self.squares = squares.into_iter().collect();
        self
    }

    /// The same flag with another severity.
    pub fn with_severity(mut self, severity: Severity) -> Flag {
        self.severity = severity;
        self
    }
}

mod square_names {
    use serde::{Deserialize, Deserializer, Serializer, de::Error, ser::SerializeSeq};
    use shakmaty::Square;

    pub fn serialize<S: Serializer>(squares: &[Square], serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(squares.len()))?;
        for square in squares {
            seq.serialize_element(&square.to_string())?;
        }
        seq.end()
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Square>, D::Error> {
        Vec::<String>::deserialize(deserializer)?
            .iter()
            .map(|name| name.parse().map_err(|_| D::Error::custom(format!("no square: {name:?}"))))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip_as_text_and_json() {
        for &code in FlagCode::ALL {
            assert_eq!(code.as_str().parse::<FlagCode>(), Ok(code));
            let flag = Flag::new(code, "why").on([Square::E4]);
            let json = serde_json::to_string(&flag).unwrap();
            assert!(json.contains(&format!("\"code\":\"{code}\"")), "{json}");
            assert!(json.contains("\"squares\":[\"e4\"]"), "{json}");
            assert_eq!(serde_json::from_str::<Flag>(&json).unwrap(), flag);
        }
        assert!("fine".parse::<FlagCode>().is_err());
    }

    #[test]
    fn severities_are_ordered() {
        assert!(Severity::Note < Severity::Doubt && Severity::Doubt < Severity::Impossible);
    }
}
