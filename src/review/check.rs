//! Checks a FEN as it is typed, and tells which rights the board would allow.

use axum::Json;
use serde::Deserialize;
use serde_json::{Value, json};

use super::error::ApiError;
use super::input::Asked;
use crate::chess::en_passant::possible_squares;
use crate::chess::report::{Report, state};
use crate::chess::{Castling, EnPassantStyle, FlagCode};

/// Characters of the longest text that is looked at: no FEN is a tenth of it.
const LONGEST: usize = 1000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Typed {
    #[serde(default)]
    fen: String,
}

/// `GET /api/check?fen=...`: see [`position_json`].
pub(super) async fn check(Asked(typed): Asked<Typed>) -> Result<Json<Value>, ApiError> {
    if typed.fen.chars().count() > LONGEST {
        return Err(ApiError::BadRequest(format!("a text of more than {LONGEST} characters")));
    }
    Ok(Json(position_json(&typed.fen)))
}

/// What is to be said of a text as a FEN. `fen` is its normal form with the en passant square as given, `null` where the text is no FEN;
/// `placement` is what could be read of it all the same, for drawing; `unknown` are squares of which nothing could be. `castling` and
/// `en_passant` are the rights and squares that the placement would allow; `cures` are placements that were probably meant.
pub(super) fn position_json(text: &str) -> Value {
    let report = Report::of(text);
    let reading = &report.reading;
    let fen = &reading.fen;
    let sound = report.is_sound();
    let problems: Vec<Value> = reading
        .problems
        .iter()
        .map(|p| json!({"start": p.span.start, "end": p.span.end, "message": p.message}))
        .collect();
    let cures: Vec<Value> = report
        .flags
        .iter()
        .filter_map(|flag| match flag.code {
            FlagCode::UpsideDown => {
                Some(json!({"code": flag.code, "placement": fen.placement.turned().to_string()}))
            }
            FlagCode::ColoursSwapped => {
                Some(json!({"code": flag.code, "placement": fen.placement.colours_swapped().to_string()}))
            }
            _ => None,
        })
        .collect();
    let squares: Vec<String> =
        possible_squares(&fen.placement, fen.side_to_move).iter().map(ToString::to_string).collect();
    json!({
        "text": report.text,
        "is_fen": sound,
        "looks_like_fen": reading.looks_like_fen,
        "fen": sound.then(|| fen.text(EnPassantStyle::DoubleStep)),
        "placement": reading.looks_like_fen.then(|| fen.placement.to_string()),
        "unknown": reading.unknown.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "missing": reading.missing.iter().map(|field| field.as_str()).collect::<Vec<_>>(),
        "problems": problems,
        "flags": report.flags,
        "remarks": report.remarks,
        "state": sound.then(|| state(fen)),
        "castling": Castling::possible(&fen.placement).to_string(),
        "en_passant": squares,
        "cures": cures,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_only_what_is_possible() {
        let said = position_json("r3k3/8/8/2pPp3/8/8/8/4K2R w Kq - 0 1");
        assert_eq!(said["castling"], "Kq");
        assert_eq!(said["en_passant"], json!(["c6", "e6"]));
        assert_eq!(said["is_fen"], true);
        assert_eq!(said["flags"], json!([]));
    }

    #[test]
    fn says_where_a_text_goes_wrong() {
        let said = position_json("4k3/8/8/8/8/8/8/4K4 w - - 0 1");
        assert_eq!(said["is_fen"], false);
        assert!(said["problems"][0]["message"].is_string(), "{said}");
        assert!(said["placement"].is_string() && said["fen"].is_null(), "{said}");
        assert_eq!(position_json("what is this")["looks_like_fen"], false);
    }
}
