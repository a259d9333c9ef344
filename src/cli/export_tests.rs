use std::time::Duration;

use super::*;
use crate::caption::PixelRect;
use crate::chess::{FieldSource, Flag, FlagCode, Placement};
use crate::queue::{Crops, Decision, NewSource, PageOutcome, Pages, Picture};
use crate::reading::{DiagramReading, Orientation, PageReading, Sources};

fn diagram(placement: &str, number: u32, flags: Vec<Flag>) -> DiagramReading {
    let placement: Placement = placement.parse().unwrap();
    DiagramReading {
        ordinal: number,
        quad: crate::board::Quad::from_bounds(0.0, 100.0 * number as f32, 90.0, 100.0 * number as f32 + 90.0),
        squares: crate::board::SquareScores(Box::new([[1.0 / 13.0; 13]; 64])),
        raw: placement,
        legal: Some(placement),
        placement,
        orientation: Orientation::WhiteBottom,
        orientation_reason: String::new(),
        fen: format!("{placement} w - - 0 1"),
        sources: Sources {
            placement: FieldSource::Picture,
            side_to_move: FieldSource::Caption,
            castling: FieldSource::Assumed,
            en_passant: FieldSource::Assumed,
            clocks: FieldSource::Assumed,
        },
        caption: crate::caption::CaptionFacts { number: Some(number.to_string()), ..Default::default() },
        confidence: 0.9,
        flags,
        model_version: "m".into(),
    }
}

/// One page: an accepted diagram, one in doubt, an impossible one.
async fn collection() -> Queue {
    let queue = Queue::in_memory().await.unwrap();
    queue
        .enroll(&NewSource {
            book: "Tal".into(),
            root: "/scans".into(),
            path: "Tal/1.png".into(),
            hash: "0".repeat(64),
            bytes: 1,
            modified_ns: None,
            format: "png".into(),
            pages: Pages::Count(1),
        })
        .await
        .unwrap();
    let claim = queue.claim("t", Duration::from_secs(9)).await.unwrap().unwrap();
    let diagrams = vec![
        diagram("6k1/5ppp/8/8/8/8/5PPP/3R2K1", 1, vec![]),
        diagram("4k3/8/8/8/8/8/4P3/4K3", 2, vec![Flag::new(FlagCode::PoorPrint, "faded")]),
        diagram("4k3/8/8/8/8/8/8/8", 3, vec![Flag::new(FlagCode::MissingKing, "White has no king")]),
    ];
    let picture = |tag| Picture {
        media_type: "image/png".into(),
        width: 1,
        height: 1,
        area: Some(PixelRect::default()),
        data: vec![tag],
    };
    let crops = (0..3).map(|tag| Crops { board: Some(picture(tag)), ..Crops::default() }).collect();
    let outcome = PageOutcome {
        reading: PageReading { width: 100, height: 500, diagrams, ..PageReading::default() },
        crops,
        ..PageOutcome::default()
    };
    queue.finish(&claim, outcome).await.unwrap();
    queue
}

#[derive(clap::Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

/// Runs `export` with this command line; what it wrote, what it said, how it ended.
async fn run(queue: &Queue, line: &[&str]) -> anyhow::Result<(String, String, Outcome)> {
    let args = <Line as clap::Parser>::try_parse_from([&["export"], line].concat())?.args;
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let outcome = export(queue, &args, &mut out, &mut err).await?;
    Ok((String::from_utf8(out)?, String::from_utf8(err)?, outcome))
}

