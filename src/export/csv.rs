//! CSV (RFC 4180): a header, CRLF, fields in quotes where they need it. UTF-8 without a mark.

use super::PictureFiles;
use super::position::fen;
use crate::chess::EnPassantStyle;
use crate::queue::DiagramRow;

pub const HEADER: &str = "id,book,path,page,ordinal,number,fen,side_to_move,side_to_move_source,orientation,players,\
                          stipulation,caption,state,confidence,flags,board_picture,caption_picture\r\n";

/// One record, with its end.
pub fn line(row: &DiagramRow, pictures: &PictureFiles, style: EnPassantStyle) -> String {
    let flags = row.flags.iter().map(|flag| flag.code.as_str()).collect::<Vec<_>>().join(" ");
    let orientation = super::json::orientation(row.orientation);
    let or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
    let fields = [
        row.key.clone(),
        row.book.clone(),
        row.path.clone(),
        row.page.to_string(),
        row.ordinal.to_string(),
        or_empty(&row.number),
        fen(row, style),
        row.side().char().to_string(),
        row.sources.side_to_move.as_str().to_owned(),
        orientation.to_owned(),
        or_empty(&row.players),
        or_empty(&row.stipulation),
        or_empty(&row.caption),
        row.state.as_str().to_owned(),
        format!("{:.4}", row.confidence),
        flags,
        or_empty(&pictures.board),
        or_empty(&pictures.caption),
    ];
    let mut out = fields.iter().map(|text| field(text)).collect::<Vec<_>>().join(",");
    out.push_str("\r\n");
    out
}

/// A field, in quotes when it holds a separator, a quote, a line break or spaces at its ends.
pub fn field(text: &str) -> String {
    let quoted = text.contains([',', '"', '\n', '\r', '\t']) || text.trim() != text;
    if quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
