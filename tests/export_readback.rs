//! Exports a collection full of awkward words with the real program and reads it back with shakmaty. With `FENWATCH_READBACK_DIR`
//! the exports stay there, beside what they should hold, for the readers of `tests/readback`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use fenwatch::board::{Quad, SquareScores};
use fenwatch::caption::CaptionFacts;
use fenwatch::chess::{FieldSource, Flag, FlagCode, Placement};
use fenwatch::queue::{
    BookSettings, Crops, Decision, DiagramRow, Filter, NewSource, PageOutcome, Pages, Queue, QueueError,
};
use fenwatch::reading::{DiagramReading, Orientation, PageReading, Sources};
use serde_json::json;
use shakmaty::{CastlingMode, Chess, EnPassantMode, fen::Fen};

/// Words as books, recognizers and file systems give them.
const WORDS: [&str; 18] = [
    "plain words",
    "\"quoted\" and 'quoted'",
    "back\\slash \\\" and \\",
    "one; two; c0 \"x\";",
    "{braces} } 1. e4 {",
    "[Event \"no tag\"]\n\n[Event \"x\"]",
    "Ход белых — Ботвинник",
    "ขาวเดินก่อน",
    "王手 先手番",
    "lines\nand\r\nlines\tand tabs",
    "",
    " ",
    "% not an escape\n% nor this",
    "a, \"b\", c",
    "<b>&amp;</b> #tag",
    "1-0 * 1... $1 (",
    "Gru\u{308}nfeld \u{202e}turned\u{202c} \u{feff}mark",
    "=1+1 @cmd -x",
];

/// Six fields, the stipulation, moves of the mate that is there (`None`: nothing to say), whether a game can come to it.
const POSITIONS: [(&str, Option<&str>, Option<u16>, bool); 8] = [
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", Some("#1"), Some(1), true),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", Some("#2"), Some(2), true),
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 3 23", Some("h#2"), None, true),
    ("r3k2r/pppq1ppp/2n1bn2/3pp3/3PP3/2N1BN2/PPPQ1PPP/R3K2R b KQkq - 4 11", None, None, true),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 30", Some("+"), None, true),
    // the printed mate is not there
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", Some("#2"), None, true),
    ("4k3/8/8/8/8/8/4P3/8 b - - 0 1", None, None, false),
    ("8/8/8/8/8/8/8/8 w - - 0 1", None, None, false),
];

fn diagram(number: usize) -> DiagramReading {
    let (fen, stipulation, _, possible) = POSITIONS[number % POSITIONS.len()];
    let placement: Placement = fen.split(' ').next().unwrap().parse().unwrap();
    let word = |step: usize| Some(WORDS[(number * step + number / 7) % WORDS.len()].to_owned());
    let clocks = if fen.ends_with("0 1") { FieldSource::Assumed } else { FieldSource::MoveNumber };
    let side = if number.is_multiple_of(3) { FieldSource::Assumed } else { FieldSource::Caption };
    let top = 100.0 * (number % POSITIONS.len()) as f32;
    DiagramReading {
        ordinal: (number % POSITIONS.len()) as u32 + 1,
        quad: Quad::from_bounds(0.0, top, 90.0, top + 90.0),
        squares: SquareScores(Box::new([[1.0 / 13.0; 13]; 64])),
        raw: placement,
        legal: Some(placement),
        placement,
        orientation: if number.is_multiple_of(5) {
            Orientation::BlackBottom
        } else {
            Orientation::WhiteBottom
        },
        orientation_reason: String::new(),
        fen: fen.to_owned(),
        sources: Sources {
            placement: FieldSource::Picture,
            side_to_move: side,
            castling: FieldSource::Assumed,
            en_passant: FieldSource::Assumed,
            clocks,
        },
        caption: CaptionFacts {
            text: word(1),
            number: word(5),
            players: word(7),
            stipulation: stipulation.map(str::to_owned),
            ..CaptionFacts::default()
        },
        confidence: 0.9,
        flags: if possible { vec![] } else { vec![Flag::new(FlagCode::MissingKing, "no king")] },
        model_version: "m".into(),
    }
}

