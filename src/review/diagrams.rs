//! Diagrams: lists, everything about one, its pictures.

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::check::position_json;
use super::crop::CropFrame;
use super::error::ApiError;
use super::input::{Asked, At, Listing, bad};
use super::router::App;
use crate::queue::{DiagramDetail, DiagramId, DiagramRow, Facts, PageBoard, Picture, PictureKind, Queue};

/// Rows that a request gets at once at most.
const MOST: u32 = 500;

/// `GET /api/diagrams?book=&state=&flag=&text=&number=&limit=&offset=`, in the order of the books.
pub(super) async fn diagrams(
    State(app): State<App>,
    Asked(listing): Asked<Listing>,
) -> Result<Json<Vec<DiagramRow>>, ApiError> {
    if listing.troubles {
        return Err(bad("`troubles` is known to /api/rows only"));
    }
    let limit = listing.limit.unwrap_or(100).min(MOST);
    Ok(Json(app.queue.diagrams(&listing.filter()?, limit, listing.offset.unwrap_or(0)).await?))
}

/// `GET /api/diagrams/{id}`: see [`detail`].
pub(super) async fn diagram(State(app): State<App>, At(id): At<DiagramId>) -> Result<Json<Value>, ApiError> {
    Ok(Json(detail(&app.queue, id).await?))
}

/// Everything about one diagram:
///
/// - `diagram`: what the collection says now, with flags and `version`; `facts`: the same as the facts that a correction sends back;
/// - `reading`: what the program said last: `squares` (64 rows of 13 probabilities, a8 first, seen from White's side as the *reading* has
///   it, in the order `.PNBRQKpnbrqk` of the classes, see `classes`), `corners` in page pixels, evidence;
/// - `crop`, `caption_crop`: the size of the board's and the caption's picture, their place on the page in page pixels, and the board's
///   `corners` in pixels of the picture, which stands upright also where the page does not;
/// - `decisions` and `earlier` readings; `can_undo`, `can_redo`;
/// - `page`: the size in pixels and all its boards;
/// - `check`: what the position checks say of the FEN.
pub(super) async fn detail(queue: &Queue, id: DiagramId) -> Result<Value, ApiError> {
    let detail = queue.diagram(id).await?;
    let boards = queue.boards_of(detail.row.page_id).await?;
    let quad = &detail.reading.quad;
    let crop = queue.picture_frame(id, PictureKind::Board).await?.map(|frame| CropFrame::of(frame, quad));
    let caption =
        queue.picture_frame(id, PictureKind::Caption).await?.map(|frame| CropFrame::of(frame, quad));
    let mut told = detail_json(&detail, &boards);
    told["crop"] = json!(crop);
    told["caption_crop"] = json!(caption);
    Ok(told)
}

fn detail_json(detail: &DiagramDetail, boards: &[PageBoard]) -> Value {
    let DiagramDetail { row, reading, page_size, decisions, earlier } = detail;
    let in_force = decisions.iter().filter(|d| !d.undone).map(|d| d.id).max();
    let can_redo = decisions.iter().any(|d| d.undone && in_force.is_none_or(|last| d.id > last));
    let classes: String = crate::chess::PieceClass::all().map(|class| class.letter()).collect();
    json!({
        "diagram": row,
        "facts": facts_of(row),
        "read_facts": Facts::of(reading),
        "reading": {
            "classes": classes,
            "squares": reading.squares.0.iter().map(|row| row.map(rounded)).collect::<Vec<_>>(),
            "corners": reading.quad.0.map(|p| [p.x, p.y]),
            "raw": reading.raw.to_string(),
            "legal": reading.legal.map(|legal| legal.to_string()),
            "orientation": reading.orientation,
            "orientation_reason": reading.orientation_reason,
            "confidence": reading.confidence,
            "caption": reading.caption,
            "flags": reading.flags,
            "model": reading.model_version,
        },
        "decisions": decisions,
        "earlier": earlier,
        "can_undo": in_force.is_some(),
        "can_redo": can_redo,
        "page": {
            "id": row.page_id,
            "width": page_size.0,
            "height": page_size.1,
            "boards": boards.iter().map(board_json).collect::<Vec<_>>(),
        },
        "check": position_json(&row.fen),
    })
}

/// A board of a page, with its corners as pairs.
pub(super) fn board_json(board: &PageBoard) -> Value {
    json!({
        "id": board.id,
        "ordinal": board.ordinal,
        "number": board.number,
        "state": board.state,
        "corners": board.quad.0.map(|p| [p.x, p.y]),
    })
}

/// The facts in force.
fn facts_of(row: &DiagramRow) -> Facts {
    Facts {
        fen: row.fen.clone(),
        sources: row.sources,
        orientation: row.orientation,
        number: row.number.clone(),
        players: row.players.clone(),
        stipulation: row.stipulation.clone(),
        caption: row.caption.clone(),
    }
}

/// Probabilities are shown to a tenth of a percent, and 832 of them are sent.
fn rounded(p: f32) -> f64 {
    (f64::from(p) * 1e4).round() / 1e4
}

/// `GET /pictures/diagrams/{id}/{kind}?v=VERSION`: the picture of a board, of its squares or of its caption.
pub(super) async fn picture(
    State(app): State<App>,
    At((id, kind)): At<(DiagramId, String)>,
) -> Result<Response, ApiError> {
    let kind = match kind.as_str() {
        "board" => PictureKind::Board,
        "squares" => PictureKind::Squares,
        "caption" => PictureKind::Caption,
        _ => return Err(ApiError::Missing("such kind of picture")),
    };
    let picture = app.queue.picture(id, kind).await?.ok_or(ApiError::Missing("such picture"))?;
    Ok(picture_response(picture))
}

/// The address names the version, so a browser may keep what it got. Its place on the page goes with it.
pub(super) fn picture_response(picture: Picture) -> Response {
    let keep = (CACHE_CONTROL, "private, max-age=3600".to_owned());
    ([(CONTENT_TYPE, picture.media_type), keep], picture.data).into_response()
}
