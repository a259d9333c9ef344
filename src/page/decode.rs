//! What all decoders have in common: a file as a row of pages, and the last steps from pixels to a page.

use image::metadata::Orientation;
use image::{DynamicImage, GrayImage};

use super::Page;
use super::deadline::Deadline;
use super::density::Density;
use super::error::Trouble;
use super::format::Format;
use super::limits::PageLimits;
use super::source::Source;
use super::{djvu, jp2, jpeg, pdf, picture, png, tiff};

/// An open file of any kind.
pub trait Pages {
    /// At least 1.
    fn count(&self) -> u32;

    /// Whether the file's own bookkeeping says that its end is missing. Nothing is decoded.
    fn is_cut_short(&mut self, deadline: Deadline) -> Result<bool, Trouble>;

    /// Decodes a page; `index` counts from 0 and is below [`Pages::count`].
    fn read(&mut self, index: u32, deadline: Deadline) -> Result<Page, Trouble>;
}

/// Opens a file with the decoder of its kind.
pub fn open(source: Source, limits: &PageLimits, deadline: Deadline) -> Result<Box<dyn Pages>, Trouble> {
    let limits_ = limits.clone();
    let pages: Box<dyn Pages> = match source.format {
        Format::Png => Box::new(png::PngPages::open(source, limits_)),
        Format::Jpeg => Box::new(jpeg::JpegPages::open(source.load(deadline)?, limits_)),
        Format::Tiff => Box::new(tiff::TiffPages::open(source, limits_)?),
        Format::Pdf => Box::new(pdf::PdfPages::open(source.load(deadline)?, limits_)?),
        Format::DjVu => Box::new(djvu::DjVuPages::open(source.load(deadline)?, limits_)?),
        Format::Jpeg2000 => Box::new(jp2::Jp2Pages::open(source.load(deadline)?, limits_)),
        format @ (Format::WebP | Format::Bmp | Format::Gif | Format::Pnm) => {
            Box::new(picture::PicturePages::open(source.load(deadline)?, format, limits_))
        }
    };
    match pages.count() {
        0 => Err(Trouble::NoPages),
        count if count > limits.max_pages => {
            let limit = limits.max_pages.into();
            Err(Trouble::TooLarge {
                what: format!("the file has {count} pages"),
                limit,
                setting: "max_pages",
            })
        }
        _ => Ok(pages),
    }
}

/// The pixels of a page as they lie in the file.
pub struct Picture {
    pub width: u32,
    pub height: u32,
    /// `width` x `height` bytes.
    pub gray: Vec<u8>,
    pub orientation: Option<Orientation>,
    pub density: Density,
    pub warnings: Vec<String>,
}

impl Picture {
    /// Turns the picture upright.
    pub fn into_page(self) -> Result<Page, Trouble> {
        let gray = GrayImage::from_raw(self.width, self.height, self.gray)
            .ok_or_else(|| Trouble::Damaged("its pixels do not fill the picture".into()))?;
        let gray = match self.orientation {
            None | Some(Orientation::NoTransforms) => gray,
            Some(turn) => {
                let mut picture = DynamicImage::ImageLuma8(gray);
                picture.apply_orientation(turn);
                picture.into_luma8()
            }
        };
        Ok(Page { gray, dpi: self.density.dpi(), warnings: self.warnings, text: None })
    }
}

/// Empty paper. The size must have been checked.
pub fn white(width: u32, height: u32) -> Vec<u8> {
    vec![255; width as usize * height as usize]
}

/// A sentence for a picture of which only the first `rows` of `height` rows came.
pub fn missing_rows(rows: u32, height: u32) -> String {
    let lost = u64::from(height.saturating_sub(rows));
    let share = (lost * 100).div_ceil(u64::from(height.max(1)));
    format!("the picture ends early: the last {lost} of {height} rows ({share} %) are missing")
}
