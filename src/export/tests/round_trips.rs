//! Readers of their own, fed with nasty words.

use std::io::Cursor;
use std::ops::ControlFlow;

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use proptest::prelude::*;

use super::*;

/// Words as they come from books, OCR and file systems.
fn words() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        Just("\""),
        Just("\\"),
        Just(";"),
        Just("{"),
        Just("}"),
        Just("("),
        Just(")"),
        Just("["),
        Just("]"),
        Just("%"),
        Just("\n"),
        Just("\r\n"),
        Just("\t"),
        Just("\0"),
        Just("\u{202e}"),
        Just(" "),
        Just("  "),
        Just(","),
        Just("'"),
        Just("1-0"),
        Just("*"),
        Just("1..."),
        Just("$1"),
        Just("\n\n[Event \"x\"]\n"),
        Just("} 1. e4"),
        Just("\\\""),
        Just("Ход белых"),
        Just("ขาวเดินก่อน"),
        Just("先手"),
        Just("Grünfeld"),
        Just("□"),
        Just("♔"),
        Just("\u{1f600}"),
        Just("<b>"),
        Just("&amp;"),
        Just("c0 \"x\";"),
        Just("White to move"),
        Just("é"),
        Just("e\u{301}"),
        Just("a"),
    ];
    proptest::collection::vec(pieces, 0..24).prop_map(|pieces| pieces.concat())
}

fn maybe() -> impl Strategy<Value = Option<String>> {
    proptest::option::weighted(0.8, words())
}

const FENS: [&str; 5] = [
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "r3k2r/pppq1ppp/2n1bn2/3pp3/3PP3/2N1BN2/PPPQ1PPP/R3K2R b KQkq - 4 11",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 30",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/8 b - - 0 1",
];

fn rows() -> impl Strategy<Value = Vec<DiagramRow>> {
    let one = (words(), words(), maybe(), maybe(), maybe(), maybe(), maybe(), 0..FENS.len(), any::<bool>())
        .prop_map(|(book, file, title, author, number, players, caption, fen, assumed)| {
            let mut row = row();
            row.path = format!("{book}/{file}");
            row.book = book;
            (row.book_title, row.book_author) = (title, author);
            (row.number, row.players, row.caption) = (number, players, caption);
            row.fen = FENS[fen].to_owned();
            if assumed {
                row.sources.side_to_move = FieldSource::Assumed;
            }
            row
        });
    proptest::collection::vec(one, 0..6)
}

/// The operations of an EPD line, read by a reader that knows backslash escapes.
fn operations_escaped(mut text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    loop {
        text = text.trim_start();
        if text.is_empty() {
            return out;
        }
        let end = text.find([' ', ';']).unwrap();
        let name = text[..end].to_owned();
        let rest = text[end..].trim_start();
        let mut operand = String::new();
        let mut letters = rest.char_indices();
        let mut quoted = false;
        let stop = loop {
            let (at, letter) = letters.next().expect("an operation ends with a semicolon");
            match letter {
                '\\' if quoted => operand.push(letters.next().unwrap().1),
                '"' => quoted = !quoted,
                ';' if !quoted => break at,
                other => operand.push(other),
            }
        };
        out.push((name, operand));
        text = &rest[stop + 1..];
    }
}

/// The same by a reader that splits at every semicolon.
fn operations_simple(text: &str) -> Vec<(String, String)> {
    text.split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (name, operand) = part.split_once(' ').unwrap();
            (name.to_owned(), operand.trim_matches('"').to_owned())
        })
        .collect()
}

#[derive(Debug, Default, PartialEq)]
struct Game {
    tags: Vec<(String, String)>,
    comments: Vec<String>,
    moves: usize,
    variations: usize,
    outcomes: usize,
}

struct Collector;

