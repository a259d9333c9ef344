//! WebP, BMP, GIF and PNM: kinds that scanners seldom write, decoded whole by the `image` crate.

use std::io::Cursor;
use std::sync::Arc;

use image::codecs::bmp::BmpDecoder;
use image::codecs::gif::GifDecoder;
use image::codecs::pnm::PnmDecoder;
use image::codecs::webp::WebPDecoder;
use image::error::ImageError;
use image::{ColorType, ImageDecoder, Limits};

use super::deadline::Deadline;
use super::decode::{self, Pages, Picture};
use super::density::Density;
use super::error::Trouble;
use super::exif;
use super::format::Format;
use super::gray::Samples;
use super::limits::PageLimits;
use super::{Page, gif_blocks};

/// A file of one of these kinds: one page.
pub struct PicturePages {
    bytes: Arc<Vec<u8>>,
    format: Format,
    limits: PageLimits,
}

impl PicturePages {
    pub fn open(bytes: Arc<Vec<u8>>, format: Format, limits: PageLimits) -> Self {
        Self { bytes, format, limits }
    }
}

impl Pages for PicturePages {
    fn count(&self) -> u32 {
        1
    }

    fn is_cut_short(&mut self, _: Deadline) -> Result<bool, Trouble> {
        let length = self.bytes.len() as u64;
        let number = |at: usize| {
            self.bytes
                .get(at..at + 4)
                .map_or(0, |four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        };
        Ok(match self.format {
            Format::WebP => u64::from(number(4)) + 8 > length,
            Format::Bmp => u64::from(number(2)) > length,
            Format::Gif => !gif_blocks::read(&self.bytes).complete,
            // PNM has no bookkeeping but the sizes of its pixels, which the decoder checks.
            _ => false,
        })
    }

    fn read(&mut self, _: u32, _: Deadline) -> Result<Page, Trouble> {
        let bytes = self.bytes.as_slice();
        let mut warnings = Vec::new();
        let mut animation = |frames: Option<usize>| {
            let frames = frames.map(|frames| format!(" of {frames} frames")).unwrap_or_default();
            warnings.push(format!("an animation{frames}: only the first was read"));
        };
        let mut density = Density::UNKNOWN;
        let picture = match self.format {
            Format::WebP => {
                let decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(trouble)?;
                if decoder.has_animation() {
                    animation(None);
                }
                self.decoded(decoder)?
            }
            Format::Gif => {
                let frames = gif_blocks::read(bytes).frames;
                if frames > 1 {
                    animation(Some(frames));
                }
                self.decoded(GifDecoder::new(Cursor::new(bytes)).map_err(trouble)?)?
            }
            Format::Bmp => {
                density = bmp_density(bytes);
                self.decoded(BmpDecoder::new(Cursor::new(bytes)).map_err(trouble)?)?
            }
            _ => {
                let mut reader = Cursor::new(bytes);
                let picture = self.decoded(PnmDecoder::new(&mut reader).map_err(trouble)?)?;
                let rest = bytes.get(reader.position() as usize..).unwrap_or_default();
                if rest.iter().any(|byte| !byte.is_ascii_whitespace()) {
                    warnings.push("more follows after the first picture of the file: it was not read".into());
                }
                picture
            }
        };
        Picture { warnings, density: picture.density.or(density), ..picture }.into_page()
    }
}

impl PicturePages {
    fn decoded(&self, mut decoder: impl ImageDecoder) -> Result<Picture, Trouble> {
        let (width, height) = decoder.dimensions();
        let colours = decoder.color_type();
        self.limits.check_size(width, height, colours.bytes_per_pixel().into())?;
        let mut limits = Limits::default();
        limits.max_alloc = Some(self.limits.max_decode_bytes.saturating_add(self.limits.max_pixels));
        decoder.set_limits(limits).map_err(trouble)?;
        let exif =
            decoder.exif_metadata().unwrap_or(None).map(|block| exif::read(&block)).unwrap_or_default();

        let mut whole = vec![255; usize::try_from(decoder.total_bytes()).map_err(|_| Trouble::Truncated)?];
        decoder.read_image(&mut whole).map_err(trouble)?;
        let gray = to_gray(whole, colours, width, height)?;
        Ok(Picture {
            width,
            height,
            gray,
            orientation: exif.orientation,
            density: exif.density,
            warnings: Vec::new(),
        })
    }
}

fn to_gray(whole: Vec<u8>, colours: ColorType, width: u32, height: u32) -> Result<Vec<u8>, Trouble> {
    let (samples, wide) = match colours {
        ColorType::L8 => return Ok(whole),
        ColorType::La8 => (Samples::GrayAlpha, false),
        ColorType::Rgb8 => (Samples::Rgb, false),
        ColorType::Rgba8 => (Samples::Rgba, false),
        ColorType::L16 => (Samples::Gray, true),
        ColorType::La16 => (Samples::GrayAlpha, true),
        ColorType::Rgb16 => (Samples::Rgb, true),
        ColorType::Rgba16 => (Samples::Rgba, true),
        other => return Err(Trouble::Unsupported(format!("a picture with pixels of the kind {other:?}"))),
    };
    let mut gray = decode::white(width, height);
    if wide {
        samples
            .to_gray_16(whole.chunks_exact(2).map(|pair| u16::from_ne_bytes([pair[0], pair[1]])), &mut gray);
    } else {
        samples.to_gray(&whole, &mut gray);
    }
    Ok(gray)
}

/// Pixels a metre in both directions, bytes 38 to 45 of the header when it is not the oldest one.
fn bmp_density(bytes: &[u8]) -> Density {
    let number = |at: usize| Some(i32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    match (number(14), number(38), number(42)) {
        (Some(40..), Some(x), Some(y)) => Density::per_metre(x as f32, y as f32),
        _ => Density::UNKNOWN,
    }
}

fn trouble(error: ImageError) -> Trouble {
    match error {
        ImageError::IoError(error) => Trouble::from_io(error),
        ImageError::Unsupported(error) => Trouble::Unsupported(format!("a picture of a rare kind ({error})")),
        ImageError::Limits(error) => Trouble::Damaged(format!("it claims sizes beyond all limits ({error})")),
        other => {
            // Some decoders wrap a missing end into errors of their own.
            let mut source: Option<&dyn std::error::Error> = Some(&other);
            while let Some(error) = source {
                if error
                    .downcast_ref::<std::io::Error>()
                    .is_some_and(|e| e.kind() == std::io::ErrorKind::UnexpectedEof)
                {
                    return Trouble::Truncated;
                }
                source = error.source();
            }
            Trouble::Damaged(other.to_string())
        }
    }
}
