//! JPEG 2000, as a file or as a bare code stream.

use std::sync::Arc;

use hayro_jpeg2000::{ColorSpace, DecodeSettings, DecoderContext, Image};

use super::Page;
use super::deadline::Deadline;
use super::decode::{self, Pages, Picture};
use super::density::Density;
use super::error::Trouble;
use super::gray::Samples;
use super::limits::PageLimits;

/// Bytes that the decoder takes a sample: a float, its coefficients and the result.
const BYTES_A_SAMPLE: u64 = 10;

/// Samples a pixel that are allowed. Gray, colours and inks with alpha have up to five.
const MAX_COMPONENTS: u16 = 8;

/// A JPEG 2000 file: one page.
pub struct Jp2Pages {
    bytes: Arc<Vec<u8>>,
    limits: PageLimits,
}

impl Jp2Pages {
    pub fn open(bytes: Arc<Vec<u8>>, limits: PageLimits) -> Self {
        Self { bytes, limits }
    }
}

impl Pages for Jp2Pages {
    fn count(&self) -> u32 {
        1
    }

    fn is_cut_short(&mut self, _: Deadline) -> Result<bool, Trouble> {
        Ok(!ends(&self.bytes))
    }

    fn read(&mut self, _: u32, deadline: Deadline) -> Result<Page, Trouble> {
        let size = codestream_size(&self.bytes).ok_or(Trouble::Truncated)?;
        let divisor = size.check(&self.limits)?;
        let settings = DecodeSettings {
            target_resolution: (divisor > 1).then(|| (size.width / divisor, size.height / divisor)),
            ..DecodeSettings::default()
        };
        let image =
            Image::new(&self.bytes, &settings).map_err(|error| Trouble::Damaged(error.to_string()))?;
        let channels = usize::from(image.color_space().num_channels()) + usize::from(image.has_alpha());
        let (samples, skip) = match (image.color_space(), image.has_alpha()) {
            (ColorSpace::CMYK, false) => (Samples::Cmyk, 0),
            (ColorSpace::CMYK, true) => (Samples::Cmyk, 1),
            (_, false) if channels >= 3 => (Samples::Rgb, channels - 3),
            (_, true) if channels == 4 => (Samples::Rgba, 0),
            (_, true) if channels == 2 => (Samples::GrayAlpha, 0),
            (_, _) if channels >= 1 => (Samples::Gray, channels - 1),
            _ => return Err(Trouble::Damaged("it has no colours".into())),
        };
        let (width, height) = (image.width(), image.height());
        self.limits.check_size(width, height, 0)?;
        deadline.check()?;
        let mut context = DecoderContext::default();
        let decoded = image.decode(&mut context).map_err(|error| Trouble::Damaged(error.to_string()))?;
        deadline.check()?;
        if decoded.components().len() != samples.count() + skip {
            return Err(Trouble::Damaged(format!(
                "it has {} channels where {channels} are due",
                decoded.components().len()
            )));
        }
        let whole = decoded.data_u8();
        let mut gray = decode::white(width, height);
        if skip == 0 {
            samples.to_gray(&whole, &mut gray);
        } else {
            for (pixel, gray) in whole.chunks_exact(samples.count() + skip).zip(gray.chunks_mut(1)) {
                samples.to_gray(&pixel[..samples.count()], gray);
            }
        }
        let mut warnings = Vec::new();
        if !ends(&self.bytes) {
            warnings.push("the file ends early: parts of the picture may be coarse or missing".into());
        }
        if divisor > 1 {
            warnings.push(format!("the picture is so large that it was read at 1/{divisor} of its size"));
        }
        Picture { width, height, gray, orientation: None, density: Density::UNKNOWN, warnings }.into_page()
    }
}

/// The code stream's end mark stands in the last bytes, at most a few boxes before the file's end.
fn ends(bytes: &[u8]) -> bool {
    bytes[bytes.len().saturating_sub(4096)..].windows(2).any(|pair| pair == [0xff, 0xd9])
}

/// What the head of a code stream promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodestreamSize {
    pub width: u32,
    pub height: u32,
    pub components: u16,
}

impl CodestreamSize {
    /// The smallest power of two by which the picture must be divided to stay within the memory, or an error.
    pub fn check(&self, limits: &PageLimits) -> Result<u32, Trouble> {
        limits.check_size(self.width, self.height, 0)?;
        if self.components == 0 || self.components > MAX_COMPONENTS {
            return Err(Trouble::Unsupported(format!(
                "a JPEG 2000 picture with {} components",
                self.components
            )));
        }
        let a_pixel = u64::from(self.components) * BYTES_A_SAMPLE;
        match [1, 2, 4]
            .into_iter()
            .find(|by| limits.check_size(self.width / by, self.height / by, a_pixel).is_ok())
        {
            Some(divisor) => Ok(divisor),
            None => limits.check_size(self.width, self.height, a_pixel).map(|()| 1),
        }
    }
}

/// Reads the size segment behind the start mark (T.800, annex A.5.1), wherever in the file the code stream begins.
pub fn codestream_size(bytes: &[u8]) -> Option<CodestreamSize> {
    let start = bytes.windows(4).position(|mark| mark == [0xff, 0x4f, 0xff, 0x51])?;
    let body = bytes.get(start + 4..start + 42)?;
    let number = |at: usize| u32::from_be_bytes([body[at], body[at + 1], body[at + 2], body[at + 3]]);
    Some(CodestreamSize {
        width: number(4).checked_sub(number(12))?,
        height: number(8).checked_sub(number(16))?,
        components: u16::from_be_bytes([body[36], body[37]]),
    })
}