impl Visitor for Collector {
    type Tags = Game;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        let name = String::from_utf8(name.to_vec()).unwrap();
        // as it stands: no value needs an escape
        game.tags.push((name, String::from_utf8(value.as_bytes().to_vec()).unwrap()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, _: SanPlus) -> ControlFlow<Game> {
        game.moves += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, game: &mut Game) -> ControlFlow<Game, pgn_reader::Skip> {
        game.variations += 1;
        ControlFlow::Continue(pgn_reader::Skip(false))
    }

    fn comment(&mut self, game: &mut Game, comment: RawComment<'_>) -> ControlFlow<Game> {
        game.comments.push(String::from_utf8(comment.as_bytes().to_vec()).unwrap());
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut Game, outcome: shakmaty::Outcome) -> ControlFlow<Game> {
        assert_eq!(outcome, shakmaty::Outcome::Unknown, "{game:?}");
        game.outcomes += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}

fn games(text: &str) -> Vec<Game> {
    let mut reader = Reader::build(Cursor::new(text)).set_supported_comment_length(1 << 16).finish();
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut Collector).unwrap() {
        games.push(game);
    }
    games
}

/// Records of a CSV text.
fn records(text: &str) -> Vec<Vec<String>> {
    let mut out = vec![vec![String::new()]];
    let mut letters = text.chars().peekable();
    let mut quoted = false;
    while let Some(letter) = letters.next() {
        let record = out.last_mut().unwrap();
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                record.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(String::new()),
            '\r' if !quoted => {
                assert_eq!(letters.next(), Some('\n'));
                out.push(vec![String::new()]);
            }
            other => record.last_mut().unwrap().push(other),
        }
    }
    assert_eq!(out.pop(), Some(vec![String::new()]), "the text ends with a line end");
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn epd_comes_back(rows in rows(), ascii: bool) {
        let options = ExportOptions { ascii, ..ExportOptions::default() };
        let text = Exporter::new(Format::Epd, options).whole(&rows, &HashMap::new());
        prop_assert_eq!(text.matches('\n').count(), rows.len());
        prop_assert!(!ascii || text.is_ascii());
        for (line, row) in text.lines().zip(&rows) {
            let mut parts = line.splitn(5, ' ');
            let fields = parts.by_ref().take(4).collect::<Vec<_>>().join(" ");
            let operations = parts.next().unwrap();
            let epd: shakmaty::fen::Epd = fields.parse().unwrap();
            let fen: shakmaty::fen::Fen = row.fen.parse().unwrap();
            prop_assert_eq!(epd, shakmaty::fen::Epd::from(fen));
            let read = operations_escaped(operations);
            prop_assert_eq!(&read, &operations_simple(operations));
            prop_assert!(read.is_sorted_by(|a, b| a.0 < b.0), "{:?}", read);
            let read: HashMap<String, String> = read.into_iter().collect();
            prop_assert_eq!(&read["id"], &row.key);
            let mild = |text: &str| crate::export::text::one_line(text).replace('"', "'").replace(';', ",").replace('\\', "/");
            let caption = row.caption.as_deref().map(mild).filter(|text| !text.trim().is_empty());
            if !ascii {
                prop_assert_eq!(read.get("c0"), caption.as_ref());
            }
        }
    }

    #[test]
    fn pgn_comes_back(rows in rows(), ascii: bool) {
        let options = ExportOptions { ascii, ..ExportOptions::default() };
        let text = Exporter::new(Format::Pgn, options).whole(&rows, &HashMap::new());
        prop_assert!(!ascii || text.is_ascii());
        let games = games(&text);
        prop_assert_eq!(games.len(), rows.len(), "{}", text);
        for (game, row) in games.iter().zip(&rows) {
            let names: Vec<&str> = game.tags.iter().map(|(name, _)| name.as_str()).collect();
            prop_assert_eq!(&names[..7], ["Event", "Site", "Date", "Round", "White", "Black", "Result"]);
            prop_assert!(names[7..].is_sorted());
            let tag = |name: &str| game.tags.iter().find(|tag| tag.0 == name).map(|tag| tag.1.as_str());
            prop_assert_eq!(tag("FEN"), Some(row.fen.as_str()));
            prop_assert_eq!(tag("SetUp"), Some("1"));
            prop_assert!(game.tags.iter().all(|(_, value)| !value.is_empty() && !value.contains(['"', '\\'])));
            prop_assert_eq!((game.moves, game.variations, game.outcomes), (0, 0, 1), "{}", text);
            if !ascii {
                let title = row.book_title.as_deref().unwrap_or(&row.book);
                let event = crate::export::text::one_line(title).replace('"', "'").replace('\\', "/");
                prop_assert_eq!(tag("Event").unwrap(), if event.is_empty() { "?" } else { &event });
                let comment = game.comments.concat().replace('\n', " ");
                if let Some(caption) = row.caption.as_deref().map(crate::export::text::one_line) {
                    prop_assert!(comment.contains(&caption.replace('{', "(").replace('}', ")")), "{} in {}", caption, comment);
                }
            }
            let comment = game.comments.concat();
            prop_assert_eq!(comment.replace('\n', " ").contains("side to move assumed"),
                row.sources.side_to_move == FieldSource::Assumed);
        }
        let black = games.iter().filter(|game| game.comments.concat().contains("... Black to move"));
        prop_assert_eq!(black.count(), rows.iter().filter(|row| row.fen.contains(" b ")).count());
    }

    #[test]
    fn csv_and_json_keep_every_word(rows in rows()) {
        let records = records(&write(Format::Csv, &rows));
        prop_assert_eq!(records.len(), rows.len() + 1);
        let value: serde_json::Value = serde_json::from_str(&write(Format::Json, &rows)).unwrap();
        let column = |name: &str| records[0].iter().position(|field| field == name).unwrap();
        for (index, row) in rows.iter().enumerate() {
            let record = &records[index + 1];
            prop_assert_eq!(record.len(), records[0].len());
            let entry = &value["diagrams"][index];
            for (name, text) in [("caption", &row.caption), ("players", &row.players), ("number", &row.number)] {
                prop_assert_eq!(&record[column(name)], text.as_deref().unwrap_or_default());
                prop_assert_eq!(entry[name].as_str(), text.as_deref());
            }
            prop_assert_eq!(&record[column("path")], &row.path);
            prop_assert_eq!(&record[column("fen")], &row.fen);
            prop_assert_eq!(entry["path"].as_str(), Some(row.path.as_str()));
        }
    }

    #[test]
    fn anki_has_one_note_a_diagram(rows in rows()) {
        let text = write(Format::Anki, &rows);
        let notes: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        prop_assert_eq!(notes.len(), rows.len());
        prop_assert!(notes.iter().all(|note| note.matches('\t').count() == 4 && note.matches("<td ").count() == 64));
    }
}
