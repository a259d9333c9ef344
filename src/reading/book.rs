//! What a page learns from the pages before it in its book: a heading ("Black to move") speaks for the diagrams on later pages too,
//! until another heading or the diagrams themselves say otherwise.
//!
//! Pages are read in any order by several workers, so none of this may happen while they are read. It is a walk over finished pages in
//! the book's order: the same pages give the same result, whoever read them when.

use serde::{Deserialize, Serialize};

use super::side::TRUSTED;
use super::who_moves::Mover;
use crate::caption::{CaptionFacts, PixelRect, SideEvidence};
use crate::chess::{Color, FieldSource};

/// A heading that names a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Heading {
    #[serde(with = "crate::caption::side_letter")]
    pub side: Color,
    /// The words as read.
    pub text: String,
}

/// How certain a heading is on the page after it; on its own page it is 0.85. Proposed, never trusted: running text and headings
/// that stand far from the boards of the later page are not read, and may say otherwise.
const NEXT_PAGE: f32 = 0.72;
/// What each further page costs: a chapter's end may have been missed.
const EACH_PAGE: f32 = 0.02;
/// The least certainty that is still worth telling; farther away nothing is proposed any more.
const LEAST: f32 = 0.45;
/// Something on the same page says otherwise, or the heading's own page has no diagram.
const CONTRADICTED: f32 = 0.6;

/// What a book has said up to a page.
#[derive(Debug, Clone, Default)]
pub struct BookSoFar {
    heading: Option<InForce>,
}

#[derive(Debug, Clone)]
struct InForce {
    side: Color,
    text: String,
    /// Pages back to the heading.
    pages: u32,
    /// It stands on a page without diagrams: perhaps in talk or a table of contents.
    leaf: bool,
    /// Pages back to it or to the last diagram that said the same.
    unconfirmed: u32,
}

impl BookSoFar {
    /// Takes in the next page of the book, read or not. What earlier pages say of its diagrams is set among their evidence, in place of
    /// what was set there before; returns which of them changed.
    pub fn turn_page(&mut self, headings: &[Heading], captions: &mut [&mut CaptionFacts]) -> Vec<bool> {
        if let Some(heading) = &mut self.heading {
            heading.pages += 1;
            heading.unconfirmed += 1;
        }
        let own: Vec<Option<Color>> = captions.iter().map(|caption| own_side(caption)).collect();
        let told = self.heading.as_ref().map(|heading| heading.side);
        let contradicted = own.iter().flatten().any(|side| told.is_some_and(|told| told != *side));
        // However weak: a carried heading weighs less where anything on the page speaks against it.
        let evidence = captions.iter().flat_map(|caption| &caption.evidence).filter(|e| !is_carried(e));
        let sides = evidence.map(|e| e.side).chain(headings.iter().map(|heading| heading.side));
        let doubted = captions.iter().any(|caption| caption.either_side)
            || sides.into_iter().any(|side| told.is_some_and(|told| told != side));
        let changed = captions.iter_mut().map(|caption| self.speak_for(caption, doubted)).collect();
        match (headings.last(), &mut self.heading) {
            // both sides: talk, or a page that ends one chapter and begins the next
            (Some(last), heading) if headings.iter().any(|other| other.side != last.side) => *heading = None,
            (Some(last), _) => {
                let (side, text, leaf) = (last.side, last.text.clone(), captions.is_empty());
                self.heading = Some(InForce { side, text, pages: 0, leaf, unconfirmed: 0 });
            }
            // the chapter ended, wherever that was
            (None, heading) if contradicted => *heading = None,
            (None, Some(heading)) if own.iter().any(Option::is_some) => heading.unconfirmed = 0,
            (None, _) => {}
        }
        changed
    }

    /// Whether the caption's evidence is other than it was.
    fn speak_for(&self, caption: &mut CaptionFacts, contradicted: bool) -> bool {
        let before: Vec<SideEvidence> = caption.evidence.iter().filter(|e| is_carried(e)).cloned().collect();
        caption.evidence.retain(|e| !is_carried(e));
        let silent = caption.evidence.iter().all(|e| e.weight < TRUSTED) && !caption.either_side;
        let carried =
            self.heading.as_ref().filter(|_| silent).and_then(|heading| heading.evidence(contradicted));
        let changed = before.as_slice() != carried.as_slice();
        caption.evidence.extend(carried);
        changed
    }
}

