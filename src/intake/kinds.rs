//! Which files are meant as scans.
//!
//! The content decides what a file is; the name only decides whether a file that is no picture
//! was meant as one and must be reported, or is a stranger (notes, a cover letter) that is left alone.

use std::path::Path;

/// Endings of files that people give to scans, also of kinds that cannot be read: those must fail with a reason and not
/// be passed over.
const SCAN_ENDINGS: &[&str] = &[
    "avif", "bmp", "cbz", "cbr", "dib", "djv", "djvu", "gif", "heic", "heif", "j2c", "j2k", "jfif", "jp2",
    "jpc", "jpe", "jpeg", "jpf", "jpg", "jpm", "jpx", "jxl", "pam", "pbm", "pdf", "pgm", "png", "pnm", "ppm",
    "tif", "tiff", "webp",
];

/// Whether the name says that the file is a scan.
pub fn named_as_scan(path: &Path) -> bool {
    path.extension().is_some_and(|ending| {
        let ending = ending.to_string_lossy().to_ascii_lowercase();
        SCAN_ENDINGS.contains(&ending.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_decide_without_case() {
        for name in ["1.png", "1.TIF", "book.tar.pdf", "photo.HEIC"] {
            assert!(named_as_scan(Path::new(name)), "{name}");
        }
        for name in ["notes.txt", "png", "1.pngx", ".png", "book"] {
            assert!(!named_as_scan(Path::new(name)), "{name}");
        }
    }
}
