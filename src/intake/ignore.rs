//! Names that are never looked at: temporary and synchronization files, what file managers leave.

use std::path::{Component, Path};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::IntakeError;

/// Compiled ignore globs.
#[derive(Debug, Clone)]
pub struct Ignore {
    /// Matched against each name below the watched folder.
    names: GlobSet,
    /// Globs with a slash, matched against the path below the watched folder.
    paths: GlobSet,
}

impl Ignore {
    /// Compiles globs; case is ignored. A glob with a slash is about the path below the watched folder, any
    /// other about a name at any depth.
    pub fn new<'a>(globs: impl IntoIterator<Item = &'a str>) -> Result<Ignore, IntakeError> {
        let mut names = GlobSetBuilder::new();
        let mut paths = GlobSetBuilder::new();
        for text in globs {
            let bad = |reason: String| IntakeError::Glob { glob: text.to_owned(), reason };
            let trimmed = text.trim_matches('/');
            let glob = GlobBuilder::new(trimmed)
                .case_insensitive(true)
                .literal_separator(true)
                // "$RECYCLE.BIN" and the like hold no escapes, and a Windows user may write a backslash
                .backslash_escape(false)
                .build()
                .map_err(|error| bad(error.kind().to_string()))?;
            if trimmed.is_empty() {
                return Err(bad("it is empty".to_owned()));
            }
            if text.contains('/') {
                paths.add(glob)
            } else {
                names.add(glob)
            };
        }
        let build = |set: GlobSetBuilder| {
            set.build().map_err(|error| IntakeError::Glob {
                glob: error.glob().unwrap_or_default().to_owned(),
                reason: error.kind().to_string(),
            })
        };
        Ok(Ignore { names: build(names)?, paths: build(paths)? })
    }

    /// Whether `relative` (a path below the watched folder) or a folder above it is ignored.
    pub fn matches(&self, relative: &Path) -> bool {
        let named = relative.components().any(|part| match part {
            Component::Normal(name) => self.names.is_match(Path::new(name)),
            _ => false,
        });
        named
            || (!self.paths.is_empty()
                && relative
                    .ancestors()
                    .filter(|path| !path.as_os_str().is_empty())
                    .any(|path| self.paths.is_match(path)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::DEFAULT_IGNORE;
    use super::*;

    fn default() -> Ignore {
        Ignore::new(DEFAULT_IGNORE.iter().copied()).unwrap()
    }

    #[test]
    fn temporary_files_are_ignored_and_scans_are_not() {
        let ignore = default();
        for name in [
            ".DS_Store",
            "tal/._0001.jpg",
            "tal/.~lock.book.pdf#",
            ".syncthing.0001.png.tmp",
            "~syncthing~0001.png.tmp",
            "book.pdf.part",
            "book.PDF.CRDOWNLOAD",
            "~$book.docx",
            "0001.tmp",
            "0001.png~",
            "Thumbs.db",
            "thumbs.DB",
            "tal/@eaDir/0001.png/SYNOPHOTO_THUMB.png",
            "desktop.ini",
            "$RECYCLE.BIN/x.png",
            ".stfolder/0001.png",
            "__MACOSX/0001.png",
            "Icon\r",
        ] {
            assert!(ignore.matches(Path::new(name)), "{name}");
        }
        for name in [
            "0001.png",
            "tal/0001.tif",
            "Tal - Botvinnik (1960).pdf",
            "part 1/0001.png",
            "tmp/0001.png",
            "1.2.jpg",
            "download/1.png",
            "$5 book.pdf",
            "#1.png",
        ] {
            assert!(!ignore.matches(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn a_glob_with_a_slash_is_about_the_path() {
        let ignore = Ignore::new(["tal/covers", "*/index/*.png"]).unwrap();
        assert!(ignore.matches(Path::new("tal/covers/1.png")));
        assert!(!ignore.matches(Path::new("euwe/tal/covers/1.png")));
        assert!(ignore.matches(Path::new("euwe/index/1.png")));
        assert!(!ignore.matches(Path::new("index/1.png")));
    }

    #[test]
    fn a_bad_glob_is_named() {
        let error = Ignore::new(["*.tmp", "[a"]).unwrap_err();
        assert!(error.to_string().contains("\"[a\""), "{error}");
        assert!(Ignore::new(["/"]).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn names_outside_utf8_are_matched_too() {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"M\xfcller.part");
        assert!(default().matches(Path::new(name)));
        assert!(!default().matches(Path::new(std::ffi::OsStr::from_bytes(b"M\xfcller.png"))));
    }
}
