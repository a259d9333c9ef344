//! All that is to be said of a text that a person gives as a FEN: where it goes wrong, what the checks find.

use shakmaty::{Color, Position};

use super::lenient::{LenientReading, read_leniently};
use super::{Fen, Flag, FlagCode, check_placement, check_position};

/// All that is to be said of one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The text with wrappings such as `[FEN "..."]` taken off.
    pub text: String,
    pub reading: LenientReading,
    pub flags: Vec<Flag>,
    /// Remarks without a code.
    pub remarks: Vec<String>,
}

impl Report {
    pub fn of(line: &str) -> Report {
        let text = unwrap_fen(line);
        let reading = read_leniently(&text);
        let sound = reading.problems.is_empty();
        let flags = if sound { check_position(&reading.fen) } else { checks_of_a_broken_fen(&reading) };
        let remarks = if sound { remarks(&reading.fen, &reading) } else { Vec::new() };
        Report { text, reading, flags, remarks }
    }

    /// The text is a FEN, whatever its position is worth.
    pub fn is_sound(&self) -> bool {
        self.reading.problems.is_empty()
    }
}

/// Takes off what people copy with a FEN: a PGN tag, "FEN:", UCI's "position fen", quotes, an editor's
/// address with underscores.
fn unwrap_fen(line: &str) -> String {
    let mut text = line.trim();
    if let Some(rest) = text.strip_prefix("[FEN").or_else(|| text.strip_prefix("[fen")) {
        text = rest.trim_end_matches(']').trim();
    }
    for prefix in ["position fen", "fen:", "FEN:", "Fen:", "fen=", "FEN="] {
        text = text.strip_prefix(prefix).map_or(text, str::trim);
    }
    text = text.trim_matches(['"', '\'', '`', '\u{201c}', '\u{201d}', '\u{ab}', '\u{bb}']).trim();
    if let Some((_, path)) = text.split_once("://") {
        // the placement is the last eight parts of the path
        let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
        if parts.len() > 8 {
            return parts[parts.len() - 8..].join("/").replace("%20", " ").replace('_', " ");
        }
    }
    if !text.contains(' ') && text.contains('/') {
        return text.replace('_', " ");
    }
    text.to_owned()
}

/// The checks that make sense when the text could not be read whole.
fn checks_of_a_broken_fen(reading: &LenientReading) -> Vec<Flag> {
    if !reading.looks_like_fen {
        return Vec::new();
    }
    // a king may stand where nothing could be read
    let blind = !reading.unknown.is_empty();
    check_placement(&reading.fen.placement)
        .into_iter()
        .filter(|flag| !(blind && flag.code == FlagCode::MissingKing))
        .collect()
}

fn remarks(fen: &Fen, reading: &LenientReading) -> Vec<String> {
    let mut out = Vec::new();
    for field in &reading.missing {
        out.push(format!("no {field} given, {} is taken", field.usual_value().unwrap_or("nothing")));
    }
    if let Some(square) = fen.en_passant.filter(|_| !fen.en_passant_capture()) {
        out.push(format!("nobody can capture on {square}: most programs write - as the en passant square"));
    }
    if fen.en_passant.is_some() && fen.halfmove > 0 {
        out.push(format!("the halfmove clock is {} although a pawn has just moved", fen.halfmove));
    }
    if fen.fullmove == 0 {
        out.push("move numbers begin with 1".to_owned());
    }
    out
}

/// What the rules say of the position, if it is one.
pub fn state(fen: &Fen) -> String {
    let side = name(fen.side_to_move);
    match fen.playable() {
        Ok(position) if position.is_checkmate() => format!("{side} is checkmated"),
        Ok(position) if position.is_stalemate() => format!("{side} to move is stalemated"),
        Ok(position) if position.is_check() => format!("{side} to move, in check"),
        _ => format!("{side} to move"),
    }
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_off_wrappings() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        for wrapped in [
            fen.to_owned(),
            format!("  {fen}\t"),
            format!("[FEN \"{fen}\"]"),
            format!("FEN: {fen}"),
            format!("position fen {fen}"),
            format!("\u{201c}{fen}\u{201d}"),
            "https://example.org/editor/4k3/8/8/8/8/8/8/4K3_w_-_-_0_1".to_owned(),
            fen.replace(' ', "_"),
        ] {
            assert_eq!(unwrap_fen(&wrapped), fen);
        }
    }
}
