//! Where a file belongs: which watched folder, which book, which place in it.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// A file's place below a watched folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The watched folder.
    pub root: PathBuf,
    /// The path below it.
    pub relative: PathBuf,
    /// The book: the first subfolder; files at the top belong to a book named after the watched folder.
    pub book: String,
}

impl Place {
    /// `None` when `path` is not below `root`.
    pub fn new(root: &Path, path: &Path) -> Option<Place> {
        let relative = path.strip_prefix(root).ok()?;
        let mut parts = relative.components();
        let Some(Component::Normal(first)) = parts.next() else { return None };
        let book = match parts.next() {
            Some(_) => first,
            None => root.file_name().unwrap_or(OsStr::new("scans")),
        };
        Some(Place {
            root: root.to_owned(),
            relative: relative.to_owned(),
            book: name_text(book).into_owned(),
        })
    }
}

/// A file name as text. Bytes that are not UTF-8 are written `\xFC`, so that two names never become one.
pub fn name_text(name: &OsStr) -> Cow<'_, str> {
    if let Some(text) = name.to_str() {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02X}"));
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(path: &str) -> Option<Place> {
        Place::new(Path::new("/data/scans"), Path::new(path))
    }

    #[test]
    fn a_book_is_the_first_subfolder() {
        assert_eq!(place("/data/scans/tal/part 1/3.png").unwrap().book, "tal");
        assert_eq!(place("/data/scans/tal/3.png").unwrap().relative, Path::new("tal/3.png"));
        assert_eq!(place("/data/scans/tal.pdf").unwrap().book, "scans");
        assert_eq!(place("/data/scans"), None);
        assert_eq!(place("/data/scans2/tal/3.png"), None);
    }

    #[cfg(unix)]
    #[test]
    fn names_outside_utf8_stay_apart() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(name_text(OsStr::from_bytes(b"M\xfcller")), "M\\xFCller");
        assert_eq!(name_text(OsStr::from_bytes(b"M\xf6ller")), "M\\xF6ller");
        assert_eq!(name_text(OsStr::new("Müller")), "Müller");
    }
}
