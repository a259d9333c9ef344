//! The collection as text for other programs: EPD, PGN, FEN, CSV, JSON, and notes for Anki.
//!
//! Pure functions from rows to text; [`Exporter`] strings them together, [`Files`] brings them to the disk so that there is never
//! half a file. The same rows and options always give the same bytes.

mod anki;
mod ascii;
mod csv;
mod epd;
mod files;
mod json;
mod names;
mod pgn;
mod position;
mod text;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use crate::chess::EnPassantStyle;
use crate::queue::{DiagramId, DiagramRow};

pub use files::{ExportFileError, Files, split_name};
pub use names::picture_name;

/// What the text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One position a line with operations.
    Epd,
    /// One game without moves for each position.
    Pgn,
    /// One six-field FEN a line.
    Fen,
    /// A table with a header.
    Csv,
    /// Everything, for programs.
    Json,
    /// Notes for Anki's import: front the picture or a drawn board, back FEN and caption.
    Anki,
}

impl Format {
    pub const ALL: [Format; 6] =
        [Format::Epd, Format::Pgn, Format::Fen, Format::Csv, Format::Json, Format::Anki];

    /// The name on the command line, which is the usual file extension too (but for Anki, which imports `.txt`).
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Epd => "epd",
            Format::Pgn => "pgn",
            Format::Fen => "fen",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Anki => "anki",
        }
    }

    /// The media type, for downloads.
    pub fn media_type(self) -> &'static str {
        match self {
            Format::Pgn => "application/vnd.chess-pgn",
            Format::Csv => "text/csv; charset=utf-8",
            Format::Json => "application/json",
            Format::Epd | Format::Fen | Format::Anki => "text/plain; charset=utf-8",
        }
    }

    /// The extension of a download.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Anki => "txt",
            other => other.as_str(),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = || Format::ALL.map(Format::as_str).join(", ");
        Format::ALL
            .into_iter()
            .find(|format| format.as_str() == text)
            .ok_or_else(|| format!("unknown format {text:?} (known: {})", known()))
    }
}

/// How to write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Only ASCII in EPD and PGN, for old programs: accents go, Cyrillic is transliterated, what remains becomes `?`.
    pub ascii: bool,
    /// When the en passant square is written.
    pub en_passant: EnPassantStyle,
}

/// The pictures of a diagram that lie beside the export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PictureFiles {
    pub board: Option<String>,
    pub caption: Option<String>,
}

/// Writes one text of one format, entry by entry.
#[derive(Debug)]
pub struct Exporter {
    format: Format,
    options: ExportOptions,
    count: usize,
}

impl Exporter {
    pub fn new(format: Format, options: ExportOptions) -> Exporter {
        Exporter { format, options, count: 0 }
    }

    /// What stands before the first entry.
    pub fn begin(&mut self) -> String {
        self.count = 0;
        match self.format {
            Format::Csv => csv::HEADER.to_owned(),
            Format::Json => json::BEGIN.to_owned(),
            Format::Anki => anki::HEADER.to_owned(),
            Format::Epd | Format::Pgn | Format::Fen => String::new(),
        }
    }

    /// One diagram. Its id is its [`key`](DiagramRow::key), which says the same diagram in every export.
    pub fn entry(&mut self, row: &DiagramRow, pictures: &PictureFiles) -> String {
        let first = self.count == 0;
        self.count += 1;
        match self.format {
            Format::Epd => epd::line(row, &self.options),
            Format::Pgn => pgn::game(row, &self.options),
            Format::Fen => format!("{}\n", position::fen(row, self.options.en_passant)),
            Format::Csv => csv::line(row, pictures, self.options.en_passant),
            Format::Json => json::entry(row, pictures, first, self.options.en_passant),
            Format::Anki => anki::note(row, pictures, self.options.en_passant),
        }
    }

    /// What stands after the last entry.
    pub fn end(&mut self) -> String {
        match self.format {
            Format::Json => json::end(self.count == 0).to_owned(),
            _ => String::new(),
        }
    }

    /// All of it at once.
    pub fn whole(&mut self, rows: &[DiagramRow], pictures: &HashMap<DiagramId, PictureFiles>) -> String {
        let none = PictureFiles::default();
        let mut out = self.begin();
        for row in rows {
            out.push_str(&self.entry(row, pictures.get(&row.id).unwrap_or(&none)));
        }
        out.push_str(&self.end());
        out
    }
}
