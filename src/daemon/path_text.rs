//! Paths as texts for the database, and back: one to one also for names that are not UTF-8.

use std::path::{Component, Path, PathBuf};

/// The text of an absolute or relative path, with `/` between its parts. Bytes that are not UTF-8 stand as `\xFC`, and so
/// does the backslash of a name that looks like one of those.
pub fn path_to_text(path: &Path) -> String {
    let mut out = String::new();
    for part in path.components() {
        match part {
            Component::RootDir => out.push('/'),
            other => {
                if !out.is_empty() && !out.ends_with('/') {
                    out.push('/');
                }
                for chunk in other.as_os_str().as_encoded_bytes().utf8_chunks() {
                    out.push_str(&escape(chunk.valid()));
                    for byte in chunk.invalid() {
                        out.push_str(&format!("\\x{byte:02X}"));
                    }
                }
            }
        }
    }
    out
}

/// The path that [`path_to_text`] was given.
pub fn text_to_path(text: &str) -> PathBuf {
    if !text.contains("\\x") {
        return PathBuf::from(text);
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match escaped_byte(&bytes[at..]) {
            Some(byte) => {
                out.push(byte);
                at += 4;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        PathBuf::from(std::ffi::OsString::from_vec(out))
    }
    #[cfg(not(unix))]
    PathBuf::from(String::from_utf8_lossy(&out).into_owned())
}

fn escape(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (at, letter) in name.char_indices() {
        if letter == '\\' && escaped_byte(&name.as_bytes()[at..]).is_some() {
            out.push_str("\\x5C");
        } else {
            out.push(letter);
        }
    }
    out
}

/// The byte that `\xFC` at the beginning of `text` stands for.
fn escaped_byte(text: &[u8]) -> Option<u8> {
    let digits = text.strip_prefix(b"\\x")?.get(..2)?;
    let upper = digits.iter().all(|c| c.is_ascii_digit() || (b'A'..=b'F').contains(c));
    u8::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| upper)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_paths_stay() {
        for path in ["/srv/scans", "tal/part 1/ж.png", "a\\b/c", "/", "\\x", "a\\xfc"] {
            assert_eq!(path_to_text(Path::new(path)), path);
            assert_eq!(text_to_path(path), Path::new(path));
        }
        assert_eq!(path_to_text(Path::new("a\\xFC")), "a\\x5CxFC");
    }

    #[cfg(unix)]
    proptest::proptest! {
        #[test]
        fn there_and_back(names in proptest::collection::vec("(\\\\x[0-9A-F]{2}|[a-z\\\\]|[\u{80}-\u{ff}]){1,6}", 1..4), latin in proptest::bool::ANY) {
            use std::os::unix::ffi::OsStrExt;
            // as UTF-8, or each letter as one Latin-1 byte
            let text = names.join("/");
            let bytes: Vec<u8> = if latin { text.chars().map(|c| c as u8).collect() } else { text.into_bytes() };
            let path = Path::new(std::ffi::OsStr::from_bytes(&bytes)).to_owned();
            proptest::prop_assert_eq!(text_to_path(&path_to_text(&path)), path);
        }
    }
}
