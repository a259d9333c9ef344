//! Which kind of file it is, by its first bytes and never by its name.

use std::fmt;

/// Kinds of files that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    Png,
    Jpeg,
    WebP,
    Bmp,
    Gif,
    Pnm,
    Tiff,
    Pdf,
    Jpeg2000,
    DjVu,
}

impl Format {
    /// Whether the decoder walks through the file instead of holding it in memory.
    pub(super) fn is_streamed(self) -> bool {
        matches!(self, Format::Png | Format::Tiff)
    }
}

/// Whether files of a format (by its name) hold a whole book as often as a page.
pub fn holds_books(format: &str) -> bool {
    [Format::Tiff, Format::Pdf, Format::DjVu].iter().any(|one| one.to_string() == format)
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Png => "PNG",
            Format::Jpeg => "JPEG",
            Format::WebP => "WebP",
            Format::Bmp => "BMP",
            Format::Gif => "GIF",
            Format::Pnm => "PNM",
            Format::Tiff => "TIFF",
            Format::Pdf => "PDF",
            Format::Jpeg2000 => "JPEG 2000",
            Format::DjVu => "DjVu",
        })
    }
}

/// Bytes of a file's head that [`sniff`] wants to see. A PDF may carry up to 1,024 bytes before its mark.
pub const HEAD: usize = 1024 + 8;

/// The kind of a file by its head, or words for what it looks like instead.
pub fn sniff(head: &[u8]) -> Result<Format, String> {
    let at = |offset: usize, mark: &[u8]| head.get(offset..).is_some_and(|rest| rest.starts_with(mark));
    if at(0, b"\x89PNG\r\n\x1a\n") {
        return Ok(Format::Png);
    }
    if at(0, b"\xff\xd8\xff") {
        return Ok(Format::Jpeg);
    }
    if at(0, b"II*\0") || at(0, b"MM\0*") || at(0, b"II+\0") || at(0, b"MM\0+") {
        return Ok(Format::Tiff);
    }
    if at(0, b"AT&TFORM") || (at(0, b"FORM") && (at(8, b"DJVU") || at(8, b"DJVM"))) {
        return Ok(Format::DjVu);
    }
    if at(0, b"\0\0\0\x0cjP  \r\n\x87\n") || at(0, b"\xff\x4f\xff\x51") {
        return Ok(Format::Jpeg2000);
    }
    if at(0, b"GIF87a") || at(0, b"GIF89a") {
        return Ok(Format::Gif);
    }
    if at(0, b"RIFF") && at(8, b"WEBP") {
        return Ok(Format::WebP);
    }
    // "BM" alone also begins texts: the reserved bytes and the header's size are checked too.
    if at(0, b"BM")
        && at(6, &[0; 4])
        && head.get(14).is_some_and(|size| [12, 16, 40, 52, 56, 64, 108, 124].contains(size))
    {
        return Ok(Format::Bmp);
    }
    if head.len() > 2 && head[0] == b'P' && (b'1'..=b'7').contains(&head[1]) && head[2].is_ascii_whitespace()
    {
        return Ok(Format::Pnm);
    }
    if head.windows(5).any(|window| window == b"%PDF-") {
        return Ok(Format::Pdf);
    }
    Err(describe(head))
}

/// What a file looks like that is none of ours, as the end of a sentence.
fn describe(head: &[u8]) -> String {
    let at = |offset: usize, mark: &[u8]| head.get(offset..).is_some_and(|rest| rest.starts_with(mark));
    let brand = if at(4, b"ftyp") { head.get(8..12).unwrap_or_default() } else { b"" };
    let named = match brand {
        b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"mif1" | b"msf1" => {
            Some("an HEIC photo (convert it to JPEG, for example with heif-convert)")
        }
        b"avif" | b"avis" => Some("an AVIF picture (convert it to PNG)"),
        b"" => None,
        _ => Some("a video"),
    };
    let marks: [(&[u8], &str); 17] = [
        (b"PK\x03\x04", "a ZIP archive (an EPUB, CBZ or office document is one too)"),
        (b"Rar!", "a RAR archive"),
        (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"\xd0\xcf\x11\xe0", "an old office document"),
        (b"%!PS", "PostScript (convert it to PDF)"),
        (b"8BPS", "a Photoshop picture"),
        (b"gimp xcf", "a GIMP picture"),
        (b"\0\0\0\x0cJXL ", "a JPEG XL picture (convert it to PNG)"),
        (b"\xff\x0a", "a JPEG XL picture (convert it to PNG)"),
        (b"\x97JB2\r\n\x1a\n", "a bare JBIG2 picture"),
        (b"\0\0\x01\0", "an icon"),
        (b"{\\rtf", "a text document (RTF)"),
        (b"\x7fELF", "a program"),
        (b"MZ", "a program"),
        (b"SQLite format 3", "a SQLite database"),
        (b"ID3", "an audio file"),
    ];
    let named =
        named.or_else(|| marks.iter().find(|(mark, _)| head.starts_with(mark)).map(|(_, name)| *name));
    if let Some(named) = named {
        return named.into();
    }
    let is_text = !head.contains(&0)
        && head.iter().filter(|byte| **byte < 32 && !byte.is_ascii_whitespace()).count() == 0;
    let lower = String::from_utf8_lossy(head).to_lowercase();
    let start = lower.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']);
    if start.starts_with("<!doctype html")
        || start.starts_with("<html")
        || (is_text && lower.contains("<html"))
    {
        return "HTML (a web page, perhaps a download that failed)".into();
    }
    if start.starts_with("<svg") || (start.starts_with("<?xml") && lower.contains("<svg")) {
        return "an SVG drawing".into();
    }
    if start.starts_with("<?xml") {
        return "XML".into();
    }
    if head.iter().all(|byte| *byte == 0) {
        return "a file of zeros (a copy that failed or is not finished)".into();
    }
    if is_text { "text".into() } else { "data of an unknown kind".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides() {
        for (head, format) in [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], Format::Png),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", Format::Jpeg),
            (b"II*\0\x08\0\0\0", Format::Tiff),
            (b"MM\0+\0\x08\0\0", Format::Tiff),
            (b"GIF89a\x01\0", Format::Gif),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Format::WebP),
            (b"P5 10 10 255\n", Format::Pnm),
            (b"AT&TFORM\0\0\0\x10DJVU", Format::DjVu),
            (b"\0\0\0\x0cjP  \r\n\x87\n", Format::Jpeg2000),
            (b"junk before it\n%PDF-1.4", Format::Pdf),
            (b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0", Format::Bmp),
        ] {
            assert_eq!(sniff(head), Ok(format));
        }
    }

    #[test]
    fn foreign_kinds_are_named() {
        for (head, words) in [
            (&b"\n <!DOCTYPE html><html>"[..], "HTML"),
            (b"PK\x03\x04rest", "ZIP"),
            (b"\0\0\0\x18ftypheic\0\0", "HEIC"),
            (b"BM is how this text begins", "text"),
            (b"P.S. I love chess", "text"),
            (b"\0\0\0\0\0\0\0\0\0\0", "zeros"),
            (b"\x01\x02\x03\x04", "unknown"),
        ] {
            let found = sniff(head).unwrap_err();
            assert!(found.contains(words), "{head:?}: {found}");
        }
    }
}
