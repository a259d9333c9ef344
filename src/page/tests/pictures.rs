//! PNG and JPEG in their variants.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, ImageFormat, Luma, Rgba, RgbaImage};
use png::{BitDepth, ColorType};

use super::{difference, drawing, read_bytes};
use crate::page::Format;

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    picture.write_to(&mut Cursor::new(&mut bytes), format).unwrap();
    bytes
}

fn png(
    width: u32,
    height: u32,
    colours: ColorType,
    depth: BitDepth,
    data: &[u8],
    set: impl FnOnce(&mut png::Encoder<&mut Vec<u8>>),
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(colours);
    encoder.set_depth(depth);
    set(&mut encoder);
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    bytes
}

#[test]
fn gray_png_is_exact() {
    let gray = drawing(67, 41);
    let page = read_bytes(&encoded(&gray.clone().into(), ImageFormat::Png)).unwrap();
    assert_eq!(page.gray, gray);
    assert_eq!(page.dpi, None);
    assert!(page.warnings.is_empty());
}

#[test]
fn png_of_few_bits() {
    // 10 pixels: two bytes a row at one bit.
    let page = read_bytes(&png(
        10,
        2,
        ColorType::Grayscale,
        BitDepth::One,
        &[0b1010_1010, 0b1000_0000, 0, 0],
        |_| {},
    ));
    let gray = page.unwrap().gray;
    assert_eq!(gray.as_raw()[..10], [255, 0, 255, 0, 255, 0, 255, 0, 255, 0]);
    assert_eq!(gray.as_raw()[10..], [0; 10]);

    let page = read_bytes(&png(2, 1, ColorType::Grayscale, BitDepth::Four, &[0x0f], |_| {})).unwrap();
    assert_eq!(page.gray.as_raw()[..], [0, 255]);
}

#[test]
fn png_of_sixteen_bits() {
    let page =
        read_bytes(&png(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0x80, 0x80, 0xff, 0xff], |_| {}))
            .unwrap();
    assert_eq!(page.gray.as_raw()[..], [0x80, 255]);
}

#[test]
fn png_palette_with_transparency() {
    let bytes = png(3, 1, ColorType::Indexed, BitDepth::Eight, &[0, 1, 2], |encoder| {
        encoder.set_palette(vec![255, 0, 0, 0, 0, 0, 10, 20, 30]);
        encoder.set_trns(vec![255, 255, 0]);
    });
    assert_eq!(read_bytes(&bytes).unwrap().gray.as_raw()[..], [76, 0, 255]);
}

#[test]
fn png_density() {
    let with = |xppu, yppu, unit| {
        let bytes = png(1, 1, ColorType::Grayscale, BitDepth::Eight, &[9], |encoder| {
            encoder.set_pixel_dims(Some(png::PixelDimensions { xppu, yppu, unit }));
        });
        read_bytes(&bytes).unwrap().dpi
    };
    assert_eq!(with(11_811, 11_811, png::Unit::Meter), Some(300.0));
    assert_eq!(with(11_811, 11_811, png::Unit::Unspecified), None);
    assert_eq!(with(1, 1, png::Unit::Meter), None);
}

#[test]
fn alpha_lies_on_white_paper() {
    let picture =
        RgbaImage::from_fn(2, 1, |x, _| if x == 0 { Rgba([0, 0, 0, 0]) } else { Rgba([0, 0, 0, 255]) });
    let page = read_bytes(&encoded(&picture.into(), ImageFormat::Png)).unwrap();
    assert_eq!(page.gray.as_raw()[..], [255, 0]);
}

#[test]
fn cut_png_keeps_what_came_and_says_so() {
    // Noise, so that the file grows evenly with the rows.
    let gray =
        GrayImage::from_fn(100, 100, |x, y| Luma([(x.wrapping_mul(7919) ^ y.wrapping_mul(104_729)) as u8]));
    let bytes = encoded(&gray.clone().into(), ImageFormat::Png);
    let page = read_bytes(&bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(page.warnings.len(), 1);
    assert!(page.warnings[0].contains("ends early"), "{:?}", page.warnings);
    assert_eq!(page.gray.as_raw()[..1_000], gray.as_raw()[..1_000]);
    assert_eq!(page.gray.as_raw()[9_900..], [255; 100]);
}

fn jpeg(picture: &DynamicImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 95);
    encoder.set_pixel_density(image::codecs::jpeg::PixelDensity::dpi(300));
    encoder.encode_image(picture).unwrap();
    bytes
}

