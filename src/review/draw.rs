//! Boards that a person draws, and corners that a person moves.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::decide::answer;
use super::diagrams::detail;
use super::error::ApiError;
use super::input::{At, Body, Stamp, bad, name_of};
use super::router::App;
use crate::board::{Point, Quad};
use crate::queue::{Crops, DiagramId, PageBoard, PageFile, PageId, QueueError};
use crate::reading::{DiagramReading, DrawnBoard};

/// A board to read.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardRequest {
    pub file: PageFile,
    pub drawn: DrawnBoard,
}

/// A board that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardRead {
    pub reading: DiagramReading,
    /// Pixels of the page.
    pub page_size: (u32, u32),
    pub crops: Crops,
}

/// Reads a drawn board on a thread of its own; the answer comes later.
pub type BoardSource =
    Arc<dyn Fn(BoardRequest) -> oneshot::Receiver<Result<BoardRead, String>> + Send + Sync>;

/// Decoding a page and reading captions may take seconds; more than this is a page that hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Smallest side of a drawn board, in page pixels: under it men cannot be told apart.
const SMALLEST: f32 = 60.0;

#[derive(Debug, Deserialize)]
pub(super) struct NewBoard {
    #[serde(default)]
    who: String,
    corners: [[f32; 2]; 4],
}

/// `POST /api/pages/{id}/boards {"corners": [[x, y] x 4]}`: a board that was missed, by its corners in page pixels, in any order. Returns
/// the new diagram.
pub(super) async fn add(
    State(app): State<App>,
    At(id): At<PageId>,
    Body(new): Body<NewBoard>,
) -> Result<Json<Value>, ApiError> {
    let quad = quad_of(new.corners).map_err(bad)?;
    let boards = app.queue.boards_of(id).await?;
    let ordinal = place_of(&quad, &boards);
    let others = boards.iter().map(|board| board.quad).collect();
    let drawn = DrawnBoard { quad, others, ordinal, snap: true };
    let read = read(&app, id, drawn).await?;
    let who = name_of(&new.who);
    let diagram = app.queue.add_drawn(id, &read.reading, read.page_size, &read.crops, &who).await?;
    Ok(Json(detail(&app.queue, diagram).await?))
}

#[derive(Debug, Deserialize)]
pub(super) struct MovedCorners {
    #[serde(flatten)]
    stamp: Stamp,
    corners: [[f32; 2]; 4],
}

/// `POST /api/diagrams/{id}/corners`: other corners of a board that was found badly. It is read anew; decisions stay.
pub(super) async fn redraw(
    State(app): State<App>,
    At(id): At<DiagramId>,
    Body(moved): Body<MovedCorners>,
) -> Result<Json<Value>, ApiError> {
    let quad = quad_of(moved.corners).map_err(bad)?;
    let row = app.queue.diagram_row(id).await?;
    let version = moved.stamp.version;
    if row.version != version {
        // before the work, not only after it
        let conflict =
            QueueError::Conflict { kind: "diagram", id: id.0, expected: version, current: row.version };
        return answer(&app, id, Err::<(), _>(conflict)).await;
    }
    let boards = app.queue.boards_of(row.page_id).await?;
    let others = boards.iter().filter(|board| board.id != id).map(|board| board.quad).collect();
    let drawn = DrawnBoard { quad, others, ordinal: row.ordinal, snap: false };
    let read = read(&app, row.page_id, drawn).await?;
    let who = name_of(&moved.stamp.who);
    let result = app.queue.redraw(id, version, &read.reading, read.page_size, &read.crops, &who).await;
    answer(&app, id, result).await
}

async fn read(app: &App, page: PageId, drawn: DrawnBoard) -> Result<BoardRead, ApiError> {
    let file = app.queue.page_file(page).await?;
    if file.gone {
        return Err(ApiError::Unread("its file is gone; put it back first".to_owned()));
    }
    let heard = (app.boards)(BoardRequest { file, drawn });
    match timeout(PATIENCE, heard).await {
        Ok(Ok(result)) => result.map_err(ApiError::Unread),
        Ok(Err(_)) => Err(ApiError::Internal("the reader of drawn boards is gone".to_owned())),
        Err(_) => Err(ApiError::Unread(format!("no answer within {} seconds", PATIENCE.as_secs()))),
    }
}

/// Corners clockwise from the picture's top left, or why they make no board.
fn quad_of(corners: [[f32; 2]; 4]) -> Result<Quad, &'static str> {
    if corners.iter().flatten().any(|v| !v.is_finite() || v.abs() > 1e6) {
        return Err("corners far outside the page");
    }
    let mut points = corners.map(|[x, y]| Point::new(x, y));
    let center = Quad(points).center();
    let angle = |p: &Point| (p.y - center.y).atan2(p.x - center.x);
    points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    let first = (0..4).min_by(|&a, &b| (points[a].x + points[a].y).total_cmp(&(points[b].x + points[b].y)));
    points.rotate_left(first.unwrap_or(0));
    let quad = Quad(points);
    if (0..4).any(|i| points[i].distance(points[(i + 1) % 4]) < SMALLEST) {
        return Err("the corners are too near to each other for a board");
    }
    let turns = |i: usize| {
        let (a, b, c) = (points[i], points[(i + 1) % 4], points[(i + 2) % 4]);
        (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
    };
    if (0..4).any(|i| turns(i) <= 0.0) {
        return Err("the corners make no board: one lies inside the others' triangle");
    }
    Ok(quad)
}

/// The place in reading order: rows from above, in a row from the left.
fn place_of(quad: &Quad, boards: &[PageBoard]) -> u32 {
    let (center, half) = (quad.center(), quad.square_size() * 4.0);
    let before = boards.iter().filter(|board| {
        let other = board.quad.center();
        let same_row = (other.y - center.y).abs() < half;
        if same_row { other.x < center.x } else { other.y < center.y }
    });
    before.count() as u32 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::DiagramState;

    #[test]
    fn corners_in_any_order_become_a_board() {
        let (a, b, c, d) = ([100.0, 110.0], [500.0, 100.0], [510.0, 505.0], [95.0, 500.0]);
        for corners in [[a, b, c, d], [c, a, d, b], [d, c, b, a], [b, d, a, c]] {
            let quad = quad_of(corners).unwrap();
            assert_eq!(quad.0.map(|p| [p.x, p.y]), [a, b, c, d]);
            assert!(quad.area() > 0.0);
        }
    }

    #[test]
    fn what_is_no_board_is_refused() {
        let far = [[f32::NAN, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        assert!(quad_of(far).is_err());
        assert!(quad_of([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]]).is_err());
        // a corner inside the triangle of the others
        assert!(quad_of([[0.0, 0.0], [400.0, 0.0], [150.0, 130.0], [0.0, 400.0]]).is_err());
    }

    #[test]
    fn a_board_takes_its_place_in_reading_order() {
        let board = |ordinal: u32, x: f32, y: f32| PageBoard {
            id: DiagramId(i64::from(ordinal)),
            ordinal,
            number: None,
            state: DiagramState::Accepted,
            quad: Quad::from_bounds(x, y, x + 300.0, y + 300.0),
        };
        let boards = [board(1, 0.0, 0.0), board(2, 400.0, 10.0), board(3, 400.0, 500.0)];
        let at = |x: f32, y: f32| place_of(&Quad::from_bounds(x, y, x + 300.0, y + 300.0), &boards);
        assert_eq!(at(0.0, 490.0), 3);
        assert_eq!(at(800.0, 0.0), 3);
        assert_eq!(at(0.0, 900.0), 4);
    }
}
