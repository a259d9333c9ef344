//! TIFF in its variants: nearly all are lossless, so that the pixels must be exact.

use image::GrayImage;

use super::{difference, fixture, open_bytes};
use crate::page::{Format, Page, PageLimits, Trouble};

fn pages(name: &str) -> Vec<Page> {
    let mut document = open_bytes(&fixture(name), &PageLimits::default()).unwrap();
    assert_eq!(document.format(), Format::Tiff);
    (0..document.page_count()).map(|index| document.read(index).unwrap()).collect()
}

fn page(name: &str) -> Page {
    let mut pages = pages(name);
    assert_eq!(pages.len(), 1, "{name}");
    let page = pages.remove(0);
    assert!(page.warnings.is_empty(), "{name}: {:?}", page.warnings);
    page
}

fn drawing(name: &str) -> GrayImage {
    super::read_bytes(&fixture(name)).unwrap().gray
}

#[test]
fn bilevel_is_exact() {
    let want = drawing("bw.png");
    for name in [
        "bw-lzw",
        "bw-packbits",
        "bw-reversed-bits",
        "bw-white-is-zero",
        "g3-1d",
        "g3-2d",
        "g3-reversed-bits",
        "g4-black-is-zero",
        "g4-reversed-bits",
        "g4-strips",
        "g4-tiles",
        "modified-huffman",
        "orientation-6",
    ] {
        assert_eq!(difference(&page(&format!("{name}.tif")).gray, &want), 0, "{name}");
    }
}

#[test]
fn gray_is_exact() {
    let want = drawing("gray.png");
    for name in
        ["gray-lzw-predictor", "gray-packbits-big-endian", "gray16-big-endian", "gray16-little-endian"]
    {
        assert_eq!(difference(&page(&format!("{name}.tif")).gray, &want), 0, "{name}");
    }
    // Four bits keep every 17th value, and the writer cut instead of rounding.
    assert!(difference(&page("gray-4-bits.tif").gray, &want) <= 17);
    assert!(difference(&page("jpeg-gray.tif").gray, &want) <= 40);
}

#[test]
fn colours_become_luma() {
    let want = drawing("rgb.png");
    for name in ["rgb-deflate-predictor", "rgb-planes", "rgb-tiles", "rgb-webp"] {
        assert_eq!(difference(&page(&format!("{name}.tif")).gray, &want), 0, "{name}");
    }
    // The luma of another program, rounded its own way.
    assert!(difference(&page("ycbcr-subsampled.tif").gray, &want) <= 1);
    // Pillow's inks lose nothing but rounding.
    assert!(difference(&page("cmyk.tif").gray, &want) <= 1);
    for name in ["jpeg-rgb", "jpeg-ycbcr"] {
        assert!(difference(&page(&format!("{name}.tif")).gray, &want) <= 60, "{name}");
    }
    assert_eq!(difference(&page("rgb-alpha.tif").gray, &drawing("rgb-alpha.png")), 0);
}

#[test]
fn palettes_are_looked_up() {
    let want = drawing("rgb.png");
    for name in ["palette", "palette-4-bits"] {
        let gray = page(&format!("{name}.tif")).gray;
        let mean = gray.iter().zip(want.iter()).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>()
            / want.len() as f64;
        // Sixteen colours for a smooth shade.
        assert!(mean < 12.0, "{name}: {mean}");
    }
}

#[test]
fn every_page_comes_in_any_order() {
    let found = pages("g4-three-pages.tif");
    let (first, second) = (drawing("bw.png"), drawing("bw2.png"));
    assert_eq!(found.iter().map(|page| &page.gray).collect::<Vec<_>>(), [&first, &second, &first]);
    assert_eq!(found[0].dpi, Some(300.0));

    let mut document = open_bytes(&fixture("g4-three-pages.tif"), &PageLimits::default()).unwrap();
    assert_eq!(document.read(2).unwrap().gray, first);
    assert_eq!(document.read(1).unwrap().gray, second);
    assert_eq!(pages("gray-bigtiff.tif").len(), 2);
}

#[test]
fn too_many_pages_are_refused() {
    let limits = PageLimits { max_pages: 2, ..PageLimits::default() };
    let error = open_bytes(&fixture("g4-three-pages.tif"), &limits).unwrap_err();
    assert!(matches!(error.trouble, Trouble::TooLarge { setting: "max_pages", .. }), "{error}");
}

#[test]
fn floating_point_is_refused_in_words() {
    let error = super::read_bytes(&fixture("float.tif")).unwrap_err();
    assert!(
        error.to_string().ends_with("a TIFF with floating point pixels, which Fenwatch cannot read"),
        "{error}"
    );
}

#[test]
fn a_cut_strip_costs_its_own_rows() {
    let bytes = fixture("gray-lzw-predictor.tif");
    // The directory of this file stands at its end: it is moved to the front by pointing at a copy.
    let directory = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    assert!(directory > bytes.len() / 2);
    let mut holed = bytes.clone();
    holed[200..260].fill(0xff);
    let page = super::read_bytes(&holed).unwrap();
    let want = drawing("gray.png");
    assert_eq!(page.warnings.len(), 1, "{:?}", page.warnings);
    assert!(page.warnings[0].contains("of its 8 parts"), "{:?}", page.warnings);
    assert_eq!(page.gray.as_raw()[168 * 80..], want.as_raw()[168 * 80..]);
}

#[test]
fn directories_that_point_in_a_circle_end() {
    let mut bytes = fixture("g4-strips.tif");
    let directory = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let entries = usize::from(u16::from_le_bytes(bytes[directory..directory + 2].try_into().unwrap()));
    let next = directory + 2 + entries * 12;
    bytes.copy_within(4..8, next);
    let mut document = open_bytes(&bytes, &PageLimits::default()).unwrap();
    assert_eq!(document.page_count(), 1);
    assert!(document.is_cut_short());
    let page = document.read(0).unwrap();
    assert!(page.warnings[0].contains("further pages"), "{:?}", page.warnings);
}
