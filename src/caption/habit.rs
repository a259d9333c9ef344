//! What a page's captions have in common: signs before names are the side's where most boards have one, a small b is Black's where others have a W.

use super::facts::{CaptionFacts, SideEvidence};
use super::language::LineText;
use super::layout::CaptionLine;
use super::marks::upper_end;
use super::sense::{WEIGHT_SIGN, WEIGHT_UNSURE, lone_letter, sign};
use super::signs::{SURE_LETTER, read_signs};
use crate::board::Quad;
use crate::chess::{Color, FieldSource};

/// Signs before names ("■ Botvinnik") tell the side where most boards of the page have exactly one and both fills occur.
pub fn trust_signs_before_words(facts: &mut [CaptionFacts]) {
    let signs = |facts: &CaptionFacts| -> Vec<(usize, Color)> {
        let of_text = |e: &SideEvidence| {
            if e.source == FieldSource::Mark { sign(&e.text).filter(|s| s.1) } else { None }
        };
        facts.evidence.iter().enumerate().filter_map(|(i, e)| of_text(e).map(|s| (i, s.0))).collect()
    };
    let found: Vec<Vec<(usize, Color)>> = facts.iter().map(signs).collect();
    let ones: Vec<Color> =
        found.iter().filter_map(|own| if let [(_, side)] = own[..] { Some(side) } else { None }).collect();
    let both = ones.contains(&Color::White) && ones.contains(&Color::Black);
    if !both || 2 * ones.len() <= facts.len() {
        return;
    }
    for (facts, own) in facts.iter_mut().zip(found) {
        if let [(at, _)] = own[..] {
            let weight = &mut facts.evidence[at].weight;
            // Doubts about the reading stay.
            *weight = (*weight * WEIGHT_SIGN / WEIGHT_UNSURE).min(WEIGHT_SIGN);
        }
    }
}

/// A small b beside a board is no file's letter, and Black's where the page's others have a W: both letters at the ends of their boards.
pub fn small_b_beside(mut texts: Vec<LineText>, lines: &[&CaptionLine], boards: &[Quad]) -> Vec<LineText> {
    let at_end = |line: &CaptionLine| {
        let claim = line.claims[0];
        let (_, top, _, bottom) = boards[claim.board].bounds();
        let middle = line.area.y as f32 + line.area.height as f32 / 2.0;
        line.pieces == 1 && upper_end(claim.place, middle, top, bottom).is_some()
    };
    let is_white = |text: &LineText| matches!(lone_letter(&text.text), Some("W" | "w"));
    if !texts.iter().zip(lines).any(|(text, line)| at_end(line) && is_white(text)) {
        return texts;
    }
    for (text, line) in texts.iter_mut().zip(lines).filter(|(_, line)| at_end(line)) {
        if let Some(signs) = read_signs(line).filter(|s| s.text == "b" && s.confidence >= SURE_LETTER) {
            *text = LineText {
                text: "B".to_owned(),
                confidence: signs.confidence,
                words: vec![("B".to_owned(), signs.confidence)],
                other: None,
            };
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_signs_before_names_is_trusted() {
        let board = |text: &str| {
            let side = sign(text).unwrap().0;
            let evidence = SideEvidence {
                side,
                source: FieldSource::Mark,
                text: text.into(),
                area: None,
                weight: WEIGHT_UNSURE,
            };
            CaptionFacts { evidence: vec![evidence], ..CaptionFacts::default() }
        };
        let trusted = |mut facts: Vec<CaptionFacts>| {
            trust_signs_before_words(&mut facts);
            facts.iter().filter(|f| f.evidence.iter().any(|e| e.weight >= 0.75)).count()
        };
        assert_eq!(trusted(vec![board("■ Tal"), board("□ Botvinnik"), CaptionFacts::default()]), 2);
        assert_eq!(trusted(vec![board("■ Tal"), board("■ Botvinnik")]), 0);
    }
}
