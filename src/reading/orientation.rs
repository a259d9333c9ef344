//! Which side is below: printed coordinates and labels first, then the position alone.
//!
//! Most books print White below. Each kind of evidence gives log-odds, and they are added; what the
//! print says and the position denies is a flag. A board turned for its position alone always says so.

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
    /// A side with a posterior under this is in doubt: it asks that the position does not speak for the other side, however
    /// little. Of the real scans' boards with White below, whose coordinates were not looked at, it flags one in thirty;
    /// of generated boards with Black below the position alone leaves one in six unflagged, two in five at 0.80.
    pub doubt: f32,
    /// Share of White below beside another board of the page that clearly shows White below, when none shows Black.
    pub prior_beside: f32,
    /// Log-odds from which the print tells the side: three glyphs in order have 9, one letter alone 3.
    pub printed: f32,
    /// Log-odds of labels of the sides ("BLACK" above the board).
    pub labels: f32,
    /// What the print says is in doubt under this posterior.
    pub printed_doubt: f32,
    /// What the print says and the position denies with this probability is in doubt.
    pub contradicted: f32,
}

impl Default for OrientationParams {
    fn default() -> Self {
        OrientationParams {
            prior_white_bottom: 0.97,
            told: 0.98,
            doubt: 0.965,
            prior_beside: 0.995,
            printed: 6.0,
            labels: 4.0,
            printed_doubt: 0.80,
            contradicted: 0.995,
        }
    }
}

/// What there is to tell the side by.
#[derive(Debug, Clone, PartialEq)]
pub struct SideBelow<'a> {
    /// Probability that White is below which the position alone gives, 0.5 when it tells nothing.
    pub position: f32,
    /// Log-odds of the printed coordinates, 0 when there are none, and what was read of them.
    pub coordinates: f32,
    pub read: &'a str,
    /// What labels of the sides say.
    pub labels: Option<bool>,
}

/// The verdict with its reason and, if need be, its flag.
#[derive(Debug, Clone, PartialEq)]
pub struct OrientationVerdict {
    pub orientation: Orientation,
    pub reason: String,
    pub flag: Option<Flag>,
    /// Probability that White is below, before other boards of the page are asked.
    pub white_below: f32,
}

/// Joins the evidence.
pub fn decide_orientation(seen: &SideBelow<'_>, params: &OrientationParams) -> OrientationVerdict {
    let labels = seen.labels.map_or(0.0, |white| if white { params.labels } else { -params.labels });
    let printed = seen.coordinates + labels;
    let posterior = logistic(logit(params.prior_white_bottom) + logit(seen.position) + printed);
    let orientation = if posterior < 0.5 { Orientation::BlackBottom } else { Orientation::WhiteBottom };
    let (side, likely) = match orientation {
        Orientation::WhiteBottom => ("White", posterior),
        Orientation::BlackBottom => ("Black", 1.0 - posterior),
    };
    // How far position and print speak for the side that was taken.
    let sign = if orientation == Orientation::WhiteBottom { 1.0 } else { -1.0 };
    let by_position = if sign > 0.0 { seen.position } else { 1.0 - seen.position };
    let says = match (seen.read, labels != 0.0) {
        ("", true) => "labels beside the board".to_owned(),
        ("", false) => String::new(),
        (read, _) => format!("coordinates ({read})"),
    };
    let percent = |p: f32| (p * 100.0).round();
    let verdict = |code: Option<(FlagCode, Severity)>, reason: String| OrientationVerdict {
        orientation,
        flag: code.map(|(code, severity)| Flag::new(code, reason.clone()).with_severity(severity)),
        reason,
        white_below: posterior,
    };
    if sign * printed >= params.printed {
        let denied = 1.0 - by_position;
        if denied > params.contradicted || likely < params.printed_doubt {
            let reason =
                format!("{says} say that {side} is below, pawns and kings deny it ({} %)", percent(denied));
            return verdict(Some((FlagCode::UpsideDown, Severity::Doubt)), reason);
        }
        return verdict(None, format!("{says} say that {side} is below"));
    }
    if sign * printed <= -params.printed {
        let reason =
            format!("pawns and kings say that {side} is below ({} %), {says} deny it", percent(likely));
        return verdict(Some((FlagCode::UpsideDown, Severity::Doubt)), reason);
    }
    if orientation == Orientation::BlackBottom {
        // The likelier side is taken: without clear print it is flagged whatever its probability.
        let also = if printed < 0.0 { format!(", and so do {says}") } else { String::new() };
        let reason = format!(
            "pawns and kings say that Black is below ({} %){also}; the board was turned",
            percent(likely)
        );
        return verdict(Some((FlagCode::UpsideDown, Severity::Doubt)), reason);
    }
    if posterior < params.doubt {
        let black = percent(1.0 - posterior);
        let reason = format!("White below was assumed, but the position speaks for Black below ({black} %)");
        return verdict(Some((FlagCode::OrientationAssumed, Severity::Doubt)), reason);
    }
    if seen.position >= params.told {
        return verdict(None, "pawns and kings say that White is below".to_owned());
    }
    if printed > 0.0 && posterior >= params.told {
        return verdict(None, format!("{says} say that White is below"));
    }
    let reason = "White below was assumed: the position tells little".to_owned();
    verdict(Some((FlagCode::OrientationAssumed, Severity::Note)), reason)
}