#[test]
fn jpeg_gray_and_colour() {
    let gray = drawing(120, 80);
    let page = read_bytes(&jpeg(&gray.clone().into())).unwrap();
    assert_eq!(page.dpi, Some(300.0));
    assert!(page.warnings.is_empty(), "{:?}", page.warnings);
    assert!(difference(&page.gray, &gray) < 40);

    let colour = DynamicImage::ImageLuma8(gray.clone()).to_rgb8();
    let page = read_bytes(&jpeg(&colour.into())).unwrap();
    assert!(page.warnings.is_empty(), "{:?}", page.warnings);
    assert!(difference(&page.gray, &gray) < 40);
}

/// Puts an EXIF segment with a turn after the start mark.
fn with_turn(jpeg: &[u8], turn: u8) -> Vec<u8> {
    let mut exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x00\0\0\0\0\0\0".to_vec();
    exif[25] = turn;
    let mut bytes = jpeg[..2].to_vec();
    bytes.extend(b"\xff\xe1");
    bytes.extend((exif.len() as u16 + 2).to_be_bytes());
    bytes.extend(exif);
    bytes.extend(&jpeg[2..]);
    bytes
}

#[test]
fn every_exif_turn_comes_out_upright() {
    let upright = drawing(160, 80);
    for turn in 1..=8 {
        // The inverse of what the reader has to do.
        let inverse = match Orientation::from_exif(turn).unwrap() {
            Orientation::Rotate90 => Orientation::Rotate270,
            Orientation::Rotate270 => Orientation::Rotate90,
            own_inverse => own_inverse,
        };
        let mut stored = DynamicImage::ImageLuma8(upright.clone());
        stored.apply_orientation(inverse);
        let page = read_bytes(&with_turn(&jpeg(&stored), turn)).unwrap();
        assert_eq!(page.gray.dimensions(), (160, 80), "turn {turn}");
        assert!(difference(&page.gray, &upright) < 40, "turn {turn}");
    }
}

