//! What must end as an error in words, and never as a crash, a hang or eaten memory.

use std::io::Cursor;

use image::ImageFormat;

use super::{Scrap, drawing, open_bytes, read_bytes, read_bytes_within};
use crate::page::{Format, PageLimits, Probe, Trouble, open, probe};

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    drawing(width, height).write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
    bytes
}

#[test]
fn empty_and_foreign_files() {
    assert!(matches!(open_bytes(b"", &PageLimits::default()).unwrap_err().trouble, Trouble::Empty));
    let error = open_bytes(b"<html><body>404</body></html>", &PageLimits::default()).unwrap_err();
    assert!(error.to_string().ends_with(
        "not a picture that Fenwatch can read: looks like HTML (a web page, perhaps a download that failed)"
    ));
    assert!(error.is_permanent());
}

#[test]
fn missing_files_may_come_back() {
    let error = open("no/such/file.png".as_ref(), &PageLimits::default()).unwrap_err();
    assert!(matches!(error.trouble, Trouble::Io(_)));
    assert!(!error.is_permanent());
}

#[test]
fn a_probe_sees_that_the_end_is_missing() {
    let bytes = png(50, 50);
    let whole = Scrap::new("scan", &bytes);
    let found = probe(&whole.path, &PageLimits::default()).unwrap();
    assert_eq!(found, Probe { format: Format::Png, pages: 1, cut_short: false });
    let cut = Scrap::new("scan", &bytes[..bytes.len() - 13]);
    assert!(probe(&cut.path, &PageLimits::default()).unwrap().cut_short);
}

#[test]
fn folders_are_not_files() {
    let scrap = Scrap::new("scan", b"x");
    let error = open(scrap.folder(), &PageLimits::default()).unwrap_err();
    assert!(matches!(error.trouble, Trouble::NotAFile("a folder")), "{error}");
}

#[test]
fn pages_are_counted() {
    let mut document = open_bytes(&png(10, 10), &PageLimits::default()).unwrap();
    let error = document.read(1).unwrap_err();
    assert!(matches!(error.trouble, Trouble::NoSuchPage(1)));
    assert_eq!(error.page, Some(2));
    // The document is still of use.
    assert!(document.read(0).is_ok());
}

#[test]
fn pixels_are_limited_by_the_header() {
    let limits = PageLimits { max_pixels: 99, ..PageLimits::default() };
    let error = read_bytes_within(&png(10, 10), &limits).unwrap_err();
    assert!(error.to_string().contains("10 x 10 pixels (limit 99, setting `max_pixels`)"), "{error}");

    // A header that promises 2^62 pixels.
    let mut bytes = png(10, 10);
    bytes[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
    let crc = crc(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&crc.to_be_bytes());
    assert!(matches!(
        read_bytes(&bytes).unwrap_err().trouble,
        Trouble::TooLarge { setting: "max_pixels", .. }
    ));
}

/// CRC-32 of PNG chunks (PNG specification, annex D).
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 },
        )
    })
}

#[test]
fn bytes_are_limited() {
    let bytes = png(10, 10);
    let limits = PageLimits { max_file_bytes: bytes.len() as u64 - 1, ..PageLimits::default() };
    let error = open_bytes(&bytes, &limits).unwrap_err();
    assert!(matches!(error.trouble, Trouble::TooLarge { setting: "max_file_bytes", .. }), "{error}");
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    use super::*;

    #[test]
    fn pipes_sockets_and_devices_are_left_alone() {
        let scrap = Scrap::new("scan", b"x");
        let pipe = scrap.folder().join("pipe.png");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let socket = scrap.folder().join("socket.png");
        let _listener = UnixListener::bind(&socket).unwrap();
        for (path, kind) in
            [(pipe.as_path(), "a named pipe"), (&socket, "a socket"), ("/dev/zero".as_ref(), "a device")]
        {
            let error = open(path, &PageLimits::default()).unwrap_err();
            assert!(matches!(error.trouble, Trouble::NotAFile(found) if found == kind), "{error}");
            assert!(error.is_permanent());
        }
    }

    #[test]
    fn links_are_followed_to_files_only() {
        let scrap = Scrap::new("scan.png", &png(10, 10));
        let link = scrap.folder().join("link.png");
        symlink(&scrap.path, &link).unwrap();
        assert_eq!(open(&link, &PageLimits::default()).unwrap().page_count(), 1);

        let circle = scrap.folder().join("circle.png");
        symlink(&circle, &circle).unwrap();
        let lost = scrap.folder().join("lost.png");
        symlink(scrap.folder().join("nowhere"), &lost).unwrap();
        let folder = scrap.folder().join("folder.png");
        symlink(scrap.folder(), &folder).unwrap();
        for path in [circle, lost, folder] {
            assert!(open(&path, &PageLimits::default()).is_err());
        }
    }

    #[test]
    fn names_need_not_be_text() {
        let scrap = Scrap::new("scan.png", &png(10, 10));
        let path = scrap.folder().join(OsStr::from_bytes(b"Schach\xff\xfe.png"));
        std::fs::rename(&scrap.path, &path).unwrap();
        let mut document = open(&path, &PageLimits::default()).unwrap();
        assert!(document.read(0).is_ok());
        assert!(document.read(7).unwrap_err().to_string().contains("Schach"));
    }
}

