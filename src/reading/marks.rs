//! What the marks beside a page's boards mean for the side to move.
//!
//! Books differ: most print an empty form for White and a filled one for Black, some only one form whose
//! end of the board tells the side, some mark only Black's diagrams. The page's own boards tell which.

use super::Orientation;
use super::side::TRUSTED;
use crate::caption::{CaptionFacts, Form, Mark, MarkKind, Place, SideEvidence};
use crate::chess::{Color, FieldSource};

/// Fill and end of the board say the same.
const AGREED: f32 = 0.97;
/// Fill alone.
const BY_FILL: f32 = 0.93;
/// Fill says one side, the end the other, and the page's other boards tell which of the two counts.
const BY_HABIT: f32 = 0.88;
/// The same on a page that tells nothing: followed, and flagged.
const AT_ODDS: f32 = 0.7;
/// A sign that leads or ends a line with words: it may belong to a player's name.
const IN_WORDS: f32 = 0.72;
/// A mark that stands as near to a neighbour.
const UNSURE: f32 = 0.7;
/// No mark where the page's other boards have Black's.
const BY_ABSENCE: f32 = 0.8;
/// The same when something beside the board might be a mark that was not made out.
const ABSENCE_UNSURE: f32 = 0.6;
/// So many boards with Black's mark and none with White's make a habit.
const LEAST_BLACK: usize = 2;

/// Adds evidence by marks to each board's facts. `turned[i]` is which side is below on board i. `black_only`: a person said that the book
/// marks only Black's diagrams.
pub fn weigh_marks(captions: &mut [CaptionFacts], turned: &[Orientation], black_only: bool) {
    let chosen: Vec<Option<Mark>> = captions.iter().map(|facts| the_mark(&facts.marks)).collect();
    let mut habit = Habit::of(&chosen);
    habit.led &= !captions.iter().any(|facts| has_both(&facts.marks));
    let led = chosen.iter().flatten().filter(|mark| mark.in_line).count();
    habit.led &= 2 * led > captions.len();
    for ((facts, mark), turned) in captions.iter_mut().zip(&chosen).zip(turned) {
        let Some(mark) = mark else { continue };
        // A letter at a line's end may look like a form; where words say who moves they need no mark.
        let said = |e: &SideEvidence| e.source == FieldSource::Caption && e.weight >= TRUSTED;
        let among_words = mark.in_line || matches!(mark.place, Place::Above | Place::Below);
        if among_words && facts.evidence.iter().any(said) {
            continue;
        }
        let (side, mut weight) = habit.side(mark, *turned);
        let words = || facts.text.as_deref().is_some_and(has_words);
        if mark.in_line && (facts.players.is_some() || words()) && !habit.led {
            weight = weight.min(IN_WORDS);
        }
        if !mark.sure {
            weight = weight.min(UNSURE);
        }
        facts.evidence.push(SideEvidence {
            side,
            source: FieldSource::Mark,
            text: sign(mark),
            area: Some(mark.area),
            weight,
        });
    }
    weigh_bubbles(captions);
    weigh_absence(captions, &chosen, black_only);
}

/// The one mark that may tell the side: two of different fill name the players' colours.
fn the_mark(marks: &[Mark]) -> Option<Mark> {
    let forms: Vec<&Mark> = marks.iter().filter(|m| matches!(m.kind, MarkKind::Form(_))).collect();
    let first = *forms.first()?;
    forms.iter().all(|m| m.filled == first.filled).then_some(*first)
}

/// Two letters in a row make a word: "12a" has none.
fn has_words(text: &str) -> bool {
    let letters: Vec<bool> = text.chars().map(char::is_alphabetic).collect();
    letters.windows(2).any(|two| two[0] && two[1])
}

fn has_both(marks: &[Mark]) -> bool {
    let forms = || marks.iter().filter(|m| matches!(m.kind, MarkKind::Form(_)));
    forms().any(|m| m.filled) && forms().any(|m| !m.filled)
}

fn sign(mark: &Mark) -> String {
    match mark.kind {
        MarkKind::Form(form) => form.sign(mark.filled).to_string(),
        MarkKind::Bubble if mark.filled => "filled number bubble".to_owned(),
        MarkKind::Bubble => "outlined number bubble".to_owned(),
    }
}

/// What varies over a page: fill, end, both.
#[derive(Debug, Clone, Copy, Default)]
struct Habit {
    both_fills: bool,
    both_ends: bool,
    /// Lines of some boards have White's sign and lines of others Black's, and no board has both: not the colours of players.
    led: bool,
}

