//! Notes for Anki: a text file that its import reads without a question (fields separated by tabs, HTML, the deck named in the header).
//!
//! The front is the scan's picture when the pictures are written beside the file (to be copied into Anki's media folder), else
//! a drawn board; the back FEN, side to move, caption and place. The first column is a stable id, so that a second import
//! brings notes up to date instead of doubling them.

use super::PictureFiles;
use super::csv::field;
use super::position::{fen, side_remark};
use super::text::{one_line, page_name};
use shakmaty::{File, Rank};

use crate::chess::{Color, EnPassantStyle, Fen, Role, Square};
use crate::queue::DiagramRow;
use crate::reading::Orientation;

pub const HEADER: &str = "#separator:tab\n#html:true\n#notetype:Basic\n#guid column:1\n#deck column:2\n\
                          #columns:guid\tdeck\tFront\tBack\tTags\n#tags column:5\n";

/// One note, with its end.
pub fn note(row: &DiagramRow, pictures: &PictureFiles, style: EnPassantStyle) -> String {
    let fen = fen(row, style);
    let side = match row.side() {
        Color::White => "White to move",
        Color::Black => "Black to move",
    };
    let front = match &pictures.board {
        Some(name) => format!("<img src=\"{}\">", escape(name)),
        None => board(&fen, row.orientation),
    };
    let front = format!("{front}<div>{side}</div>");
    let mut back = vec![format!("<code>{}</code>", escape(&fen))];
    back.extend(
        [&row.caption, &row.players, &row.stipulation]
            .into_iter()
            .flatten()
            .map(|text| escape(&one_line(text)))
            .filter(|text| !text.is_empty()),
    );
    back.extend(side_remark(row).map(str::to_owned));
    back.push(escape(&one_line(&page_name(&row.path, &row.book, row.page))));
    // "::" separates levels of decks, spaces separate tags
    let book = one_line(&row.book).replace("::", ":");
    let tag: String = book.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    let fields = [
        format!("fenwatch:{}", row.key),
        format!("Fenwatch::{book}"),
        front,
        back.join("<br>"),
        format!("fenwatch {tag}"),
    ];
    let mut out = fields.iter().map(|text| field(text)).collect::<Vec<_>>().join("\t");
    out.push('\n');
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The board as a table of chess characters, seen as printed.
fn board(fen: &str, orientation: Orientation) -> String {
    let Ok(parsed) = Fen::parse(fen) else {
        return escape(fen);
    };
    let mut out =
        String::from("<table style='border-collapse:collapse;margin:auto;font-size:28px;line-height:34px'>");
    for row in 0..8u32 {
        out.push_str("<tr>");
        for column in 0..8u32 {
            let (file, rank) = match orientation {
                Orientation::WhiteBottom => (column, 7 - row),
                Orientation::BlackBottom => (7 - column, row),
            };
            let square = Square::from_coords(File::new(file), Rank::new(rank));
            let shade = if (row + column) % 2 == 0 { "#f0d9b5" } else { "#b58863" };
            let man = parsed.fen.placement.get(square).map_or(' ', |piece| symbol(piece.color, piece.role));
            let text = if man == ' ' { String::new() } else { format!("{man}\u{fe0e}") };
            out.push_str(&format!(
                "<td style='width:34px;height:34px;text-align:center;color:#000;background:{shade}'>{text}</td>"
            ));
        }
        out.push_str("</tr>");
    }
    out.push_str("</table>");
    out
}

fn symbol(color: Color, role: Role) -> char {
    let (white, black) = match role {
        Role::King => ('♔', '♚'),
        Role::Queen => ('♕', '♛'),
        Role::Rook => ('♖', '♜'),
        Role::Bishop => ('♗', '♝'),
        Role::Knight => ('♘', '♞'),
        Role::Pawn => ('♙', '♟'),
    };
    if color == Color::White { white } else { black }
}
