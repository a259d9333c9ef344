//! Hyphen, en dash or em dash: recognizers tell them badly, their widths in the picture well.

use super::language::LineText;
use super::lines::InkLine;

/// A dash is so many times wider than high at least.
const FLAT: f32 = 1.8;
/// Wider than this, in capital heights, a stroke is a dash and no hyphen: hyphens are about 0.4, en dashes 0.7.
const EN: f32 = 0.55;
/// Wider than this it is an em dash: about 1.4.
const EM: f32 = 1.05;

/// Widths, in capital heights, of the flat pieces in the middle of a line's height.
pub fn dash_widths(line: &InkLine) -> Vec<f32> {
    let capital = line.capital_height.max(1.0);
    let inside = |y: f32| {
        (0.25..0.8).contains(&((y - line.bounds.y0 as f32) / (line.bounds.y1 - line.bounds.y0).max(1) as f32))
    };
    let flat = line.blobs.iter().filter(|b| {
        let (w, h) = (b.width() as f32, b.height() as f32);
        w >= FLAT * h && h <= 0.25 * capital && w >= 0.2 * capital && inside(b.center().1)
    });
    // A bar of an umlaut or a speck over another piece is no dash: nothing else stands in its columns.
    let alone = flat.filter(|b| line.blobs.iter().filter(|o| o.x0 < b.x1 && o.x1 > b.x0).count() == 1);
    alone.map(|b| b.width() as f32 / capital).collect()
}

/// Sets the dashes of a text by their widths, where the picture shows as many as were read.
pub fn set_dashes(text: &mut LineText, widths: &[f32]) {
    let is_dash = |c: char| matches!(c, '-' | '‐' | '–' | '—' | '−');
    if widths.is_empty() || text.text.chars().filter(|c| is_dash(*c)).count() != widths.len() {
        return;
    }
    let set = |old: &str| -> String {
        let mut widths = widths.iter();
        old.chars()
            .map(|c| match widths.as_slice().first() {
                Some(&width) if is_dash(c) => {
                    widths.next();
                    if width < EN {
                        '-'
                    } else if width < EM {
                        '–'
                    } else {
                        '—'
                    }
                }
                _ => c,
            })
            .collect()
    };
    let before = text.text.split_whitespace().count();
    text.text = set(&text.text);
    if text.words.len() == before {
        for ((word, _), new) in text.words.iter_mut().zip(text.text.split_whitespace()) {
            new.clone_into(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ink::Blob;
    use super::*;

    fn blob(x0: u32, y0: u32, width: u32, height: u32) -> Blob {
        Blob { x0, y0, x1: x0 + width, y1: y0 + height, area: width * height }
    }

    #[test]
    fn widths_tell_dashes_apart() {
        let blobs = vec![
            blob(0, 0, 12, 20),
            blob(20, 9, 8, 2),   // hyphen
            blob(40, 9, 14, 2),  // en dash
            blob(60, 9, 28, 3),  // em dash
            blob(92, 2, 8, 2),   // the bar over a letter ...
            blob(90, 6, 12, 14), // ... and the letter
            blob(110, 18, 8, 2), // low: a line below
        ];
        let bounds = blobs.iter().copied().reduce(|a, b| a.union(&b)).unwrap();
        let line = InkLine { bounds, blobs, capital_height: 20.0 };
        let widths = dash_widths(&line);
        assert_eq!(widths, [0.4, 0.7, 1.4]);
        let mut text = LineText {
            other: None,
            text: "A—B – C - D".into(),
            confidence: 0.9,
            words: ["A—B", "–", "C", "-", "D"].map(|word| (word.to_owned(), 0.9)).to_vec(),
        };
        set_dashes(&mut text, &widths);
        assert_eq!(text.text, "A-B – C — D");
        assert_eq!(text.words[0].0, "A-B");
        set_dashes(&mut text, &[0.4]);
        assert_eq!(text.text, "A-B – C — D");
    }
}