#[test]
fn cut_jpeg_keeps_what_came_and_says_so() {
    let gray =
        GrayImage::from_fn(200, 200, |x, y| Luma([(x.wrapping_mul(7919) ^ y.wrapping_mul(104_729)) as u8]));
    let bytes = jpeg(&gray.clone().into());
    let whole = read_bytes(&bytes).unwrap().gray;
    let page = read_bytes(&bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(page.warnings.len(), 1, "{:?}", page.warnings);
    assert!(page.warnings[0].contains("ends early"), "{:?}", page.warnings);
    assert_eq!(page.gray.as_raw()[..200 * 64], whole.as_raw()[..200 * 64]);
    assert_eq!(page.gray.as_raw()[200 * 199..], [255; 200]);

    // Only the end mark is missing: every row is there.
    let page = read_bytes(&bytes[..bytes.len() - 2]).unwrap();
    assert_eq!(page.warnings.len(), 1);
    assert_eq!(page.gray, whole);
}

/// Codes that were damaged and still decode to something. What falls into step again with no block too many passes.
#[test]
fn damage_within_a_jpeg_is_told() {
    let gray = GrayImage::from_fn(240, 240, |x, y| Luma([if (x / 30 + y / 30) % 2 == 0 { 240 } else { 90 }]));
    let colour = DynamicImage::ImageLuma8(gray.clone()).to_rgb8();
    for bytes in [jpeg(&gray.into()), jpeg(&colour.into()), super::fixture("rgb-420.jpg")] {
        assert!(read_bytes(&bytes).unwrap().warnings.is_empty());
        let data = bytes.windows(2).position(|mark| mark == [0xff, 0xda]).unwrap() + 14;
        let mut told = 0;
        for trial in 0..40 {
            let mut damaged = bytes.clone();
            let at = data + (bytes.len() - data - 30) * trial / 40;
            damaged[at..at + 24].fill(if trial % 2 == 0 { 0 } else { 0x5a });
            told += usize::from(!matches!(read_bytes(&damaged), Ok(page) if page.warnings.is_empty()));
        }
        assert!(told >= 24, "{told} of 40");
    }
}

#[test]
fn the_name_does_not_matter() {
    let bytes = encoded(&drawing(10, 10).into(), ImageFormat::Png);
    let scrap = super::Scrap::new("scan.pdf", &bytes);
    let document = crate::page::open(&scrap.path, &Default::default()).unwrap();
    assert_eq!(document.format(), Format::Png);
    assert_eq!(document.page_count(), 1);
}

#[test]
fn jpeg_inks_and_progressive() {
    let (gray, rgb) = (read("gray.png"), read("rgb.png"));
    for (name, want, most) in [
        ("gray-progressive.jpg", &gray, 40),
        ("rgb-progressive.jpg", &rgb, 60),
        ("rgb-420.jpg", &rgb, 60),
        ("cmyk-adobe.jpg", &rgb, 60),
        ("cmyk-plain.jpg", &rgb, 60),
        ("ycck-adobe.jpg", &rgb, 60),
    ] {
        let found = read(name);
        let off = difference(&found, want);
        assert!(off <= most, "{name}: {off}");
        let mean = found.iter().zip(want.iter()).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>()
            / found.len() as f64;
        assert!(mean < 4.0, "{name}: {mean}");
    }
}

/// A file of the fixtures that reads without a warning.
fn read(name: &str) -> GrayImage {
    let page = read_bytes(&super::fixture(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(page.warnings.is_empty(), "{name}: {:?}", page.warnings);
    page.gray
}

#[test]
fn webp_bmp_and_gif() {
    assert_eq!(difference(&read("rgb.webp"), &read("rgb.png")), 0);
    assert_eq!(difference(&read("bw.bmp"), &read("bw.png")), 0);
    assert_eq!(difference(&read("gif.gif"), &read("gray.png")), 0);
    assert_eq!(read_bytes(&super::fixture("bw.bmp")).unwrap().dpi, Some(300.0));
    let colour = DynamicImage::ImageLuma8(drawing(33, 21)).to_rgb8();
    assert_eq!(read_bytes(&encoded(&colour.into(), ImageFormat::Bmp)).unwrap().gray, drawing(33, 21));
}

#[test]
fn of_an_animation_the_first_frame_is_read() {
    let page = read_bytes(&super::fixture("animated.gif")).unwrap();
    assert_eq!(difference(&page.gray, &read("bw.png")), 0);
    assert_eq!(page.warnings, ["an animation of 2 frames: only the first was read"]);
}

#[test]
fn pnm_of_all_kinds() {
    let gray = |bytes: &[u8]| read_bytes(bytes).unwrap().gray.into_raw();
    assert_eq!(gray(b"P1\n# one is black\n3 1\n1 0 1\n"), [0, 255, 0]);
    assert_eq!(gray(b"P2\n3 1\n15\n0 15 5\n"), [0, 255, 85]);
    assert_eq!(gray(b"P3\n1 1\n255\n255 0 0\n"), [76]);
    assert_eq!(gray(b"P4\n3 1\n\xa0"), [0, 255, 0]);
    assert_eq!(gray(b"P5\n2 1\n255\n\x07\xff"), [7, 255]);
    assert_eq!(gray(b"P5\n2 1\n65535\n\x80\x80\xff\xff"), [0x80, 255]);
    assert_eq!(gray(b"P6\n1 1\n255\n\0\xff\0"), [150]);
    let page = read_bytes(b"P5\n1 1\n255\n\x07P5\n1 1\n255\n\x07").unwrap();
    assert!(page.warnings[0].contains("more follows"), "{:?}", page.warnings);
    assert!(read_bytes(b"P5\n2 2\n255\n\x07").is_err());
}

#[test]
fn interlaced_png() {
    assert_eq!(difference(&read("gray-interlaced.png"), &read("gray.png")), 0);
    assert_eq!(difference(&read("rgb-alpha-interlaced-16.png"), &read("rgb-alpha.png")), 0);
}