impl Habit {
    fn of(marks: &[Option<Mark>]) -> Habit {
        let has = |test: &dyn Fn(&Mark) -> bool| marks.iter().flatten().any(test);
        Habit {
            both_fills: has(&|m| m.filled) && has(&|m| !m.filled),
            both_ends: has(&|m| m.upper_end == Some(true)) && has(&|m| m.upper_end == Some(false)),
            led: has(&|m| m.in_line && m.filled) && has(&|m| m.in_line && !m.filled),
        }
    }

    fn side(self, mark: &Mark, turned: Orientation) -> (Color, f32) {
        let by_fill = if mark.filled { Color::Black } else { Color::White };
        let Some(upper) = mark.upper_end else { return (by_fill, BY_FILL) };
        let by_end = if upper == (turned == Orientation::WhiteBottom) { Color::Black } else { Color::White };
        if by_end == by_fill {
            return (by_fill, AGREED);
        }
        // An arrow at an end of the board points at it, whatever its fill.
        let arrow = matches!(mark.kind, MarkKind::Form(Form::TriangleLeft | Form::TriangleRight));
        match (self.both_fills, self.both_ends) {
            (true, false) => (by_fill, BY_HABIT),
            (false, true) => (by_end, BY_HABIT),
            _ if arrow => (by_end, AT_ODDS),
            _ => (by_fill, AT_ODDS),
        }
    }
}

/// Number bubbles tell the side only where a page has both kinds: filled for Black, outlined for White.
fn weigh_bubbles(captions: &mut [CaptionFacts]) {
    let bubble = |facts: &CaptionFacts| {
        facts
            .marks
            .iter()
            .find(|m| m.kind == MarkKind::Bubble && (facts.number.is_some() || m.filled))
            .copied()
    };
    let found: Vec<Option<Mark>> = captions.iter().map(bubble).collect();
    let both = [true, false].map(|filled| found.iter().flatten().any(|m| m.filled == filled));
    if both != [true, true] {
        return;
    }
    for (facts, mark) in captions.iter_mut().zip(&found) {
        let Some(mark) = mark else { continue };
        facts.evidence.push(SideEvidence {
            side: if mark.filled { Color::Black } else { Color::White },
            source: FieldSource::Mark,
            text: sign(mark),
            area: Some(mark.area),
            weight: BY_HABIT,
        });
    }
}

