//! PDF, DjVu and JPEG 2000.

use image::metadata::Orientation;
use image::{DynamicImage, GrayImage};

use super::{difference, fixture, open_bytes, read_bytes};
use crate::page::{Format, Page, PageLimits, Trouble};

fn page(name: &str) -> Page {
    let page = read_bytes(&fixture(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(page.warnings.is_empty(), "{name}: {:?}", page.warnings);
    page
}

fn drawing(name: &str) -> GrayImage {
    page(name).gray
}

fn mean_difference(a: &GrayImage, b: &GrayImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    a.iter().zip(b.iter()).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>() / a.len() as f64
}

#[test]
fn pdf_scans_are_taken_out_pixel_by_pixel() {
    for (name, want) in [
        ("g4.pdf", "bw.png"),
        ("jbig2.pdf", "bw.png"),
        ("jbig2-mmr.pdf", "bw.png"),
        ("encrypted-empty-password.pdf", "bw.png"),
        ("flate.pdf", "gray.png"),
        ("jpeg2000.pdf", "gray.png"),
        ("hidden-text.pdf", "gray.png"),
        ("flipped.pdf", "gray.png"),
    ] {
        let page = page(name);
        assert_eq!(difference(&page.gray, &drawing(want)), 0, "{name}");
        assert_eq!(page.dpi, Some(300.0), "{name}");
    }
    assert!(difference(&page("jpeg.pdf").gray, &drawing("gray.png")) < 40);
    assert!(difference(&page("jpeg-rgb.pdf").gray, &drawing("rgb.png")) < 60);
}

#[test]
fn pdf_pages_are_turned() {
    let mut want = DynamicImage::ImageLuma8(drawing("gray.png"));
    want.apply_orientation(Orientation::Rotate90);
    assert_eq!(difference(&page("rotated.pdf").gray, &want.into_luma8()), 0);
}

#[test]
fn pdf_pages_of_several_pictures_keep_their_density() {
    let strips = page("two-strips.pdf");
    assert_eq!(strips.dpi, Some(300.0));
    let off = mean_difference(&strips.gray, &drawing("gray.png"));
    assert!(off < 6.0, "{off}");

    // The ink lies on yellowish paper.
    let layers = page("layers.pdf");
    assert_eq!(layers.dpi, Some(300.0));
    let ink = GrayImage::from_fn(168, 120, |x, y| {
        image::Luma([if layers.gray.get_pixel(x, y).0[0] < 128 { 0 } else { 255 }])
    });
    assert_eq!(difference(&ink, &drawing("bw.png")), 0);

    let page = page("margins.pdf");
    assert_eq!((page.gray.dimensions(), page.dpi), ((335, 203), Some(300.0)));
    // White margin, then the scan's black bar.
    assert_eq!(page.gray.get_pixel(5, 100).0, [255]);
    assert!(page.gray.get_pixel(86, 100).0[0] < 64);
}

#[test]
fn pdf_marks_over_a_scan_are_drawn() {
    let stamped = page("stamped.pdf").gray;
    // The stamp: 30 to 38 points from the left, 2 to 6 from the bottom, at 300 dots an inch.
    assert_eq!(stamped.get_pixel(140, 103).0, [0]);
    let off = mean_difference(&stamped, &drawing("gray.png"));
    assert!(off < 10.0, "{off}");
}

#[test]
fn pdf_typeset_pages_are_drawn() {
    let page = page("vector.pdf");
    assert_eq!(page.dpi, Some(250.0));
    assert_eq!(page.gray.dimensions(), (833, 1042));
    let at = |x: f32, y: f32| page.gray.get_pixel((x * 250.0 / 72.0) as u32, (y * 250.0 / 72.0) as u32).0[0];
    // A square of the board that is filled and its neighbour.
    assert_eq!((at(50.0, 230.0), at(70.0, 230.0)), (0, 255));
    // Text was drawn above the board.
    let text = page
        .gray
        .rows()
        .take((60.0 * 250.0 / 72.0) as usize)
        .flatten()
        .filter(|value| value.0[0] < 128)
        .count();
    assert!(text > 500, "{text}");
}

#[test]
fn pdf_pages_come_in_any_order() {
    for name in ["three-pages.pdf", "object-streams.pdf"] {
        let mut document = open_bytes(&fixture(name), &PageLimits::default()).unwrap();
        assert_eq!((document.format(), document.page_count()), (Format::Pdf, 3));
        assert_eq!(document.read(1).unwrap().gray, drawing("bw2.png"), "{name}");
        assert_eq!(document.read(0).unwrap().gray, drawing("bw.png"), "{name}");
        assert!(document.read(2).is_ok());
    }
}

#[test]
fn pdf_passwords_are_named() {
    let error = read_bytes(&fixture("encrypted.pdf")).unwrap_err();
    assert!(matches!(error.trouble, Trouble::Encrypted), "{error}");
    assert!(error.is_permanent());
}

#[test]
fn a_cut_jpeg_in_a_pdf_is_told() {
    let mut bytes = fixture("jpeg.pdf");
    let start = bytes.windows(2).position(|pair| pair == [0xff, 0xda]).unwrap();
    let end = start + bytes[start..].windows(2).position(|pair| pair == [0xff, 0xd9]).unwrap() + 2;
    let middle = start + (end - start) / 2;
    bytes[middle..end].fill(0);
    let page = read_bytes(&bytes).unwrap();
    assert!(!page.warnings.is_empty());
    assert_eq!(page.gray.as_raw()[..168 * 40], drawing("jpeg.pdf").as_raw()[..168 * 40]);
}

#[test]
fn djvu_pages() {
    assert_eq!(difference(&page("bw.djvu").gray, &drawing("bw.png")), 0);
    assert_eq!(page("bw.djvu").dpi, Some(300.0));
    let off = mean_difference(&page("photo.djvu").gray, &drawing("rgb.png"));
    assert!(off < 8.0, "{off}");

    let mut document = open_bytes(&fixture("three-pages.djvu"), &PageLimits::default()).unwrap();
    assert_eq!((document.format(), document.page_count()), (Format::DjVu, 3));
    assert_eq!(document.read(1).unwrap().gray, drawing("bw2.png"));
    assert_eq!(document.read(2).unwrap().gray, drawing("photo.djvu"));
    assert_eq!(document.read(0).unwrap().gray, drawing("bw.png"));
}

#[test]
fn jpeg_2000_pages() {
    assert_eq!(difference(&page("gray.jp2").gray, &drawing("gray.png")), 0);
    assert_eq!(difference(&page("gray.j2k").gray, &drawing("gray.png")), 0);
    assert_eq!(difference(&page("rgb.jp2").gray, &drawing("rgb.png")), 0);
}
