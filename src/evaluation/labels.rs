//! Labelled pages: what a person says stands on them.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::chess::{Color, Placement};
use crate::reading::Orientation;

/// The pages of a file of labels.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Labels {
    pub pages: Vec<LabelledPage>,
}

/// One labelled page, or all pages of one file taken together.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelledPage {
    /// Where the scan is.
    pub path: PathBuf,
    /// As written in the labels, for messages.
    pub name: String,
    /// Whose figures it counts to.
    pub book: String,
    /// Counted from 1; without it, the labels are of all pages of the file.
    pub page: Option<u32>,
    pub diagrams: Vec<Label>,
}

/// What is printed in one diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// Left, top, right and bottom of the 8 x 8 squares, in pixels of the upright page.
    pub bounds: Option<[f32; 4]>,
    /// Seen from White's side, as in a FEN.
    pub placement: Placement,
    /// Where it is printed or follows from what is printed.
    pub side_to_move: Option<Color>,
    pub orientation: Option<Orientation>,
}

/// Why a file is no file of labels.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    #[error("cannot read {path}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{path} holds no labels: {source}")]
    Format { path: PathBuf, source: serde_json::Error },
    #[error("{path}: {page}, diagram {diagram}: {reason}")]
    Diagram { path: PathBuf, page: String, diagram: usize, reason: String },
    #[error("{path}: {page}: pages are counted from 1")]
    Page { path: PathBuf, page: String },
}

#[derive(Deserialize)]
struct RawFile {
    root: Option<PathBuf>,
    pages: Vec<RawPage>,
}

#[derive(Deserialize)]
struct RawPage {
    file: String,
    book: Option<String>,
    source: Option<String>,
    page: Option<u32>,
    diagrams: Vec<RawDiagram>,
}

#[derive(Deserialize)]
struct RawDiagram {
    bbox: Option<[f32; 4]>,
    placement: String,
    side_to_move: Option<String>,
    orientation: Option<Orientation>,
}

impl Labels {
    /// Reads a file of labels. Scans are looked for relative to `root`, and `root` relative to the file.
    ///
    /// # Errors
    /// When it cannot be read or says something that is no label; the message names page and diagram.
    pub fn load(path: &Path) -> Result<Labels, LabelError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| LabelError::Read { path: path.to_owned(), source })?;
        Labels::parse(&text, path)
    }

    /// Reads the text of a file of labels that lies at `path`.
    ///
    /// # Errors
    /// As [`Labels::load`].
    pub fn parse(text: &str, path: &Path) -> Result<Labels, LabelError> {
        // editors on Windows begin a file with a mark
        let text = text.trim_start_matches('\u{feff}');
        let raw: RawFile = serde_json::from_str(text)
            .map_err(|source| LabelError::Format { path: path.to_owned(), source })?;
        let folder = path.parent().unwrap_or(Path::new("")).join(raw.root.unwrap_or_default());
        let pages =
            raw.pages.into_iter().map(|page| page.into_page(path, &folder)).collect::<Result<_, _>>()?;
        Ok(Labels { pages })
    }
}

impl RawPage {
    fn into_page(self, path: &Path, folder: &Path) -> Result<LabelledPage, LabelError> {
        if self.page == Some(0) {
            return Err(LabelError::Page { path: path.to_owned(), page: self.file });
        }
        let diagrams = self.diagrams.into_iter().zip(1..).map(|(raw, diagram)| {
            raw.into_label().map_err(|reason| LabelError::Diagram {
                path: path.to_owned(),
                page: self.file.clone(),
                diagram,
                reason,
            })
        });
        let diagrams = diagrams.collect::<Result<_, _>>()?;
        Ok(LabelledPage {
            path: folder.join(&self.file),
            book: self.book.or(self.source).unwrap_or_default(),
            name: self.file,
            page: self.page,
            diagrams,
        })
    }
}

impl RawDiagram {
    fn into_label(self) -> Result<Label, String> {
        let side_to_move = match self.side_to_move.as_deref() {
            None => None,
            Some("w") => Some(Color::White),
            Some("b") => Some(Color::Black),
            Some(other) => return Err(format!("side_to_move is {other:?} instead of \"w\", \"b\" or null")),
        };
        if self.bbox.is_some_and(|[x0, y0, x1, y1]| !(x0 < x1 && y0 < y1)) {
            return Err("bbox is not left, top, right, bottom".to_owned());
        }
        let placement = self.placement.parse().map_err(|error| format!("{error}"))?;
        Ok(Label { bounds: self.bbox, placement, side_to_move, orientation: self.orientation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_and_scans_found_beside_them() {
        let text = r#"{"root": "scans", "pages": [
            {"file": "a.png", "book": "Tal", "note": "any further keys", "diagrams": [
                {"bbox": [1, 2, 30, 40], "placement": "8/8/8/8/8/8/8/K1k5", "side_to_move": "b", "orientation": "black_bottom"},
                {"bbox": null, "placement": "8/8/8/8/8/8/8/K1k5"}]},
            {"file": "b.pdf", "source": "old", "page": 7, "diagrams": []}]}"#;
        let labels = Labels::parse(text, Path::new("/home/ada/labels.json")).unwrap();
        let [a, b] = labels.pages.as_slice() else { panic!("{labels:?}") };
        assert_eq!(a.path, Path::new("/home/ada/scans/a.png"));
        assert_eq!((a.book.as_str(), a.page, b.book.as_str(), b.page), ("Tal", None, "old", Some(7)));
        assert_eq!(a.diagrams[0].side_to_move, Some(Color::Black));
        assert_eq!(a.diagrams[0].orientation, Some(Orientation::BlackBottom));
        assert_eq!(a.diagrams[1].bounds, None);
    }

    #[test]
    fn errors_name_the_diagram() {
        let wrong = |diagram: &str| {
            let text = format!(r#"{{"pages": [{{"file": "a.png", "diagrams": [{diagram}]}}]}}"#);
            Labels::parse(&text, Path::new("l.json")).unwrap_err().to_string()
        };
        let error = wrong(r#"{"placement": "8/8/8/8/8/8/8/7"}"#);
        assert_eq!(error, "l.json: a.png, diagram 1: rank 1 (\"7\") adds up to 7 squares instead of 8");
        assert!(wrong(r#"{"placement": "8/8/8/8/8/8/8/8", "side_to_move": "white"}"#).contains("\"white\""));
        assert!(wrong(r#"{"placement": "8/8/8/8/8/8/8/8", "bbox": [9, 0, 1, 2]}"#).contains("bbox"));
        assert!(wrong("{}").contains("holds no labels"));
    }
}
