//! Each format, word for word.

use super::*;
use crate::queue::FirstMoveRow;

#[test]
fn epd() {
    let expected = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; c0 \"White to move\"; c1 \"Tal\"; c2 \"scan 12.png, page 1, number 45\"; \
                    c3 \"Tal – Botvinnik, Moscow 1960\"; dm 1; id \"9f86d081884c-1-3\";\n";
    assert_eq!(write(Format::Epd, &[row()]), expected);
}

#[test]
fn epd_of_a_bare_diagram_and_of_a_known_move_number() {
    let mut bare = row();
    (bare.caption, bare.players, bare.number, bare.stipulation) =
        (None, Some(" ".into()), Some("\n".into()), Some("h#2".into()));
    bare.fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 3 23".into();
    bare.sources.clocks = FieldSource::MoveNumber;
    let expected = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - c1 \"Tal\"; c2 \"scan 12.png, page 1, diagram 3\"; fmvn 23; hmvc 3; \
                    id \"9f86d081884c-1-3\";\n";
    assert_eq!(write(Format::Epd, &[bare]), expected);
}

#[test]
fn epd_gives_only_mates_that_are_there() {
    let operations = |fen: &str, stipulation: &str| {
        let mut row = row();
        (row.fen, row.stipulation) = (fen.into(), Some(stipulation.into()));
        let text = write(Format::Epd, &[row]);
        let operand = |name: &str| {
            text.split("; ").find_map(|part| part.split_once(name)).map(|part| part.1.to_owned())
        };
        (operand("bm "), operand("dm "))
    };
    let some = |text: &str| Some(text.to_owned());
    // proved, with its only key
    assert_eq!(operations("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "#2"), (some("Ra6"), some("2")));
    // proved not to be there, though it is printed
    assert_eq!(operations("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "#2"), (None, None));
    // nobody can play on from it
    assert_eq!(operations("8/8/8/8/8/8/4P3/4K3 w - - 0 1", "#2"), (None, None));
    // printed and too long to prove
    assert_eq!(operations("4k3/8/8/8/8/8/4P3/Q3K3 w - - 0 1", "#9"), (None, some("9")));
    // no direct mate
    for other in ["s#2", "h#2", "+", "#", "ser-#2", "mate"] {
        assert_eq!(operations("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", other), (None, None), "{other}");
    }
}

#[test]
fn printed_moves_are_remarks_never_best_moves() {
    // praised, a try, another diagram's solution: print does not tell them apart for certain
    for text in ["23.Rd8+! Kf8", "1. Rd7 ? loses", "1.Rd8#"] {
        let mut row = row();
        (row.stipulation, row.caption) = (None, None);
        row.first_move =
            Some(FirstMoveRow { text: text.into(), language: Some("en".into()), solution: true });
        let written = write(Format::Epd, &[row]);
        assert!(!written.contains(" bm "), "{written}");
        assert!(written.contains(&format!("c4 \"{text}\";")), "{written}");
    }
}

#[test]
fn pgn() {
    let expected = r#"[Event "Tal"]
[Site "scan 12.png, page 1"]
[Date "1960.??.??"]
[Round "45"]
[White "Tal"]
[Black "Botvinnik"]
[Result "*"]
[Annotator "M. Tal"]
[ChapterName "Tal 45"]
[FEN "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"]
[SetUp "1"]

{ White to move / Tal – Botvinnik, Moscow 1960 / #2 } *

"#;
    assert_eq!(write(Format::Pgn, &[row()]), expected);
}

#[test]
fn pgn_with_black_to_move_and_an_assumed_side() {
    let mut black = row();
    black.fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1".into();
    black.sources.side_to_move = FieldSource::Assumed;
    (black.caption, black.players, black.number, black.stipulation, black.book_author) =
        (Some("{%} \"x\" \\".into()), Some("S. Loyd".into()), None, None, None);
    let text = write(Format::Pgn, &[black]);
    assert!(
        text.ends_with("\n\n{ 1... Black to move / (%) \"x\" \\ / S. Loyd / side to move assumed } *\n\n"),
        "{text}"
    );
    assert!(text.contains("[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]"), "{text}");
    assert!(text.contains("[ChapterName \"Tal, scan 12.png, page 1, diagram 3\"]"), "{text}");
}

#[test]
fn pgn_lines_never_begin_with_an_escape() {
    let mut long = row();
    long.caption = Some("%a plain [b words ;c here ".repeat(40));
    let text = write(Format::Pgn, &[long]);
    let movetext = text.split_once("\n\n").unwrap().1;
    assert!(movetext.lines().count() > 4);
    assert!(movetext.lines().all(|line| !line.starts_with(['%', '[', ';'])), "{movetext}");
}

#[test]
fn fen_in_both_en_passant_styles() {
    let mut pawn = row();
    pawn.fen = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1".into();
    assert_eq!(write(Format::Fen, &[pawn.clone()]), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1\n");
    let options = ExportOptions { en_passant: EnPassantStyle::DoubleStep, ..ExportOptions::default() };
    let always = Exporter::new(Format::Fen, options).whole(&[pawn], &HashMap::new());
    assert_eq!(always, "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1\n");
}

#[test]
fn csv() {
    let mut quoted = row();
    quoted.caption = Some("a \"b\", c".into());
    let pictures =
        HashMap::from([(quoted.id, PictureFiles { board: Some("tal-7.png".into()), caption: None })]);
    let text = Exporter::new(Format::Csv, ExportOptions::default()).whole(&[quoted], &pictures);
    let (header, line) = text.split_once("\r\n").unwrap();
    assert_eq!(header.split(',').count(), 18);
    let expected = "9f86d081884c-1-3,Tal,Tal/scan 12.png,1,3,45,6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1,w,caption,white_bottom,\
                    \"Tal – Botvinnik, Moscow 1960\",#2,\"a \"\"b\"\", c\",approved,0.9987,unusual_material,tal-7.png,\r\n";
    assert_eq!(line, expected);
}

#[test]
fn json() {
    let mut undecided = row();
    (undecided.decided_by, undecided.decided_at) = (None, None);
    let text = write(Format::Json, &[row(), undecided]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["schema"], "fenwatch-collection-1");
    let first = &value["diagrams"][0];
    assert_eq!(
        first["decision"],
        serde_json::json!({
            "who": "ada", "at": "2026-01-31T12:00:00Z", "reason": null, "acknowledged": []
        })
    );
    assert_eq!(first["sources"]["side_to_move"], "caption");
    assert_eq!(first["flags"][0]["code"], "unusual_material");
    assert_eq!(value["diagrams"][1]["decision"], serde_json::Value::Null);
    assert_eq!(first["id"], "9f86d081884c-1-3");
    let empty: serde_json::Value = serde_json::from_str(&write(Format::Json, &[])).unwrap();
    assert_eq!(empty["diagrams"], serde_json::json!([]));
}

#[test]
fn anki() {
    let mut black = row();
    black.orientation = Orientation::BlackBottom;
    black.caption = Some("a <b> & \"c\"".into());
    let text = write(Format::Anki, &[black.clone()]);
    let note = text.lines().find(|line| !line.starts_with('#')).unwrap();
    assert_eq!(note.matches('\t').count(), 4);
    assert!(note.contains("a &lt;b&gt; &amp; &quot;c&quot;"), "{note}");
    let mut blank = black.clone();
    (blank.caption, blank.players) = (Some(" \n".into()), None);
    assert!(!write(Format::Anki, &[blank]).contains("<br><br>"));
    assert_eq!(note.matches("<td ").count(), 64);
    let men: String = note.chars().filter(|c| ('\u{2654}'..='\u{265f}').contains(c)).collect();
    assert_eq!(men, "♔♖♙♙♙♟♟♟♚", "seen from Black's side: White's king in the first row");
    let pictures =
        HashMap::from([(black.id, PictureFiles { board: Some("tal-7.png".into()), caption: None })]);
    let text = Exporter::new(Format::Anki, ExportOptions::default()).whole(&[black], &pictures);
    assert!(
        text.contains("\tFenwatch::Tal\t\"<img src=\"\"tal-7.png\"\"><div>White to move</div>\"\t"),
        "{text}"
    );
}

#[test]
fn ascii_leaves_nothing_else() {
    let mut words = row();
    words.book = "Шахматы — ย่อ".into();
    words.path = format!("{}/Grünfeld.png", words.book);
    for format in [Format::Epd, Format::Pgn] {
        let options = ExportOptions { ascii: true, ..ExportOptions::default() };
        let text = Exporter::new(format, options).whole(std::slice::from_ref(&words), &HashMap::new());
        assert!(text.is_ascii() && text.contains("Shakhmaty - ?"), "{text}");
    }
}

#[test]
fn two_runs_give_the_same_bytes() {
    let rows = [row(), row(), row()];
    for format in Format::ALL {
        assert_eq!(write(format, &rows), write(format, &rows));
        assert_eq!(format.as_str().parse(), Ok(format));
    }
    assert!("xls".parse::<Format>().is_err());
}
