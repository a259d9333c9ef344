//! Reads the committed test pages with the real net and the real text recognizer: against their
//! labels (floors in `floors.toml`) and against the recorded readings (`golden/test_pages.txt`).
//!
//! `FENWATCH_UPDATE_GOLDEN=1 cargo test --test read_pages` records the readings anew after a wanted change.

#[path = "common/place.rs"]
mod place;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use fenwatch::board::{Point, QuarterTurn};
use fenwatch::chess::Placement;
use fenwatch::page::{self, PageLimits};
use fenwatch::reading::{BookContext, PageReading, Reader, ReadingParams, Status};
use place::overlap;
use serde::Deserialize;

#[derive(Deserialize)]
struct Labels {
    pages: Vec<LabelledPage>,
}

#[derive(Deserialize)]
struct LabelledPage {
    file: String,
    kind: String,
    #[serde(default)]
    turn: u32,
    diagrams: Vec<LabelledDiagram>,
}

#[derive(Deserialize)]
struct LabelledDiagram {
    bbox: [f32; 4],
    placement: String,
    side_to_move: Option<String>,
}

/// Counts over pages.
#[derive(Default)]
struct Tally {
    labelled: u32,
    found: u32,
    exact: u32,
    sides: u32,
    sides_right: u32,
    extra_accepted: u32,
    silent: u32,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// A label's box in the picture as stored: labels are in the upright page's pixels.
fn stored_box(label: &[f32; 4], page: &LabelledPage, reading: &PageReading) -> [f32; 4] {
    let turn = QuarterTurn::ALL[page.turn as usize / 90 % 4];
    let (width, height) = (reading.width as f32, reading.height as f32);
    let [a, b] = [(label[0], label[1]), (label[2], label[3])]
        .map(|(x, y)| turn.from_upright(Point::new(x, y), width, height));
    [a.x.min(b.x), a.y.min(b.y), a.x.max(b.x), a.y.max(b.y)]
}

fn judge(page: &LabelledPage, reading: &PageReading, tally: &mut Tally) {
    let mut taken = vec![false; reading.diagrams.len()];
    for label in &page.diagrams {
        tally.labelled += 1;
        tally.sides += u32::from(label.side_to_move.is_some());
        let best = (0..taken.len())
            .filter(|&i| !taken[i])
            .map(|i| (overlap(&stored_box(&label.bbox, page, reading), &reading.diagrams[i].quad), i))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, i)) = best.filter(|(overlap, _)| *overlap >= 0.7) else { continue };
        taken[i] = true;
        let diagram = &reading.diagrams[i];
        tally.found += 1;
        let truth: Placement = label.placement.parse().expect("labels hold placements");
        let exact = diagram.placement == truth;
        let side = diagram.fen.split(' ').nth(1).expect("a FEN has six fields");
        let side_right = label.side_to_move.as_deref().is_none_or(|s| s == side);
        tally.exact += u32::from(exact);
        tally.sides_right += u32::from(label.side_to_move.is_some() && side_right);
        tally.silent += u32::from(diagram.status() == Status::Accepted && !(exact && side_right));
    }
    let accepted = |i: usize| reading.diagrams[i].status() == Status::Accepted;
    tally.extra_accepted += (0..taken.len()).filter(|&i| !taken[i] && accepted(i)).count() as u32;
}

/// One line a diagram: what a change of any stage would show.
fn describe(file: &str, reading: &PageReading) -> String {
    let mut text = format!("{file}: {} diagrams\n", reading.diagrams.len());
    for flag in &reading.flags {
        let _ = writeln!(text, "  page {}", flag.code);
    }
    for d in &reading.diagrams {
        let mut flags: Vec<&str> = d.flags.iter().map(|f| f.code.as_str()).collect();
        flags.sort_unstable();
        flags.dedup();
        let source = d.sources.side_to_move;
        let caption = d.caption.text.as_deref().unwrap_or("-");
        let _ = writeln!(text, "  {} {source} {flags:?} {caption}", d.fen);
    }
    text
}

#[test]
fn test_pages_are_read_as_labelled_and_as_recorded() {
    let labels =
        std::fs::read_to_string(folder().join("pages/labels.json")).expect("the labels are committed");
    let labels: Labels = serde_json::from_str(&labels).expect("the labels are JSON of this shape");
    let mut reader =
        Reader::open(&ReadingParams::default()).expect("make setup has installed what a reader needs");
    let mut tally = Tally::default();
    let mut described = String::new();
    for labelled in &labels.pages {
        let path = folder().join("pages").join(&labelled.file);
        let page =
            page::open(&path, &PageLimits::default()).and_then(|mut d| d.read(0)).expect("test pages decode");
        let reading =
            reader.read_page(&page, &BookContext::default(), None).expect("reading never fails on a page");
        described += &describe(&labelled.file, &reading);
        judge(labelled, &reading, &mut tally);
        assert!(!labelled.kind.is_empty());
    }
    let golden = folder().join("golden/test_pages.txt");
    if std::env::var_os("FENWATCH_UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(folder().join("golden")).expect("the tests folder is writable");
        std::fs::write(&golden, described).expect("the golden file is writable");
    } else {
        let recorded = std::fs::read_to_string(&golden).expect("the golden file is committed");
        for (now, then) in described.lines().zip(recorded.lines()) {
            assert_eq!(now, then, "a reading changed; if that is wanted: FENWATCH_UPDATE_GOLDEN=1");
        }
        assert_eq!(described.lines().count(), recorded.lines().count(), "a reading came or went");
    }

    let floors = Floors::load();
    let share = |a: u32, b: u32| f64::from(a) / f64::from(b.max(1));
    println!(
        "found {}/{} exact {} sides {}/{} silent {} false alarms accepted {}",
        tally.found,
        tally.labelled,
        tally.exact,
        tally.sides_right,
        tally.sides,
        tally.silent,
        tally.extra_accepted
    );
    assert!(
        share(tally.found, tally.labelled) >= floors.min_found,
        "found {} of {}",
        tally.found,
        tally.labelled
    );
    assert!(
        share(tally.exact, tally.labelled) >= floors.min_exact,
        "exact {} of {}",
        tally.exact,
        tally.labelled
    );
    assert!(
        share(tally.sides_right, tally.sides) >= floors.min_side,
        "sides {} of {}",
        tally.sides_right,
        tally.sides
    );
    let silent = tally.silent + tally.extra_accepted;
    assert!(silent <= floors.max_silent, "{silent} silent errors");
}

#[derive(Deserialize)]
struct Floors {
    min_found: f64,
    min_exact: f64,
    min_side: f64,
    max_silent: u32,
}

impl Floors {
    fn load() -> Floors {
        #[derive(Deserialize)]
        struct File {
            generated: Floors,
        }
        use figment::providers::Format;
        figment::Figment::from(figment::providers::Toml::file(folder().join("floors.toml")))
            .extract::<File>()
            .expect("floors.toml has a table generated")
            .generated
    }
}
