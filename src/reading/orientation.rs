//! Which side is below, from the position alone.
//!
//! Most books print White below; the position's own evidence (pawns, kings, castled structures)
//! must be strong before the board is turned, and a turned board always says so.

use serde::{Deserialize, Serialize};

use super::Orientation;
use crate::chess::{Flag, FlagCode, Severity};

/// When to believe the position against the habit of printers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OrientationParams {
    /// Share of diagrams printed with White below, before anything is seen. Books that turn the
    /// board for Black exist, and within them about half of the diagrams are turned; over all
    /// books one diagram in thirty is a cautious guess.
    pub prior_white_bottom: f32,
    /// Evidence from which the position itself counts as telling the side.
    pub told: f32,
    /// White below with a posterior under this is in doubt.
    pub doubt: f32,
}

impl Default for OrientationParams {
    fn default() -> Self {
        OrientationParams { prior_white_bottom: 0.97, told: 0.98, doubt: 0.80 }
    }
}

/// The verdict with its reason and, if need be, its flag.
#[derive(Debug, Clone, PartialEq)]
pub struct OrientationVerdict {
    pub orientation: Orientation,
    pub reason: String,
    pub flag: Option<Flag>,
}

/// Decides from `evidence`, the probability that White is below which the position alone gives,
/// 0.5 when it tells nothing.
pub fn decide_orientation(evidence: f32, params: &OrientationParams) -> OrientationVerdict {
    let white = params.prior_white_bottom * evidence;
    let black = (1.0 - params.prior_white_bottom) * (1.0 - evidence);
    // evidence is a probability, so one of the two is positive
    let posterior = white / (white + black);
    let percent = |p: f32| (p * 100.0).round();
    // The likelier side is taken: a turned board is flagged whatever its probability.
    if posterior < 0.5 {
        let message = format!(
            "pawns and kings say that Black is below ({} %); the board was turned",
            percent(1.0 - posterior)
        );
        return OrientationVerdict {
            orientation: Orientation::BlackBottom,
            reason: message.clone(),
            flag: Some(Flag::new(FlagCode::UpsideDown, message)),
        };
    }
    let (reason, severity) = if posterior < params.doubt {
        let black = percent(1.0 - posterior);
        (format!("White below was assumed, but the position looks turned ({black} %)"), Some(Severity::Doubt))
    } else if evidence >= params.told {
        ("pawns and kings say that White is below".to_owned(), None)
    } else {
        ("White below was assumed: the position tells little".to_owned(), Some(Severity::Note))
    };
    OrientationVerdict {
        orientation: Orientation::WhiteBottom,
        flag: severity.map(|s| Flag::new(FlagCode::OrientationAssumed, reason.clone()).with_severity(s)),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn habit_against_evidence() {
        let decide = |p| decide_orientation(p, &OrientationParams::default());
        assert_eq!(decide(0.999).flag, None);
        assert_eq!(decide(0.999).orientation, Orientation::WhiteBottom);
        let nothing = decide(0.5);
        assert_eq!(nothing.orientation, Orientation::WhiteBottom);
        assert_eq!(nothing.flag.unwrap().severity, Severity::Note);
        let torn = decide(0.05);
        assert_eq!(torn.orientation, Orientation::WhiteBottom);
        assert_eq!(torn.flag.unwrap().severity, Severity::Doubt);
        let turned = decide(0.0001);
        assert_eq!(turned.orientation, Orientation::BlackBottom);
        assert_eq!(turned.flag.unwrap().code, FlagCode::UpsideDown);
    }
}