/// On a page that marks only Black's diagrams a board without a mark is White's.
fn weigh_absence(captions: &mut [CaptionFacts], chosen: &[Option<Mark>], black_only: bool) {
    let black = chosen.iter().flatten().filter(|m| m.filled && !m.in_line).count();
    let white = chosen.iter().flatten().filter(|m| !m.filled).count();
    if !black_only && (black < LEAST_BLACK || white > 0) {
        return;
    }
    for (facts, mark) in captions.iter_mut().zip(chosen) {
        if mark.is_some() || !facts.marks.is_empty() && facts.marks.iter().any(|m| m.kind != MarkKind::Bubble)
        {
            continue;
        }
        facts.evidence.push(SideEvidence {
            side: Color::White,
            source: FieldSource::Mark,
            text: format!(
                "no mark, {} that marks only Black",
                if black_only { "in a book" } else { "on a page" }
            ),
            area: None,
            weight: if facts.unexplained { ABSENCE_UNSURE } else { BY_ABSENCE },
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caption::PixelRect;

    fn mark(form: Form, filled: bool, upper_end: Option<bool>) -> CaptionFacts {
        let mark = Mark {
            kind: MarkKind::Form(form),
            filled,
            place: Place::Right,
            upper_end,
            in_line: false,
            sure: true,
            gap: 9.0,
            area: PixelRect::default(),
        };
        CaptionFacts { marks: vec![mark], ..CaptionFacts::default() }
    }

    fn read(mut facts: Vec<CaptionFacts>, turned: &[Orientation]) -> Vec<Option<(Color, bool)>> {
        weigh_marks(&mut facts, turned, false);
        facts.iter().map(|f| f.evidence.first().map(|e| (e.side, e.weight >= 0.75))).collect()
    }

    #[test]
    fn in_a_book_that_marks_only_black_no_mark_is_white() {
        let mut facts = vec![CaptionFacts::default(), mark(Form::Square, true, None)];
        weigh_marks(&mut facts, &[Orientation::WhiteBottom; 2], true);
        let said: Vec<_> = facts.iter().map(|f| f.evidence[0].side).collect();
        assert_eq!(said, [Color::White, Color::Black]);
        let mut alone = vec![CaptionFacts::default()];
        weigh_marks(&mut alone, &[Orientation::WhiteBottom], false);
        assert!(alone[0].evidence.is_empty());
    }

    use Color::{Black, White};
    use Orientation::{BlackBottom, WhiteBottom};

    #[test]
    fn fill_tells_and_the_end_agrees() {
        let page = vec![
            mark(Form::TriangleUp, false, Some(false)),
            mark(Form::TriangleDown, true, Some(true)),
            mark(Form::Square, true, None),
            mark(Form::Square, true, Some(false)),
        ];
        let turned = [WhiteBottom, WhiteBottom, WhiteBottom, BlackBottom];
        assert_eq!(
            read(page, &turned),
            [Some((White, true)), Some((Black, true)), Some((Black, true)), Some((Black, true))]
        );
    }

    #[test]
    fn one_form_at_both_ends_tells_by_the_end() {
        let page = vec![mark(Form::Disc, true, Some(false)), mark(Form::Disc, true, Some(true))];
        assert_eq!(read(page, &[WhiteBottom; 2]), [Some((White, true)), Some((Black, true))]);
        // A single board does not tell which counts.
        let alone = vec![mark(Form::Disc, true, Some(false))];
        assert_eq!(read(alone, &[WhiteBottom]), [Some((Black, false))]);
        let fixed = vec![mark(Form::Disc, true, Some(false)), mark(Form::Disc, false, Some(false))];
        assert_eq!(read(fixed, &[WhiteBottom; 2]), [Some((Black, true)), Some((White, true))]);
    }

    #[test]
    fn signs_before_players_count_where_a_page_has_both() {
        let led = |filled| {
            let mut facts = mark(Form::Square, filled, None);
            (facts.marks[0].in_line, facts.marks[0].place) = (true, Place::Below);
            facts.players = Some("Tal – Fischer".into());
            facts
        };
        assert_eq!(read(vec![led(false), led(false)], &[WhiteBottom; 2]), [Some((White, false)); 2]);
        let page = || vec![led(false), led(true)];
        assert_eq!(read(page(), &[WhiteBottom; 2]), [Some((White, true)), Some((Black, true))]);
        // "□ Tal / ■ Fischer" below one board: the signs are the players'.
        let mut players = page();
        players.push(led(false));
        players[2].marks.extend(led(true).marks);
        assert_eq!(read(players, &[WhiteBottom; 3])[..2], [Some((White, false)), Some((Black, false))]);
    }

    #[test]
    fn a_sign_before_words_needs_the_page() {
        let led = |filled, text: &str| {
            let mut facts = mark(Form::Square, filled, None);
            (facts.marks[0].in_line, facts.marks[0].place) = (true, Place::Below);
            facts.text = Some(text.into());
            facts
        };
        let page = vec![led(true, "Exercise 3"), CaptionFacts::default()];
        assert_eq!(read(page, &[WhiteBottom; 2])[0], Some((Black, false)));
        assert_eq!(read(vec![led(true, "12")], &[WhiteBottom]), [Some((Black, true))]);
        // Two of five boards are no habit.
        let mut page = vec![led(true, "Botvinnik"), led(false, "solved")];
        page.extend([(); 3].map(|()| CaptionFacts::default()));
        assert_eq!(read(page, &[WhiteBottom; 5])[..2], [Some((Black, false)), Some((White, false))]);
    }

    #[test]
    fn marks_of_both_colours_beside_one_board_tell_nothing() {
        let mut both = mark(Form::Square, true, None);
        both.marks.extend(mark(Form::Square, false, None).marks);
        assert_eq!(read(vec![both], &[WhiteBottom]), [None]);
    }

    #[test]
    fn a_page_that_marks_only_black() {
        let page = vec![
            mark(Form::Square, true, Some(true)),
            CaptionFacts::default(),
            mark(Form::Square, true, Some(true)),
            CaptionFacts { unexplained: true, ..CaptionFacts::default() },
        ];
        assert_eq!(
            read(page, &[WhiteBottom; 4]),
            [Some((Black, true)), Some((White, true)), Some((Black, true)), Some((White, false))]
        );
        let one = vec![mark(Form::Square, true, Some(true)), CaptionFacts::default()];
        assert_eq!(read(one, &[WhiteBottom; 2])[1], None);
    }

    #[test]
    fn bubbles_tell_where_a_page_has_both() {
        let bubble = |filled| {
            let mut facts = mark(Form::Disc, filled, None);
            facts.marks[0].kind = MarkKind::Bubble;
            facts.number = Some("7".into());
            facts
        };
        assert_eq!(read(vec![bubble(false), bubble(false)], &[WhiteBottom; 2]), [None, None]);
        assert_eq!(
            read(vec![bubble(false), bubble(true)], &[WhiteBottom; 2]),
            [Some((White, true)), Some((Black, true))]
        );
    }
}