/// A book for each of the words, in its name, title, author and file name; every diagram approved.
async fn fill(queue: &Queue) -> Result<Vec<DiagramRow>, QueueError> {
    for (index, word) in WORDS.iter().enumerate() {
        let book = if word.trim().is_empty() { format!("book {index}") } else { word.replace('/', "_") };
        let path = format!("{book}/{}.png", word.replace('/', "_"));
        let pages = Pages::Count(1);
        queue
            .enroll(&NewSource {
                book: book.clone(),
                root: "/scans".into(),
                path,
                // ids begin with the first twelve digits
                hash: format!("{index:012x}{index:052x}"),
                bytes: 1,
                modified_ns: None,
                format: "png".into(),
                pages,
            })
            .await?;
        let id = queue.book_by_name(&book).await?.expect("it was just enrolled");
        let settings = BookSettings {
            title: (index % 2 == 0).then(|| format!("Title: {word}")),
            author: (index % 3 == 0).then(|| (*word).to_owned()),
            ..BookSettings::default()
        };
        queue.set_book(id, queue.book(id).await?.version, &settings, "ada").await?;
        let claim = queue.claim("test", Duration::from_secs(60)).await?.expect("a page waits");
        let first = index * POSITIONS.len();
        let reading = PageReading {
            width: 100,
            height: 900,
            diagrams: (first..first + POSITIONS.len()).map(diagram).collect(),
            ..PageReading::default()
        };
        let crops = vec![Crops::default(); POSITIONS.len()];
        queue.finish(&claim, PageOutcome { reading, crops, ..PageOutcome::default() }).await?;
    }
    for row in queue.diagrams(&Filter::default(), 1000, 0).await? {
        let codes = row.flags.iter().map(|flag| flag.code).collect();
        let yes = Decision::Approve { reason: None, acknowledged: codes };
        queue.decide(row.id, row.version, "ada", yes).await?;
    }
    queue.diagrams(&Filter::default(), 1000, 0).await
}

fn expected(row: &DiagramRow) -> serde_json::Value {
    let known = POSITIONS.iter().find(|(fen, ..)| *fen == row.fen).expect("a FEN of the table");
    json!({
        "book": row.book, "title": row.book_title, "author": row.book_author, "path": row.path, "page": row.page,
        "ordinal": row.ordinal, "number": row.number, "players": row.players, "stipulation": row.stipulation,
        "caption": row.caption, "fen": row.fen, "side": row.side().char().to_string(),
        "side_source": row.sources.side_to_move.as_str(), "clocks_known": row.sources.clocks != FieldSource::Assumed,
        "mate": known.2, "possible": known.3,
    })
}

fn export(database: &Path, folder: &Path, file: &str, more: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_fenwatch"))
        .current_dir(folder)
        .env_remove("FENWATCH_READBACK_DIR")
        .args(["export", "--database", database.to_str().unwrap(), "--output", file])
        .args(more)
        .output()
        .unwrap();
    assert!(output.status.success(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(folder.join(file)).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collection_of_awkward_words_comes_back() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = std::env::var_os("FENWATCH_READBACK_DIR").map(PathBuf::from);
    let folder = folder.as_deref().unwrap_or(temporary.path());
    let database = temporary.path().join("queue.db");
    let queue = Queue::open(&database).await.unwrap();
    let rows = fill(&queue).await.unwrap();
    queue.close().await;
    assert_eq!(rows.len(), WORDS.len() * POSITIONS.len());
    let list: Vec<_> = rows.iter().map(expected).collect();
    fs::write(folder.join("expected.json"), serde_json::to_string_pretty(&list).unwrap()).unwrap();

    let fens = export(&database, folder, "book.fen", &[]);
    let epd = export(&database, folder, "book.epd", &[]);
    for (name, more) in [
        ("book.pgn", &[][..]),
        ("book.csv", &[]),
        ("book.json", &[]),
        ("book.txt", &["--format", "anki"]),
        ("ascii.epd", &["--ascii"]),
        ("ascii.pgn", &["--ascii"]),
        ("parts.pgn", &["--split", "7"]),
    ] {
        export(&database, folder, name, more);
    }

    assert_eq!((fens.lines().count(), epd.lines().count()), (rows.len(), rows.len()));
    for ((fen, epd), row) in fens.lines().zip(epd.lines()).zip(&rows) {
        assert_eq!(fen, row.fen);
        assert!(epd.starts_with(&format!("{} ", fen.rsplitn(3, ' ').last().unwrap())), "{epd}");
        let read: Fen = fen.parse().unwrap();
        if POSITIONS.iter().any(|(known, .., possible)| *known == fen && *possible) {
            let position: Chess = read.clone().into_position(CastlingMode::Standard).unwrap();
            assert_eq!(Fen::from_position(&position, EnPassantMode::Legal).to_string(), fen);
        }
    }
    let parts = fs::read_dir(folder)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("parts-"))
        .count();
    assert_eq!(parts, rows.len().div_ceil(7));
    // the same collection gives the same bytes
    fs::rename(folder.join("book.json"), folder.join("before.json")).unwrap();
    let again = export(&database, folder, "book.json", &[]);
    assert_eq!(again, fs::read_to_string(folder.join("before.json")).unwrap());
}
