//! Reads pages that print who moves in many languages and by many marks (`tests/pages/sides`), and a book whose headings speak for later
//! pages: against their labels (floors in `floors.toml`).

#[path = "common/place.rs"]
mod place;

use std::path::{Path, PathBuf};

use fenwatch::chess::{Color, FieldSource, FlagCode};
use fenwatch::page::{self, PageLimits};
use fenwatch::reading::book::follow;
use fenwatch::reading::{BookContext, BookSoFar, DiagramReading, PageReading, Reader, ReadingParams};
use place::overlap;
use serde::Deserialize;

#[derive(Deserialize)]
struct Labels {
    pages: Vec<LabelledPage>,
}

#[derive(Deserialize)]
struct LabelledPage {
    file: String,
    language: String,
    diagrams: Vec<LabelledDiagram>,
}

#[derive(Deserialize)]
struct LabelledDiagram {
    bbox: [f32; 4],
    caption: Option<String>,
    /// `None`: what is printed says nothing of the side.
    side_to_move: Option<char>,
}

#[derive(Debug, Default)]
struct Tally {
    printed: u32,
    right: u32,
    /// Wrong, or made out of nothing, without a flag about the side.
    silent: u32,
    /// Told the right side, flagged or not.
    proposed: u32,
}

#[derive(Deserialize)]
struct Floors {
    min_side: f64,
    max_silent: u32,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn judge(page: &LabelledPage, reading: &PageReading, tally: &mut Tally) {
    for label in &page.diagrams {
        tally.printed += u32::from(label.side_to_move.is_some());
        let Some(read) = reading.diagrams.iter().find(|d| overlap(&label.bbox, &d.quad) >= 0.7) else {
            println!("{}: {:?} was not found", page.file, label.caption);
            continue;
        };
        let side = if read.fen.contains(" b ") { 'b' } else { 'w' };
        let source = read.sources.side_to_move;
        let flagged =
            read.flags.iter().any(|f| matches!(f.code, FlagCode::SideAssumed | FlagCode::SideConflict));
        let told = !matches!(source, FieldSource::Assumed | FieldSource::Check);
        let right = label.side_to_move == Some(side) && told && !flagged;
        tally.right += u32::from(right);
        tally.proposed += u32::from(label.side_to_move == Some(side) && told);
        let wrong = if label.side_to_move.is_some() { label.side_to_move != Some(side) } else { told };
        tally.silent += u32::from(wrong && !flagged);
        if wrong || (label.side_to_move.is_some() && !right) {
            println!(
                "{}: {:?} is {:?}; read {side} by {source}, {:?}, {:?}",
                page.file, label.caption, label.side_to_move, read.caption.text, read.flags
            );
        }
    }
}

#[test]
fn sides_are_read_in_many_languages_and_by_all_marks() {
    let folder = folder().join("pages/sides");
    let text = std::fs::read_to_string(folder.join("labels.json")).expect("the labels are committed");
    let labels: Labels = serde_json::from_str(&text).expect("the labels are JSON of this shape");
    let mut reader =
        Reader::open(&ReadingParams::default()).expect("make setup has installed what a reader needs");
    let (mut tally, mut chapter) = (Tally::default(), Tally::default());
    let mut book = BookSoFar::default();
    for labelled in &labels.pages {
        let mut document =
            page::open(&folder.join(&labelled.file), &PageLimits::default()).expect("test pages decode");
        let page = document.read(0).expect("test pages decode");
        let mut reading =
            reader.read_page(&page, &BookContext::default(), None).expect("reading never fails on a page");
        if labelled.language == "chapter" {
            let movers = reading.diagrams.iter_mut().map(DiagramReading::mover);
            follow(&mut book, &reading.headings, movers, None::<Color>);
            judge(labelled, &reading, &mut chapter);
        } else {
            judge(labelled, &reading, &mut tally);
        }
    }
    println!("sides {tally:?}, by headings {chapter:?}");
    let floors = floors();
    assert!(f64::from(tally.right) >= floors.min_side * f64::from(tally.printed), "{tally:?}");
    assert!(tally.silent <= floors.max_silent, "{tally:?}");
    // The chapter's heading stands on a leaf without boards: it is proposed, with a flag.
    assert_eq!((chapter.proposed, chapter.silent), (chapter.printed, 0), "{chapter:?}");
}

fn floors() -> Floors {
    #[derive(Deserialize)]
    struct File {
        sides: Floors,
    }
    use figment::providers::Format;
    figment::Figment::from(figment::providers::Toml::file(folder().join("floors.toml")))
        .extract::<File>()
        .expect("floors.toml has a table sides")
        .sides
}
