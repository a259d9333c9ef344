//! What is written is read back by other readers, with any words that a book may hold.

mod formats;
mod round_trips;

use std::collections::HashMap;

use super::*;
use crate::chess::{FieldSource, Flag, FlagCode};
use crate::queue::{BookId, DiagramState, PageId, SourceId};
use crate::reading::{Orientation, Sources};

/// A plain diagram with all its words.
fn row() -> DiagramRow {
    DiagramRow {
        id: DiagramId(7),
        key: "9f86d081884c-1-3".into(),
        version: 1,
        book_id: BookId(1),
        book: "Tal".into(),
        book_title: None,
        book_author: Some("M. Tal".into()),
        source_id: SourceId(1),
        path: "Tal/scan 12.png".into(),
        page_id: PageId(1),
        page: 1,
        ordinal: 3,
        state: DiagramState::Approved,
        fen: "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1".into(),
        sources: Sources {
            placement: FieldSource::Picture,
            side_to_move: FieldSource::Caption,
            castling: FieldSource::Assumed,
            en_passant: FieldSource::Assumed,
            clocks: FieldSource::Assumed,
        },
        orientation: Orientation::WhiteBottom,
        number: Some("45".into()),
        players: Some("Tal – Botvinnik, Moscow 1960".into()),
        stipulation: Some("#2".into()),
        caption: Some("White to move".into()),
        first_move: None,
        confidence: 0.9987,
        model_version: "squares-1".into(),
        seen: true,
        flags: vec![Flag::new(FlagCode::UnusualMaterial, "two bishops on one colour")],
        pictures: Vec::new(),
        decided_by: Some("ada".into()),
        decided_at: Some(1_769_860_800_000),
        reason: None,
        acknowledged: vec![],
    }
}

fn write(format: Format, rows: &[DiagramRow]) -> String {
    Exporter::new(format, ExportOptions::default()).whole(rows, &HashMap::new())
}
