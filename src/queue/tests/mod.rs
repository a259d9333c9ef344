//! Tests of the queue as a whole, on databases in memory and on disk.

mod claims;
mod decisions;
mod files;
mod kills;
mod lists;
mod opening;
mod rereads;
mod settling;
mod speed;

use std::time::Duration;

use super::*;
use crate::board::{Quad, SquareScores};
use crate::caption::{CaptionFacts, PixelRect};
use crate::chess::{FieldSource, Flag, FlagCode, PieceClass, Placement, Square};
use crate::reading::{DiagramReading, Orientation, PageReading, Sources};

const LEASE: Duration = Duration::from_secs(60);
const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1";
const KINGS: &str = "4k3/8/8/8/8/8/8/4K3";

/// A queue in memory whose clock stands still.
async fn queue() -> (Queue, Clock) {
    let clock = Clock::manual();
    let options = QueueOptions { clock: clock.clone(), ..QueueOptions::default() };
    (Queue::in_memory_with(options).await.unwrap(), clock)
}

/// A file with a content hash made from `content`.
fn file(path: &str, content: &str, pages: u32) -> NewSource {
    use sha2::{Digest, Sha256};
    let hash = Sha256::digest(content.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    NewSource {
        book: path.split_once('/').map_or("loose", |(book, _)| book).to_owned(),
        root: "/scans".to_owned(),
        path: path.to_owned(),
        hash,
        bytes: content.len() as u64,
        modified_ns: Some(1),
        format: "png".to_owned(),
        pages: Pages::Count(pages),
    }
}

/// A diagram at one of the places of a page (0, 1, 2, ... in reading order, two columns).
pub(crate) fn diagram(placement: &str, at: u32, flags: Vec<Flag>) -> DiagramReading {
    let placement: Placement = placement.parse().unwrap();
    let mut squares = SquareScores(Box::new([[0.001; 13]; 64]));
    for (row, square) in crate::chess::placement::squares_in_fen_order().enumerate() {
        squares.0[row][PieceClass::from(placement.get(square)).index()] = 0.988;
    }
    let (x, y) = (100.0 + 450.0 * (at % 2) as f32, 100.0 + 450.0 * (at / 2) as f32);
    DiagramReading {
        ordinal: at + 1,
        quad: Quad::from_bounds(x, y, x + 400.0, y + 400.0),
        squares,
        raw: placement,
        legal: Some(placement),
        placement,
        orientation: Orientation::WhiteBottom,
        orientation_reason: "coordinates".to_owned(),
        fen: format!("{placement} w - - 0 1"),
        sources: Sources {
            placement: FieldSource::Picture,
            side_to_move: FieldSource::Assumed,
            castling: FieldSource::Assumed,
            en_passant: FieldSource::Assumed,
            clocks: FieldSource::Assumed,
        },
        caption: CaptionFacts {
            text: Some(format!("Diagram {}", at + 1)),
            number: Some((at + 1).to_string()),
            ..CaptionFacts::default()
        },
        confidence: 0.9,
        flags,
        model_version: "test-1".to_owned(),
    }
}

fn doubt() -> Flag {
    Flag::new(FlagCode::SideAssumed, "nothing says who moves")
}

fn picture(tag: u8) -> Picture {
    Picture {
        media_type: "image/png".to_owned(),
        width: 3,
        height: 2,
        area: Some(PixelRect { x: 1, y: 2, width: 3, height: 4 }),
        data: vec![tag; 64],
    }
}

fn outcome(diagrams: Vec<DiagramReading>) -> PageOutcome {
    let crops = (0..diagrams.len())
        .map(|at| Crops { board: Some(picture(at as u8)), caption: None, squares: Some(picture(100)) })
        .collect();
    PageOutcome {
        reading: PageReading { width: 1000, height: 1500, diagrams, ..PageReading::default() },
        crops,
        page: Some(picture(200)),
        model_version: "test-1".to_owned(),
        took: Duration::from_millis(5),
    }
}

/// Enrolls a one-page file and reads these diagrams on it.
async fn read_page(queue: &Queue, path: &str, diagrams: Vec<DiagramReading>) -> Vec<DiagramId> {
    queue.enroll(&file(path, path, 1)).await.unwrap();
    let claim = queue.claim("t", LEASE).await.unwrap().unwrap();
    assert_eq!(claim.path, path);
    queue.finish(&claim, outcome(diagrams)).await.unwrap().diagrams
}

async fn sound(queue: &Queue) {
    assert_eq!(queue.verify().await.unwrap(), []);
}
