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