#[tokio::test]
async fn accepted_diagrams_go_out_and_the_others_are_told_of() {
    let queue = collection().await;
    let (out, err, outcome) = run(&queue, &["--format", "fen"]).await.unwrap();
    assert_eq!(out, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\n");
    assert!(err.contains("2 more wait for review"), "{err}");
    assert_eq!(outcome, Outcome::Done);
}

#[tokio::test]
async fn impossible_positions_are_refused_and_listed_until_a_person_accepts_them() {
    let queue = collection().await;
    let all = ["--format", "fen", "--state", "accepted,needs_review,approved"];
    let (out, err, outcome) = run(&queue, &all).await.unwrap();
    assert_eq!(out.lines().count(), 2);
    assert!(
        err.contains(
            "left out: Tal/1.png, page 1, diagram 3 (id 3): 4k3/8/8/8/8/8/8/8 w - - 0 1 missing_king"
        ),
        "{err}"
    );
    assert_eq!(outcome, Outcome::SomeFailed);
    let id = queue.diagram_ids(&Filter::default()).await.unwrap()[2];
    let yes = Decision::Approve { reason: None, acknowledged: vec![FlagCode::MissingKing] };
    queue.decide(id, 1, "ada", yes).await.unwrap();
    let (out, _, outcome) = run(&queue, &all).await.unwrap();
    assert_eq!((out.lines().count(), outcome), (3, Outcome::Done));
}

#[tokio::test]
async fn filters_choose() {
    let queue = collection().await;
    let (out, ..) =
        run(&queue, &["-f", "epd", "--state", "needs_review", "--flag", "poor_print"]).await.unwrap();
    assert!(out.contains("number 2") && out.lines().count() == 1, "{out}");
    let (out, ..) = run(&queue, &["-f", "fen", "--number", "2-9"]).await.unwrap();
    assert_eq!(out, "");
    let error = run(&queue, &["-f", "fen", "--book", "Tall"]).await.unwrap_err();
    assert!(super::super::is_usage(&error), "exit code 2");
    assert_eq!(error.to_string(), "there is no book \"Tall\" (known: Tal)");
    assert!(run(&queue, &["-f", "fen", "--state", "fine"]).await.is_err());
    assert!(run(&queue, &["-f", "fen", "--flag", "fine"]).await.is_err());
    assert!(run(&queue, &[]).await.unwrap_err().to_string().contains("which format"));
    assert!(run(&queue, &["-f", "fen", "--split", "2"]).await.is_err(), "parts need a name");
    assert!(run(&queue, &["-f", "fen", "--split", "0", "-o", "x"]).await.is_err());
}

#[tokio::test]
async fn files_are_whole_named_in_parts_and_never_overwritten_unasked() {
    let queue = collection().await;
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("tal.pgn").display().to_string();
    let all = ["--state", "accepted,needs_review", "--split", "1", "--output", &name];
    let (out, err, _) = run(&queue, &all).await.unwrap();
    assert_eq!(out, "");
    assert!(err.contains("2 positions written to 2 files") && err.contains("tal-002.pgn"), "{err}");
    for number in ["001", "002"] {
        let text = std::fs::read_to_string(folder.path().join(format!("tal-{number}.pgn"))).unwrap();
        assert_eq!(text.matches("[Event ").count(), 1);
    }
    let error = run(&queue, &all).await.unwrap_err().to_string();
    assert!(error.contains("tal-001.pgn is there already (--force overwrites it)"), "{error}");
    run(&queue, &[&all[..], &["--force"]].concat()).await.unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "no leftovers");
}

#[tokio::test]
async fn pictures_lie_beside_the_table_that_names_them() {
    let queue = collection().await;
    let folder = tempfile::tempdir().unwrap();
    let (table, crops) = (folder.path().join("t.csv"), folder.path().join("crops"));
    let line = ["-o", table.to_str().unwrap(), "--crops", crops.to_str().unwrap()];
    run(&queue, &line).await.unwrap();
    let text = std::fs::read_to_string(&table).unwrap();
    assert!(text.contains(",tal-1-p1-1-board.png,\r\n"), "{text}");
    assert_eq!(std::fs::read(crops.join("tal-1-p1-1-board.png")).unwrap(), [0]);
    assert_eq!(std::fs::read_dir(&crops).unwrap().count(), 1, "only of what is exported");
    // again: the same pictures may stay, other content may not be lost
    std::fs::remove_file(&table).unwrap();
    run(&queue, &line).await.unwrap();
    std::fs::write(crops.join("tal-1-p1-1-board.png"), "mine").unwrap();
    std::fs::remove_file(&table).unwrap();
    assert!(run(&queue, &line).await.is_err());
    assert!(!table.exists(), "no table without its pictures");
}
