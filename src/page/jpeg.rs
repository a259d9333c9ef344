//! JPEG: of colour pictures only the luma is decoded.

use std::sync::Arc;

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

use super::deadline::Deadline;
use super::decode::{self, Pages, Picture};
use super::error::Trouble;
use super::exif;
use super::gray::Samples;
use super::limits::PageLimits;
use super::{Page, jpeg_codes, jpeg_marks};

/// Scans of a progressive picture; encoders make about ten. Each costs a pass over the whole picture.
const MAX_SCANS: usize = 64;

/// The value that the decoder leaves in rows that never came.
const NEVER_CAME: u8 = 128;

/// The one complaint of the strict decoder that says nothing of the pixels: stray bytes between segments.
const HARMLESS: &str = "Extra bytes between headers";

/// A JPEG file: one page.
pub struct JpegPages {
    bytes: Arc<Vec<u8>>,
    limits: PageLimits,
}

impl JpegPages {
    pub fn open(bytes: Arc<Vec<u8>>, limits: PageLimits) -> Self {
        Self { bytes, limits }
    }
}

impl Pages for JpegPages {
    fn count(&self) -> u32 {
        1
    }

    fn is_cut_short(&mut self, _: Deadline) -> Result<bool, Trouble> {
        Ok(!jpeg_marks::read(&self.bytes).complete)
    }

    fn read(&mut self, _: u32, deadline: Deadline) -> Result<Page, Trouble> {
        picture(&self.bytes, &self.limits, deadline)?.into_page()
    }
}

/// Decodes a JPEG that may be a file or a part of one.
pub fn picture(bytes: &[u8], limits: &PageLimits, deadline: Deadline) -> Result<Picture, Trouble> {
    let marks = jpeg_marks::read(bytes);
    // The strict decoder refuses what the other one silently paints gray: so it is the one that tells damage.
    match decode(bytes, &marks, limits, true) {
        Ok(mut picture) => {
            if !marks.complete {
                picture
                    .warnings
                    .push("the file ends early: the last rows of the picture may be missing".into());
            } else if let Some(row) = jpeg_codes::damaged_row(bytes) {
                // strict about marks, not about codes
                picture.warnings.push(format!(
                    "the picture is damaged, at row {row} or before: parts of it may be wrong"
                ));
            }
            Ok(picture)
        }
        Err(error @ (Trouble::TooLarge { .. } | Trouble::Unsupported(_))) => Err(error),
        Err(reason) => {
            deadline.check()?;
            let mut picture = decode(bytes, &marks, limits, false)?;
            let rows = rows_that_came(&picture.gray, picture.width as usize);
            if rows == 0 {
                return Err(if marks.complete { reason } else { Trouble::Truncated });
            }
            picture.gray[rows * picture.width as usize..].fill(255);
            if rows < picture.height as usize {
                picture.warnings.push(decode::missing_rows(rows as u32, picture.height));
            } else if !(marks.complete && reason.to_string().contains(HARMLESS)) {
                picture.warnings.push(format!("the picture is damaged, parts of it may be wrong: {reason}"));
            }
            Ok(picture)
        }
    }
}

fn decode(
    bytes: &[u8],
    marks: &jpeg_marks::Marks,
    limits: &PageLimits,
    strict: bool,
) -> Result<Picture, Trouble> {
    let options = DecoderOptions::default()
        .set_strict_mode(strict)
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .jpeg_set_max_scans(MAX_SCANS);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(trouble)?;
    let info = decoder.info().ok_or(Trouble::Truncated)?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    let colours = decoder.input_colorspace().ok_or(Trouble::Truncated)?;
    let (out, samples) = match colours {
        ColorSpace::Luma | ColorSpace::YCbCr => (ColorSpace::Luma, Samples::Gray),
        ColorSpace::RGB | ColorSpace::YCCK => (ColorSpace::RGB, Samples::Rgb),
        // Adobe's programs store ink inverted, and the decoder takes every file for theirs.
        ColorSpace::CMYK if marks.adobe => (ColorSpace::RGB, Samples::Rgb),
        ColorSpace::CMYK => (ColorSpace::CMYK, Samples::Cmyk),
        other => return Err(Trouble::Unsupported(format!("a JPEG with the colours {other:?}"))),
    };
    // Progressive pictures hold two bytes a sample until the last scan.
    let coefficients = if marks.progressive { 2 * u64::from(info.components) } else { 0 };
    limits.check_size(
        width,
        height,
        coefficients + if samples == Samples::Gray { 0 } else { samples.count() as u64 },
    )?;

    decoder.set_options(decoder.options().jpeg_set_out_colorspace(out));
    let mut whole = vec![NEVER_CAME; decoder.output_buffer_size().ok_or(Trouble::Truncated)?];
    decoder.decode_into(&mut whole).map_err(trouble)?;
    let gray = if samples == Samples::Gray {
        whole
    } else {
        let mut gray = decode::white(width, height);
        samples.to_gray(&whole, &mut gray);
        gray
    };
    let exif = decoder.exif().map(|block| exif::read(block)).unwrap_or_default();
    Ok(Picture {
        width,
        height,
        gray,
        orientation: exif.orientation,
        density: marks.density.or(exif.density),
        warnings: Vec::new(),
    })
}

/// Rows before the even gray that stands for what never came.
fn rows_that_came(gray: &[u8], width: usize) -> usize {
    gray.chunks_exact(width)
        .rposition(|row| row.iter().any(|value| *value != NEVER_CAME))
        .map_or(0, |last| last + 1)
}

fn trouble(error: DecodeErrors) -> Trouble {
    match error {
        DecodeErrors::ExhaustedData | DecodeErrors::IoErrors(_) => Trouble::Truncated,
        DecodeErrors::Unsupported(scheme) => {
            Trouble::Unsupported(format!("a JPEG of a rare kind ({scheme:?})"))
        }
        other => Trouble::Damaged(format!("{other:?}")),
    }
}