impl InForce {
    fn evidence(&self, contradicted: bool) -> Option<SideEvidence> {
        let far = NEXT_PAGE - EACH_PAGE * self.unconfirmed.saturating_sub(1) as f32;
        let weight = if contradicted || self.leaf { far.min(CONTRADICTED) } else { far };
        let pages = if self.pages == 1 { "the page".to_owned() } else { format!("{} pages", self.pages) };
        (weight >= LEAST).then(|| SideEvidence {
            side: self.side,
            source: FieldSource::BookDefault,
            text: format!("heading {:?}, {pages} before", self.text),
            area: None,
            weight,
        })
    }
}

/// Carried here from an earlier page: a heading of the page itself has a place on it.
fn is_carried(evidence: &SideEvidence) -> bool {
    evidence.source == FieldSource::BookDefault && evidence.area.is_none()
}

/// The side that a diagram's own caption, mark or number tells. A bare task ("mate in two") tells the side by custom only.
fn own_side(caption: &CaptionFacts) -> Option<Color> {
    let by = |e: &&SideEvidence| {
        e.weight >= TRUSTED && !matches!(e.source, FieldSource::BookDefault | FieldSource::Stipulation)
    };
    caption.evidence.iter().find(by).map(|e| e.side)
}

/// The headings that were heard for the diagrams of one page, from top to bottom.
pub fn headings_of<'a>(captions: impl IntoIterator<Item = &'a CaptionFacts>) -> Vec<Heading> {
    let mut out: Vec<(PixelRect, Heading)> = Vec::new();
    for evidence in captions.into_iter().flat_map(|caption| &caption.evidence) {
        let Some(area) = evidence.area.filter(|_| evidence.source == FieldSource::BookDefault) else {
            continue;
        };
        if out.iter().all(|(known, _)| *known != area) {
            out.push((area, Heading { side: evidence.side, text: evidence.text.clone() }));
        }
    }
    out.sort_by_key(|(area, _)| (area.y, area.x));
    out.into_iter().map(|(_, heading)| heading).collect()
}

/// Sets what earlier pages say of a page's diagrams, and decides again who moves where that or the book's `default` may change it.
/// Returns which of them changed.
pub fn follow<'a>(
    book: &mut BookSoFar,
    headings: &[Heading],
    diagrams: impl IntoIterator<Item = Mover<'a>>,
    default: Option<Color>,
) -> Vec<bool> {
    let mut movers: Vec<Mover<'a>> = diagrams.into_iter().collect();
    let mut captions: Vec<&mut CaptionFacts> = movers.iter_mut().map(|mover| &mut *mover.caption).collect();
    let changed = book.turn_page(headings, &mut captions);
    let mut out = Vec::with_capacity(movers.len());
    for (mover, changed) in movers.iter_mut().zip(changed) {
        out.push(if changed || mover.hangs_on_default() {
            mover.decide_again(default) || changed
        } else {
            false
        });
    }
    out
}