#[test]
fn a_file_that_is_replaced_while_open_is_still_read() {
    let scrap = Scrap::new("scan.png", &png(10, 10));
    let mut document = open(&scrap.path, &PageLimits::default()).unwrap();
    std::fs::remove_file(&scrap.path).unwrap();
    assert!(document.read(0).is_ok());
}

#[test]
fn a_file_that_shrinks_while_open_is_an_error() {
    let scrap = Scrap::new("scan.tif", &super::fixture("gray-packbits-big-endian.tif"));
    let mut document = open(&scrap.path, &PageLimits::default()).unwrap();
    std::fs::write(&scrap.path, b"II").unwrap();
    assert!(document.read(0).is_err());
}

#[test]
fn time_is_limited() {
    let limits = PageLimits { max_seconds: 0, ..PageLimits::default() };
    for name in ["gray.png", "jpeg.pdf", "g4-strips.tif", "bw.djvu", "gray.jp2", "rgb-420.jpg"] {
        let error = read_bytes_within(&super::fixture(name), &limits).unwrap_err();
        assert!(matches!(error.trouble, Trouble::TimedOut(0)), "{name}: {error}");
        assert!(!error.is_permanent());
    }
}

/// A PDF whose page calls a form that calls a form ... each `fan` times, `depth` deep.
fn branching_pdf(fan: usize, depth: usize) -> Vec<u8> {
    let mut pdf = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n".to_vec();
    pdf.extend(b"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n");
    pdf.extend(b"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>\nendobj\n");
    pdf.extend(b"4 0 obj\n<< /Length 5 >>\nstream\n/F Do\nendstream\nendobj\n");
    for level in 0..depth {
        let body = if level + 1 == depth { "0 0 50 50 re f\n".repeat(fan) } else { "/F Do\n".repeat(fan) };
        let next = level + 6;
        pdf.extend(
            format!(
                "{} 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << /XObject << /F {next} 0 R >> >> /Length {} >>\nstream\n{body}endstream\nendobj\n",
                level + 5,
                body.len()
            )
            .into_bytes(),
        );
    }
    pdf.extend(b"trailer\n<< /Root 1 0 R >>\n%%EOF\n");
    pdf
}

#[test]
fn a_page_that_never_ends_is_left() {
    let limits = PageLimits { max_seconds: 1, ..PageLimits::default() };
    let mut document = open_bytes(&branching_pdf(100, 8), &limits);
    let document = document.as_mut().unwrap();
    let start = std::time::Instant::now();
    let error = document.read(0).unwrap_err();
    assert!(matches!(error.trouble, Trouble::TimedOut(1)), "{error}");
    assert!(start.elapsed().as_secs() < 10);
    // Others go on.
    assert!(read_bytes(&png(10, 10)).is_ok());
    let page = read_bytes(&branching_pdf(10, 3)).unwrap();
    assert_eq!(page.gray.get_pixel(10, page.gray.height() - 10).0, [0]);
}

#[test]
fn bombs_are_refused_before_they_are_unpacked() {
    // A TIFF of one strip that claims 16,000 x 6,000 pixels of 16 bits in four colours.
    let mut tiff = super::fixture("rgb-webp.tif");
    let directory = u32::from_le_bytes(tiff[4..8].try_into().unwrap()) as usize;
    for entry in 0..11 {
        let at = directory + 2 + entry * 12;
        let tag = u16::from_le_bytes(tiff[at..at + 2].try_into().unwrap());
        let value: u32 = match tag {
            256 => 16_000,
            257 | 278 => 6_000,
            277 => 400,
            259 => 8,
            _ => continue,
        };
        tiff[at + 8..at + 12].copy_from_slice(&value.to_le_bytes());
    }
    let error = read_bytes(&tiff).unwrap_err();
    assert!(matches!(error.trouble, Trouble::TooLarge { setting: "max_decode_bytes", .. }), "{error}");

    // A PDF page of 20 m and a picture that claims 60,000 x 60,000 pixels.
    let pdf = String::from_utf8_lossy(&super::fixture("flate.pdf")).into_owned();
    assert!(pdf.contains("/Width 168 /Height 120"));
    let mut bytes = super::fixture("flate.pdf");
    let at = bytes.windows(10).position(|window| window == b"/Width 168").unwrap();
    bytes.splice(at..at + 22, *b"/Width 60000 /Height 60000");
    let error = read_bytes(&bytes).unwrap_err();
    assert!(matches!(error.trouble, Trouble::TooLarge { setting: "max_pixels", .. }), "{error}");
}

#[test]
fn a_deflate_bomb_in_a_pdf_is_refused() {
    use std::io::Write;
    let limits = PageLimits { max_decode_bytes: 8 << 20, ..PageLimits::default() };
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..64 {
        packed.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    let packed = packed.finish().unwrap();
    let mut pdf = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n".to_vec();
    pdf.extend(b"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n");
    pdf.extend(b"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R >>\nendobj\n");
    pdf.extend(
        format!("4 0 obj\n<< /Filter /FlateDecode /Length {} >>\nstream\n", packed.len()).into_bytes(),
    );
    pdf.extend(&packed);
    pdf.extend(b"\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n");
    let error = read_bytes_within(&pdf, &limits).unwrap_err();
    assert!(matches!(error.trouble, Trouble::TooLarge { setting: "max_decode_bytes", .. }), "{error}");
}
