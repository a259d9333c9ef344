//! The pictures that are kept for reviewers.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{GrayImage, ImageFormat, imageops};

use crate::board::model::{MARGIN, SQUARE};
use crate::board::warp_board;
use crate::page::Page;
use crate::queue::{Crops, Picture};
use crate::reading::crops::Crop;
use crate::reading::{PageReading, crops_of};

/// Longest side of a page's small picture. 1,600: text stays legible and a missed board can be drawn to half a percent of its side.
const PAGE_SIDE: u32 = 1600;

/// Quality of its JPEG. 70: some 200 KB a page.
const PAGE_QUALITY: u8 = 70;

/// Board, warped board and caption of each diagram.
pub(super) fn pictures_of(page: &Page, reading: &PageReading) -> Result<Vec<Crops>, String> {
    let crops = crops_of(page, reading).map_err(|error| error.to_string())?;
    crops
        .into_iter()
        .zip(&reading.diagrams)
        .map(|(crops, diagram)| {
            let warped = warp_board(&page.gray, &diagram.quad);
            let squares = imageops::crop_imm(&warped, MARGIN, MARGIN, 8 * SQUARE, 8 * SQUARE).to_image();
            Ok(Crops {
                board: Some(of_crop(crops.board)),
                squares: Some(png(&squares)?),
                caption: crops.caption.map(of_crop),
            })
        })
        .collect()
}

fn of_crop(crop: Crop) -> Picture {
    Picture {
        media_type: "image/png".to_owned(),
        width: crop.size.0,
        height: crop.size.1,
        area: Some(crop.area),
        data: crop.png,
    }
}

fn png(picture: &GrayImage) -> Result<Picture, String> {
    let mut data = Vec::new();
    picture.write_to(&mut Cursor::new(&mut data), ImageFormat::Png).map_err(|error| error.to_string())?;
    Ok(Picture {
        media_type: "image/png".to_owned(),
        width: picture.width(),
        height: picture.height(),
        area: None,
        data,
    })
}

/// The whole page, small enough to be kept.
pub(super) fn page_picture(page: &Page) -> Result<Picture, String> {
    let gray = &page.gray;
    let longest = gray.width().max(gray.height()).max(1);
    let small = if longest > PAGE_SIDE {
        let side =
            |pixels: u32| ((u64::from(pixels) * u64::from(PAGE_SIDE)) / u64::from(longest)).max(1) as u32;
        imageops::thumbnail(gray, side(gray.width()), side(gray.height()))
    } else {
        gray.clone()
    };
    let mut data = Vec::new();
    JpegEncoder::new_with_quality(&mut data, PAGE_QUALITY)
        .encode_image(&small)
        .map_err(|error| error.to_string())?;
    Ok(Picture {
        media_type: "image/jpeg".to_owned(),
        width: small.width(),
        height: small.height(),
        area: None,
        data,
    })
}