/// Takes the doubt from boards that only their position speaks against, a little, where another board of the page clearly shows
/// White below and none shows Black: a page rarely changes its side.
pub fn ask_the_page(boards: &mut [OrientationVerdict], params: &OrientationParams) {
    let white = boards.iter().any(|b| b.flag.is_none() && b.orientation == Orientation::WhiteBottom);
    let black = boards.iter().any(|b| b.orientation == Orientation::BlackBottom);
    if !white || black {
        return;
    }
    let gain = logit(params.prior_beside) - logit(params.prior_white_bottom);
    for board in boards {
        let assumed = board
            .flag
            .as_mut()
            .filter(|flag| flag.code == FlagCode::OrientationAssumed && flag.severity == Severity::Doubt);
        if let Some(flag) = assumed
            && logistic(logit(board.white_below) + gain) >= params.doubt
        {
            "White below was assumed: the position tells little, other boards of the page have White below"
                .clone_into(&mut board.reason);
            flag.severity = Severity::Note;
            flag.message.clone_from(&board.reason);
        }
    }
}

fn logit(p: f32) -> f32 {
    let p = p.clamp(1e-4, 1.0 - 1e-4);
    (p / (1.0 - p)).ln()
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(position: f32, coordinates: f32, labels: Option<bool>) -> OrientationVerdict {
        let read = if coordinates == 0.0 { "" } else { "files" };
        decide_orientation(&SideBelow { position, coordinates, read, labels }, &OrientationParams::default())
    }

    #[test]
    fn habit_against_evidence() {
        let decide = |p| decide(p, 0.0, None);
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

    #[test]
    fn coordinates_tell_without_a_flag() {
        for position in [0.02, 0.5, 0.9] {
            let black = decide(position, -12.0, None);
            assert_eq!((black.orientation, black.flag), (Orientation::BlackBottom, None));
            let white = decide(1.0 - position, 12.0, None);
            assert_eq!((white.orientation, white.flag), (Orientation::WhiteBottom, None));
        }
    }

    #[test]
    fn coordinates_against_the_position_are_a_doubt() {
        let torn = decide(0.999, -14.0, None);
        assert_eq!(torn.orientation, Orientation::BlackBottom);
        assert_eq!(torn.flag.unwrap().code, FlagCode::UpsideDown);
        let torn = decide(0.0001, 7.0, None);
        assert_eq!(torn.flag.unwrap().code, FlagCode::UpsideDown);
    }

    #[test]
    fn a_position_that_speaks_for_black_is_a_doubt_unless_the_page_tells() {
        let faint = decide(0.4, 0.0, None);
        assert_eq!(faint.flag.as_ref().unwrap().severity, Severity::Doubt);
        let settled = |others: Vec<OrientationVerdict>| {
            let mut boards = others;
            boards.push(faint.clone());
            ask_the_page(&mut boards, &OrientationParams::default());
            boards.pop().unwrap().flag.unwrap().severity
        };
        let (white, black) = (decide(0.999, 0.0, None), decide(0.5, -12.0, None));
        assert_eq!(settled(vec![]), Severity::Doubt);
        assert_eq!(settled(vec![decide(0.5, 0.0, None)]), Severity::Doubt);
        assert_eq!(settled(vec![white.clone()]), Severity::Note);
        assert_eq!(settled(vec![white, black]), Severity::Doubt);
    }

    #[test]
    fn weak_print_is_weighed() {
        // one letter alone against the habit, with nothing else
        let torn = decide(0.5, -3.0, None);
        assert_eq!(torn.flag.unwrap().severity, Severity::Doubt);
        // labels of the sides with a position that agrees
        let black = decide(0.2, 0.0, Some(false));
        assert_eq!(black.orientation, Orientation::BlackBottom);
        assert_eq!(black.flag.unwrap().code, FlagCode::UpsideDown);
        assert_eq!(decide(0.5, 3.0, None).flag, None);
    }
}