/// For a page that no longer has a place in its book: its diagrams keep what earlier pages said of them, only the book's `default` is
/// taken anew. Returns which of them changed.
pub fn keep<'a>(diagrams: impl IntoIterator<Item = Mover<'a>>, default: Option<Color>) -> Vec<bool> {
    diagrams.into_iter().map(|mut mover| mover.hangs_on_default() && mover.decide_again(default)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    fn says(side: Color, source: FieldSource) -> CaptionFacts {
        let evidence = SideEvidence { side, source, text: "it".into(), area: None, weight: 0.9 };
        CaptionFacts { evidence: vec![evidence], ..CaptionFacts::default() }
    }

    fn heading(side: Color) -> Heading {
        Heading { side, text: "To move".into() }
    }

    /// Turns a page with these captions; side and trust of what was carried to each.
    fn turn(
        book: &mut BookSoFar,
        headings: &[Heading],
        captions: &mut [CaptionFacts],
    ) -> Vec<Option<(Color, bool)>> {
        book.turn_page(headings, &mut captions.iter_mut().collect::<Vec<_>>());
        let carried = |c: &CaptionFacts| {
            c.evidence.iter().find(|e| is_carried(e)).map(|e| (e.side, e.weight >= TRUSTED))
        };
        captions.iter().map(carried).collect()
    }

    fn silent() -> [CaptionFacts; 1] {
        [CaptionFacts::default()]
    }

    #[test]
    fn a_heading_carries_until_the_next_and_fades() {
        let mut book = BookSoFar::default();
        assert_eq!(turn(&mut book, &[], &mut silent()), [None]);
        turn(&mut book, &[heading(Black)], &mut silent());
        for page in 1..=5 {
            assert_eq!(turn(&mut book, &[], &mut silent()), [Some((Black, false))], "page {page}");
        }
        // A diagram that says the same makes it younger again.
        let mut page = [says(Black, FieldSource::Mark), CaptionFacts::default()];
        assert_eq!(turn(&mut book, &[], &mut page), [None, Some((Black, false))]);
        assert_eq!(turn(&mut book, &[], &mut silent()), [Some((Black, false))]);
        turn(&mut book, &[heading(Black), heading(White)], &mut silent());
        assert_eq!(turn(&mut book, &[], &mut silent()), [None]);
        turn(&mut book, &[heading(White)], &mut silent());
        assert_eq!(turn(&mut book, &[], &mut silent()), [Some((White, false))]);
        for _ in 0..30 {
            turn(&mut book, &[], &mut []);
        }
        assert_eq!(turn(&mut book, &[], &mut silent()), [None]);
    }

    #[test]
    fn what_a_diagram_says_itself_ends_it() {
        let mut book = BookSoFar::default();
        turn(&mut book, &[heading(Black)], &mut []);
        let mut page = [CaptionFacts::default(), says(White, FieldSource::Caption)];
        assert_eq!(turn(&mut book, &[], &mut page), [Some((Black, false)), None]);
        assert_eq!(turn(&mut book, &[], &mut silent()), [None]);
        // A bare task is White's by custom alone, and a task for either side is nobody's.
        turn(&mut book, &[heading(Black)], &mut silent());
        let either = CaptionFacts { either_side: true, ..CaptionFacts::default() };
        assert_eq!(turn(&mut book, &[], &mut [says(White, FieldSource::Stipulation), either]), [None, None]);
        assert_eq!(turn(&mut book, &[], &mut silent()), [Some((Black, false))]);
    }

    #[test]
    fn a_leaf_of_its_own_and_weak_words_leave_it_unsure() {
        let mut book = BookSoFar::default();
        turn(&mut book, &[heading(Black)], &mut []);
        assert_eq!(turn(&mut book, &[], &mut silent()), [Some((Black, false))]);
        let mut book = BookSoFar::default();
        turn(&mut book, &[heading(Black)], &mut silent());
        let mut weak = says(White, FieldSource::Caption);
        weak.evidence[0].weight = 0.5;
        assert_eq!(
            turn(&mut book, &[], &mut [weak, CaptionFacts::default()]),
            [Some((Black, false)), Some((Black, false))]
        );
        assert_eq!(turn(&mut book, &[], &mut silent()), [Some((Black, false))]);
    }

    #[test]
    fn a_second_walk_changes_nothing() {
        let mut pages = [silent(), silent()];
        for again in [true, false] {
            let mut book = BookSoFar::default();
            book.turn_page(&[heading(Black)], &mut []);
            for page in &mut pages {
                let changed = book.turn_page(&[], &mut page.iter_mut().collect::<Vec<_>>());
                assert_eq!(changed, [again]);
            }
        }
        let mut book = BookSoFar::default();
        assert_eq!(book.turn_page(&[], &mut pages[0].iter_mut().collect::<Vec<_>>()), [true]);
        assert!(pages[0][0].evidence.is_empty());
    }

    #[test]
    fn headings_are_those_of_the_page() {
        let at = |side, y| SideEvidence {
            side,
            source: FieldSource::BookDefault,
            text: "Black to move".into(),
            area: Some(PixelRect { y, ..PixelRect::default() }),
            weight: 0.85,
        };
        let facts = CaptionFacts {
            evidence: vec![at(White, 500), at(Black, 20)],
            ..says(White, FieldSource::BookDefault)
        };
        let found: Vec<Color> = headings_of([&facts, &facts]).iter().map(|h| h.side).collect();
        assert_eq!(found, [Black, White]);
    }
}
