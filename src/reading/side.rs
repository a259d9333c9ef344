//! Joins all evidence about the side to move into one verdict.

use crate::caption::SideEvidence;
use crate::chess::{Color, FieldSource};

/// Evidence that alone is right less often than this is a guess: it may be followed, with a flag.
pub const TRUSTED: f32 = 0.75;
/// Evidence weaker than this does not even count as a contradiction.
pub const HEARD: f32 = 0.4;

/// Who moves, why, and how far that is to be trusted.
#[derive(Debug, Clone, PartialEq)]
pub struct SideVerdict {
    pub side: Color,
    pub source: FieldSource,
    /// Nothing trustworthy says it: the diagram gets `side_assumed`.
    pub assumed: bool,
    /// Evidence that says otherwise, as a sentence for people: the diagram gets `side_conflict`.
    pub conflict: Option<String>,
}

/// Joins `evidence` from around the board, the king that alone stands in check (its side must be to move),
/// and the book's default. The strongest kind of trusted evidence decides ([`FieldSource`] is in that
/// order); whatever contradicts it is told. Without trusted evidence the book's default holds, then weak
/// evidence, then White; the last two are assumptions.
pub fn join_side(
    evidence: &[SideEvidence],
    in_check: Option<Color>,
    book_default: Option<Color>,
) -> SideVerdict {
    let mut all: Vec<SideEvidence> = evidence.to_vec();
    if let Some(side) = in_check {
        all.push(SideEvidence {
            side,
            source: FieldSource::Check,
            text: format!("{}'s king is in check", name(side)),
            area: None,
            // A check is certain as far as the men are read right, which the other flags watch over.
            weight: 0.97,
        });
    }
    // Strongest kind first, inside a kind the likeliest.
    all.sort_by(|a, b| rank(a.source).cmp(&rank(b.source)).then(b.weight.total_cmp(&a.weight)));
    let trusted = all.iter().find(|e| e.weight >= TRUSTED);
    let weak = all.iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
    let (side, source, assumed, reason) = match (trusted, book_default, weak) {
        (Some(best), ..) => (best.side, best.source, false, best.text.clone()),
        (None, Some(side), _) => (side, FieldSource::BookDefault, false, "the book's default".to_owned()),
        (None, None, Some(best)) => (best.side, best.source, true, best.text.clone()),
        (None, None, None) => (Color::White, FieldSource::Assumed, true, String::new()),
    };
    let conflict = all.iter().find(|e| e.side != side && e.weight >= HEARD).map(|other| {
        format!(
            "{} to move by {} ({reason:?}), but {} by {} ({:?})",
            name(side),
            words(source),
            name(other.side),
            words(other.source),
            other.text
        )
    });
    SideVerdict { side, source, assumed, conflict }
}

fn rank(source: FieldSource) -> usize {
    FieldSource::ALL.iter().position(|s| *s == source).unwrap_or(usize::MAX)
}

fn name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn words(source: FieldSource) -> &'static str {
    match source {
        FieldSource::Human => "a person's word",
        FieldSource::Picture => "the picture",
        FieldSource::Caption => "the caption",
        FieldSource::Mark => "the mark beside the board",
        FieldSource::MoveNumber => "the move number",
        FieldSource::Stipulation => "the stipulation",
        FieldSource::Solution => "the printed solution",
        FieldSource::Check => "the rules",
        FieldSource::BookDefault => "the book's default",
        FieldSource::Assumed => "custom",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(side: Color, source: FieldSource, weight: f32) -> SideEvidence {
        SideEvidence { side, source, text: source.to_string(), area: None, weight }
    }

    #[test]
    fn the_strongest_kind_decides_and_contradictions_are_told() {
        let evidence =
            [says(Color::White, FieldSource::Stipulation, 0.95), says(Color::Black, FieldSource::Mark, 0.9)];
        let verdict = join_side(&evidence, None, Some(Color::White));
        assert_eq!((verdict.side, verdict.source, verdict.assumed), (Color::Black, FieldSource::Mark, false));
        assert_eq!(
            verdict.conflict.as_deref(),
            Some(
                "Black to move by the mark beside the board (\"mark\"), but White by the stipulation (\"stipulation\")"
            )
        );
    }

    #[test]
    fn agreement_is_no_conflict() {
        let evidence =
            [says(Color::Black, FieldSource::Caption, 0.98), says(Color::Black, FieldSource::Mark, 0.9)];
        let verdict = join_side(&evidence, Some(Color::Black), None);
        assert_eq!((verdict.side, verdict.source), (Color::Black, FieldSource::Caption));
        assert_eq!((verdict.assumed, verdict.conflict), (false, None));
    }

    #[test]
    fn a_check_contradicts_a_caption() {
        let evidence = [says(Color::White, FieldSource::Caption, 0.98)];
        let verdict = join_side(&evidence, Some(Color::Black), None);
        assert_eq!((verdict.side, verdict.source), (Color::White, FieldSource::Caption));
        assert!(verdict.conflict.is_some());
        let alone = join_side(&[], Some(Color::Black), Some(Color::White));
        assert_eq!((alone.side, alone.source, alone.assumed), (Color::Black, FieldSource::Check, false));
    }

    #[test]
    fn weak_evidence_and_none_are_assumptions() {
        let evidence = [says(Color::Black, FieldSource::Caption, 0.5)];
        let weak = join_side(&evidence, None, None);
        assert_eq!((weak.side, weak.source, weak.assumed), (Color::Black, FieldSource::Caption, true));
        let default = join_side(&evidence, None, Some(Color::White));
        assert_eq!((default.side, default.source), (Color::White, FieldSource::BookDefault));
        assert!(default.conflict.is_some() && !default.assumed);
        let nothing = join_side(&[], None, None);
        assert_eq!(
            (nothing.side, nothing.source, nothing.assumed),
            (Color::White, FieldSource::Assumed, true)
        );
        assert_eq!(nothing.conflict, None);
    }
}
