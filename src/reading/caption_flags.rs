//! What a caption says besides the side to move: the first printed move and the count of men, checked against
//! the position, and a number that the page's other numbers speak against.

use crate::caption::CaptionFacts;
use crate::chess::{
    Color, Fen, FieldSource, Flag, FlagCode, MoveVerdict, PieceLetters, judge_first_move, parse_first_move,
};

/// Flags of a caption that the position contradicts.
pub fn caption_flags(caption: &CaptionFacts, fen: &Fen, side: Color, source: FieldSource) -> Vec<Flag> {
    let mut flags = Vec::new();
    flags.extend(solution_flag(caption, fen, side, source));
    flags.extend(count_flag(caption, fen));
    flags.extend(caption.number_doubt.as_ref().map(|why| Flag::new(FlagCode::NumberDoubtful, why.clone())));
    flags.extend(caption.layer_doubts.iter().map(|doubt| Flag::new(doubt.code, doubt.why.clone())));
    flags
}

/// The printed first move, read in the caption's language, in English and with figurines. A move that is
/// not understood (descriptive notation, a letter misread) raises nothing.
fn solution_flag(caption: &CaptionFacts, fen: &Fen, side: Color, source: FieldSource) -> Option<Flag> {
    let text = caption.first_move.as_deref()?;
    let own = caption.language.as_deref().and_then(PieceLetters::of_language);
    let alphabets = own.into_iter().chain(std::iter::once(PieceLetters::english()));
    let mut verdict = None;
    for letters in alphabets {
        let Ok(first) = parse_first_move(text, &letters) else { continue };
        let judged = judge_first_move(fen, &first, first.side.unwrap_or(side));
        if judged.is_possible() {
            return None;
        }
        verdict.get_or_insert(judged);
    }
    let why = match verdict? {
        MoveVerdict::Unplayable(reason) => reason,
        _ if source == FieldSource::Assumed => "no such move is legal".to_owned(),
        _ => format!("no such move of {} is legal", if side == Color::White { "White" } else { "Black" }),
    };
    Some(Flag::new(
        FlagCode::SolutionIllegal,
        format!("the printed move {text:?} cannot be played here: {why}"),
    ))
}

fn count_flag(caption: &CaptionFacts, fen: &Fen) -> Option<Flag> {
    let (white, black) = caption.piece_count?;
    let men = |color: Color| fen.placement.men().filter(|(_, piece)| piece.color == color).count();
    let (seen_white, seen_black) = (men(Color::White), men(Color::Black));
    ((seen_white, seen_black) != (usize::from(white), usize::from(black))).then(|| {
        let message = format!(
            "the caption counts {white} white and {black} black men, the board shows {seen_white} and {seen_black}"
        );
        Flag::new(FlagCode::MaterialMismatch, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fen(text: &str) -> Fen {
        Fen::new(text.parse().unwrap(), Color::White)
    }

    fn codes(caption: &CaptionFacts, fen: &Fen) -> Vec<FlagCode> {
        caption_flags(caption, fen, Color::White, FieldSource::Caption).iter().map(|f| f.code).collect()
    }

    #[test]
    fn printed_moves_are_played() {
        let position = fen("6k1/5ppp/8/8/8/8/5PPP/R5K1");
        let says = |text: &str, language: &str| CaptionFacts {
            first_move: Some(text.to_owned()),
            language: Some(language.to_owned()),
            ..CaptionFacts::default()
        };
        assert_eq!(codes(&says("1.Ra8#", "en"), &position), []);
        assert_eq!(codes(&says("1.Ta8 matt", "de"), &position), []);
        assert_eq!(codes(&says("1.Ra8+", "de"), &position), []);
        assert_eq!(codes(&says("1.Rb7", "en"), &position), [FlagCode::SolutionIllegal]);
        assert_eq!(codes(&says("1...Kf8", "en"), &position), []);
        assert_eq!(codes(&says("1. R-R8 mate", "en"), &position), []);
    }

    #[test]
    fn men_are_counted() {
        let position = fen("6k1/5ppp/8/8/8/8/5PPP/R5K1");
        let counts = |count| CaptionFacts { piece_count: Some(count), ..CaptionFacts::default() };
        assert_eq!(codes(&counts((5, 4)), &position), []);
        assert_eq!(codes(&counts((5, 5)), &position), [FlagCode::MaterialMismatch]);
    }
}
