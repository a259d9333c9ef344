//! Whether the printed mate is there: when it is not, a square was probably misread.

use crate::chess::{Color, Fen, Flag, FlagCode, MateParams, MateVerdict, Stipulation, diagram_mates};

/// A flag when the caption asks for a direct mate that the position provably does not hold. What cannot be proved within
/// `params` raises none.
pub fn stipulation_flag(fen: &Fen, stipulation: Option<&str>, params: &MateParams) -> Option<Flag> {
    let printed: Stipulation = stipulation?.parse().ok()?;
    let moves = printed.direct_mate_in()?;
    if diagram_mates(fen, moves, params) != MateVerdict::None {
        return None;
    }
    let name = |side: Color| side.fold_wb("White", "Black");
    let side = fen.side_to_move;
    let mut message = format!("{printed} is printed and {} has no mate in {moves} here", name(side));
    let other = Fen { side_to_move: !side, en_passant: None, ..fen.clone() };
    if let MateVerdict::Mate { moves, .. } = diagram_mates(&other, moves, params) {
        message += &format!(", but {} would have one in {moves}", name(!side));
    } else {
        message += ": a square is probably misread";
    }
    Some(Flag::new(FlagCode::StipulationUnsound, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(fen: &str, stipulation: Option<&str>) -> Option<String> {
        let flag = stipulation_flag(&fen.parse().unwrap(), stipulation, &MateParams::default());
        flag.map(|flag| {
            assert_eq!(flag.code, FlagCode::StipulationUnsound);
            flag.message
        })
    }

    #[test]
    fn a_mate_that_is_there_raises_nothing() {
        let morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
        assert_eq!(message(morphy, Some("#2")), None);
        assert_eq!(message(morphy, Some("#3")), None);
        // a rook read as a bishop
        assert_eq!(
            message("kbK5/pp6/1P6/8/8/8/8/B7 w - - 0 1", Some("#2")).as_deref(),
            Some("#2 is printed and White has no mate in 2 here: a square is probably misread")
        );
    }

    #[test]
    fn the_wrong_side_is_told() {
        assert_eq!(
            message("6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1", Some("#1")).as_deref(),
            Some("#1 is printed and Black has no mate in 1 here, but White would have one in 1")
        );
    }

    #[test]
    fn what_is_not_asked_or_not_to_be_proved_raises_nothing() {
        let bare = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        for stipulation in
            [None, Some("h#2"), Some("s#2"), Some("+"), Some("="), Some("#"), Some("#7"), Some("win")]
        {
            assert_eq!(message(bare, stipulation), None, "{stipulation:?}");
        }
        assert!(message(bare, Some("#2")).is_some());
        // no king, no verdict
        assert_eq!(message("8/8/8/8/8/8/4P3/4K3 w - - 0 1", Some("#2")), None);
    }
}
