//! What can keep a page from being read, in words for people.

use std::io;
use std::path::PathBuf;

/// Why a file or one of its pages could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {trouble}", path.display(), Place(*page))]
pub struct PageError {
    pub path: PathBuf,
    /// 1-based page, when it is about one page and not about the file.
    pub page: Option<u32>,
    #[source]
    pub trouble: Trouble,
}

impl PageError {
    /// True when the same file would fail again; false when a later try may succeed
    /// (a file that went away, a busy disk, a page that took too long).
    pub fn is_permanent(&self) -> bool {
        self.trouble.is_permanent()
    }
}

struct Place(Option<u32>);

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(page) => write!(f, ", page {page}"),
            None => Ok(()),
        }
    }
}

/// The reason alone, without the file.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("not a file but {0}")]
    NotAFile(&'static str),
    #[error("the file is empty (0 bytes)")]
    Empty,
    #[error("not a picture that Fenwatch can read: looks like {0}")]
    Foreign(String),
    #[error("{0}, which Fenwatch cannot read")]
    Unsupported(String),
    #[error("the PDF is encrypted with a password")]
    Encrypted,
    #[error("the file has no pages")]
    NoPages,
    #[error("there is no such page: the file has {0}")]
    NoSuchPage(u32),
    #[error("{what} (limit {limit}, setting `{setting}`)")]
    TooLarge { what: String, limit: u64, setting: &'static str },
    #[error("the file ends early, it is probably incomplete")]
    Truncated,
    #[error("the file is damaged: {0}")]
    Damaged(String),
    #[error("took longer than {0} s to decode (setting `max_seconds`)")]
    TimedOut(u32),
    #[error("the decoder broke down on it: {0}")]
    BrokeDown(String),
    #[error("{0} pages that took too long are still being decoded in the background")]
    Overloaded(usize),
}

impl Trouble {
    fn is_permanent(&self) -> bool {
        match self {
            Trouble::TimedOut(_) | Trouble::Overloaded(_) => false,
            Trouble::Io(error) => {
                matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename)
            }
            _ => true,
        }
    }

    /// An error of a reader: out of bytes is truncation, a passed deadline is named as such.
    pub(super) fn from_io(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Trouble::Truncated,
            io::ErrorKind::InvalidData => Trouble::Damaged(error.to_string()),
            _ => Trouble::Io(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_names_file_and_page() {
        let error = PageError { path: "book/scan 7.pdf".into(), page: Some(3), trouble: Trouble::Encrypted };
        assert_eq!(error.to_string(), "book/scan 7.pdf, page 3: the PDF is encrypted with a password");
        assert!(error.is_permanent());
    }

    #[test]
    fn a_slow_page_may_be_tried_again() {
        let error = PageError { path: "a.png".into(), page: None, trouble: Trouble::TimedOut(60) };
        assert_eq!(error.to_string(), "a.png: took longer than 60 s to decode (setting `max_seconds`)");
        assert!(!error.is_permanent());
    }
}
