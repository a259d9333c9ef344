//! PNG, row by row: of the colours only one row is in memory.

use png::{BitDepth, ColorType, Transformations, Unit};

use super::deadline::Deadline;
use super::decode::{Pages, Picture};
use super::density::Density;
use super::error::Trouble;
use super::exif;
use super::gray::Samples;
use super::limits::PageLimits;
use super::source::Source;
use super::{Page, decode};

/// A PNG file: one page.
pub struct PngPages {
    source: Source,
    limits: PageLimits,
}

impl PngPages {
    pub fn open(source: Source, limits: PageLimits) -> Self {
        Self { source, limits }
    }
}

impl Pages for PngPages {
    fn count(&self) -> u32 {
        1
    }

    /// Walks over the chunks: true when the file ends before the end chunk.
    fn is_cut_short(&mut self, deadline: Deadline) -> Result<bool, Trouble> {
        let mut at = 8;
        loop {
            deadline.check()?;
            let Ok(head) = self.source.bytes_at::<8>(at) else { return Ok(true) };
            if &head[4..] == b"IEND" {
                return Ok(false);
            }
            at += 12 + u64::from(u32::from_be_bytes([head[0], head[1], head[2], head[3]]));
        }
    }

    fn read(&mut self, _: u32, deadline: Deadline) -> Result<Page, Trouble> {
        let stream = self.source.stream(deadline)?;
        // Of this only a row, the inflater and small chunks are used; the colour profile and texts are skipped.
        let bytes = usize::try_from(self.limits.max_decode_bytes).unwrap_or(usize::MAX);
        let mut decoder = png::Decoder::new_with_limits(stream, png::Limits { bytes });
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        decoder.set_transformations(Transformations::EXPAND);
        let (width, height) = decoder.read_header_info().map_err(trouble)?.size();
        self.limits.check_size(width, height, 0)?;
        let mut reader = decoder.read_info().map_err(trouble)?;

        let info = reader.info();
        let interlaced = info.interlaced;
        let exif = info.exif_metadata.as_deref().map(exif::read).unwrap_or_default();
        let density = match info.pixel_dims {
            Some(dims) if dims.unit == Unit::Meter => Density::per_metre(dims.xppu as f32, dims.yppu as f32),
            _ => Density::UNKNOWN,
        };
        let mut warnings = Vec::new();
        if let Some(animation) = info.animation_control.filter(|animation| animation.num_frames > 1) {
            warnings
                .push(format!("an animation of {} frames: only the first was read", animation.num_frames));
        }
        let (colours, depth) = reader.output_color_type();
        let samples = match colours {
            ColorType::Grayscale => Samples::Gray,
            ColorType::GrayscaleAlpha => Samples::GrayAlpha,
            ColorType::Rgb => Samples::Rgb,
            ColorType::Rgba => Samples::Rgba,
            ColorType::Indexed => {
                return Err(Trouble::Damaged("it has indexed colours without a palette".into()));
            }
        };
        let wide = depth == BitDepth::Sixteen;
        let to_gray = |from: &[u8], gray: &mut [u8]| {
            if wide {
                let samples_16 = from.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
                samples.to_gray_16(samples_16, gray);
            } else {
                samples.to_gray(from, gray);
            }
        };

        let mut gray = decode::white(width, height);
        if interlaced {
            // The rows come in seven passes: the whole picture has to be held.
            self.limits.check_size(width, height, samples.count() as u64 * if wide { 2 } else { 1 })?;
            let size = reader.output_buffer_size().ok_or(Trouble::Truncated)?;
            let mut whole = vec![255; size];
            if let Err(error) = reader.next_frame(&mut whole) {
                warnings.push(format!(
                    "the picture is damaged, parts of it are coarse or missing: {}",
                    survivable(error)?
                ));
            }
            to_gray(&whole, &mut gray);
        } else {
            for (row, line) in gray.chunks_exact_mut(width as usize).enumerate() {
                match reader.next_row() {
                    Ok(Some(data)) => to_gray(data.data(), line),
                    Ok(None) => {
                        warnings.push(decode::missing_rows(row as u32, height));
                        break;
                    }
                    Err(error) => {
                        let reason = survivable(error)?;
                        if row == 0 {
                            return Err(reason);
                        }
                        warnings.push(format!("{} ({reason})", decode::missing_rows(row as u32, height)));
                        break;
                    }
                }
            }
        }
        Picture {
            width,
            height,
            gray,
            orientation: exif.orientation,
            density: density.or(exif.density),
            warnings,
        }
        .into_page()
    }
}

/// The reason why the rest of a picture is lost, or the error when nothing can come of it.
fn survivable(error: png::DecodingError) -> Result<Trouble, Trouble> {
    match trouble(error) {
        reason @ (Trouble::Truncated | Trouble::Damaged(_)) => Ok(reason),
        other => Err(other),
    }
}

fn trouble(error: png::DecodingError) -> Trouble {
    match error {
        png::DecodingError::IoError(error) => Trouble::from_io(error),
        png::DecodingError::Format(error) => Trouble::Damaged(error.to_string()),
        png::DecodingError::Parameter(error) => Trouble::Damaged(error.to_string()),
        png::DecodingError::LimitsExceeded => {
            Trouble::Damaged("its rows or chunks are longer than the memory for them".into())
        }
    }
}
