//! One strip or tile of a TIFF page, from the file into the gray page.

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

use super::convert::Converter;
use super::layout::{Colours, Compression, Layout};
use super::unpack;
use crate::page::error::Trouble;
use crate::page::fax::{self, EncodingMode};
use crate::page::limits::PageLimits;
use crate::page::source::Source;

/// What came of a chunk.
pub struct Came {
    pub rows: u32,
    pub wanted: u32,
    /// All rows are there, but their codes broke rules.
    pub faulty: bool,
    pub reason: Option<Trouble>,
}

/// Reads the chunks of a page into its gray picture.
pub struct Reader<'a> {
    layout: &'a Layout,
    source: &'a mut Source,
    converter: Converter,
    /// Bytes of a row of a chunk's samples; of a row of units when the colours are subsampled.
    row_bytes: usize,
    chunk_bytes: usize,
    /// Rows of all chunks so far.
    pub came: u64,
}

impl<'a> Reader<'a> {
    pub fn new(layout: &'a Layout, source: &'a mut Source, limits: &PageLimits) -> Result<Self, Trouble> {
        let (h, v) = layout.subsampling;
        let row_bits =
            u64::from(layout.chunk_width) * layout.samples_in_chunk() as u64 * u64::from(layout.bits);
        let mut row_bytes = row_bits.div_ceil(8);
        let mut rows = u64::from(layout.chunk_height);
        if (h, v) != (1, 1) {
            // A unit holds h x v luma samples and two of chroma.
            row_bytes = u64::from(layout.chunk_width.div_ceil(h)) * u64::from(h * v + 2);
            rows = u64::from(layout.chunk_height.div_ceil(v));
        }
        let planes = layout.planes_shown();
        let bytes = row_bytes.saturating_mul(rows);
        // Planes are held twice: alone and woven.
        if bytes.saturating_mul(2 * planes as u64 - 1) > limits.max_decode_bytes {
            let what = format!("a part of the page takes {bytes} bytes to decode");
            return Err(Trouble::TooLarge {
                what,
                limit: limits.max_decode_bytes,
                setting: "max_decode_bytes",
            });
        }
        let count = if layout.planar { planes } else { layout.samples };
        let converter = Converter::new(layout, count, layout.bits);
        Ok(Self {
            layout,
            source,
            converter,
            row_bytes: row_bytes as usize,
            chunk_bytes: bytes as usize,
            came: 0,
        })
    }

    /// Decodes the chunk in a row and column of chunks and lays it into `gray`, the whole page.
    /// Only I/O and unsupported content are errors; damage is told in the answer.
    pub fn read(&mut self, row: usize, column: usize, gray: &mut [u8]) -> Result<Came, Trouble> {
        let layout = self.layout;
        let top = row as u32 * layout.chunk_height;
        let wanted = layout.chunk_height.min(layout.height - top);
        let place = Place { top, left: column as u32 * layout.chunk_width, rows: wanted };
        let index = row * layout.chunks_across() + column;
        let result = match layout.compression {
            _ if layout.planar => self.planes(index, place, gray),
            Compression::Jpeg => self.jpeg(index, place, gray),
            Compression::ModifiedHuffman => self.fax(index, EncodingMode::Group3_1D, place, gray),
            Compression::Group3 { two_dimensional: false } => {
                self.fax(index, EncodingMode::Group3_1D, place, gray)
            }
            Compression::Group3 { two_dimensional: true } => {
                self.fax(index, EncodingMode::Group3_2D, place, gray)
            }
            Compression::Group4 => self.fax(index, EncodingMode::Group4, place, gray),
            _ => self.samples(index, place, gray),
        };
        let came = match result {
            Ok((rows, faulty)) => Came { rows, wanted, faulty, reason: None },
            Err(reason @ (Trouble::Truncated | Trouble::Damaged(_))) => {
                Came { rows: 0, wanted, faulty: false, reason: Some(reason) }
            }
            Err(error) => return Err(error),
        };
        self.came += u64::from(came.rows);
        Ok(came)
    }

    fn fax(
        &mut self,
        index: usize,
        encoding: EncodingMode,
        place: Place,
        gray: &mut [u8],
    ) -> Result<(u32, bool), Trouble> {
        let layout = self.layout;
        let aligned = layout.compression == Compression::ModifiedHuffman;
        let raw = self.raw(index)?;
        let mut fax = fax::decode(&raw, layout.chunk_width, place.rows, encoding, aligned);
        if layout.colours == Colours::BlackIsZero {
            fax.gray.iter_mut().for_each(|value| *value = 255 - *value);
        }
        let rows = place.fill(gray, layout, &fax.gray, layout.chunk_width as usize, |from, to| {
            to.copy_from_slice(&from[..to.len()]);
        });
        Ok((rows, fax.faulty))
    }

    fn jpeg(&mut self, index: usize, place: Place, gray: &mut [u8]) -> Result<(u32, bool), Trouble> {
        let raw = self.raw(index)?;
        let picture = jpeg(&raw, self.layout)?;
        let converter = Converter::new(self.layout, picture.samples, 8);
        let rows =
            place.fill(gray, self.layout, &picture.data, picture.width * picture.samples, |from, to| {
                converter.row(from, to);
            });
        Ok((rows, picture.faulty))
    }

    fn samples(&mut self, index: usize, place: Place, gray: &mut [u8]) -> Result<(u32, bool), Trouble> {
        let samples = self.unpacked(index)?;
        let rows = if self.layout.subsampling == (1, 1) {
            place.fill(gray, self.layout, &samples, self.row_bytes, |from, to| self.converter.row(from, to))
        } else {
            place.fill_subsampled(gray, self.layout, &samples, self.row_bytes)
        };
        Ok((rows, false))
    }

    /// Separate planes: as many as the colours need are decoded and woven together.
    fn planes(&mut self, index: usize, place: Place, gray: &mut [u8]) -> Result<(u32, bool), Trouble> {
        let layout = self.layout;
        if !matches!(layout.bits, 8 | 16) {
            return Err(Trouble::Unsupported(format!("a TIFF with separate planes of {} bits", layout.bits)));
        }
        let step = layout.chunks_across() * layout.chunks_down();
        let bytes = usize::from(layout.bits / 8);
        let mut planes = Vec::with_capacity(layout.planes_shown());
        let mut faulty = false;
        for plane in 0..layout.planes_shown() {
            planes.push(if layout.compression == Compression::Jpeg {
                let picture = jpeg(&self.raw(index + plane * step)?, layout)?;
                faulty |= picture.faulty;
                picture.data
            } else {
                self.unpacked(index + plane * step)?
            });
        }
        let length = planes.iter().map(Vec::len).min().unwrap_or(0) / bytes;
        let mut woven = Vec::with_capacity(length * bytes * planes.len());
        for pixel in 0..length {
            for plane in &planes {
                woven.extend_from_slice(&plane[pixel * bytes..(pixel + 1) * bytes]);
            }
        }
        let row_bytes = self.row_bytes * planes.len();
        let rows = place.fill(gray, layout, &woven, row_bytes, |from, to| self.converter.row(from, to));
        Ok((rows, faulty))
    }

    /// The bytes of a chunk in the file, as far as the file goes.
    fn raw(&mut self, index: usize) -> Result<Vec<u8>, Trouble> {
        let Some(offset) = self.layout.offsets.get(index).copied().filter(|offset| *offset != 0) else {
            return Err(Trouble::Truncated);
        };
        let rest = self.source.length.saturating_sub(offset);
        // Without a length a chunk ends at the latest where the file does; uncompressed ones have their own.
        let length = match self.layout.lengths.get(index).copied().filter(|length| *length != 0) {
            Some(length) => length,
            None if self.layout.compression == Compression::None => self.chunk_bytes as u64,
            None => rest,
        };
        // No scheme needs more than that, so that a forged length reserves nothing.
        let most = (self.chunk_bytes as u64).saturating_mul(2).saturating_add(1 << 20);
        let mut raw = self.source.range(offset, length.min(rest).min(most))?;
        if raw.is_empty() {
            return Err(Trouble::Truncated);
        }
        let turned =
            !matches!(self.layout.compression, Compression::Jpeg | Compression::WebP | Compression::Deflate);
        if self.layout.reversed_bits && turned {
            raw.iter_mut().for_each(|byte| *byte = byte.reverse_bits());
        }
        Ok(raw)
    }

    /// The samples of a chunk, whole rows only.
    fn unpacked(&mut self, index: usize) -> Result<Vec<u8>, Trouble> {
        let layout = self.layout;
        let raw = self.raw(index)?;
        let mut samples = vec![0; if layout.compression == Compression::None { 0 } else { self.chunk_bytes }];
        let came = match layout.compression {
            Compression::None => {
                samples = raw;
                samples.len()
            }
            Compression::Lzw => unpack::lzw(&raw, &mut samples)?,
            Compression::Deflate => unpack::deflate(&raw, &mut samples),
            Compression::PackBits => unpack::pack_bits(&raw, &mut samples),
            Compression::WebP => unpack::webp(&raw, layout.samples_in_chunk(), &mut samples)?,
            other => {
                return Err(Trouble::Unsupported(format!("a TIFF compressed with {other:?} in this layout")));
            }
        };
        samples.truncate(came.min(self.chunk_bytes) / self.row_bytes * self.row_bytes);
        if layout.difference && matches!(layout.compression, Compression::Lzw | Compression::Deflate) {
            for row in samples.chunks_exact_mut(self.row_bytes) {
                unpack::undo_predictor(row, layout.bits, layout.samples_in_chunk(), layout.little);
            }
        }
        Ok(samples)
    }
}

/// Where a chunk lies on the page.
#[derive(Clone, Copy)]
struct Place {
    top: u32,
    left: u32,
    rows: u32,
}

impl Place {
    /// Lays rows of samples into the page; gives how many came.
    fn fill(
        self,
        gray: &mut [u8],
        layout: &Layout,
        samples: &[u8],
        row_bytes: usize,
        convert: impl Fn(&[u8], &mut [u8]),
    ) -> u32 {
        let (width, left) = (layout.width as usize, self.left as usize);
        let across = (layout.chunk_width as usize).min(width - left);
        let mut rows = 0;
        for from in samples.chunks_exact(row_bytes.max(1)).take(self.rows as usize) {
            let start = (self.top as usize + rows) * width + left;
            convert(from, &mut gray[start..start + across]);
            rows += 1;
        }
        rows as u32
    }

    /// Lays the luma of subsampled YCbCr into the page (TIFF 6.0, section 21).
    fn fill_subsampled(self, gray: &mut [u8], layout: &Layout, samples: &[u8], row_bytes: usize) -> u32 {
        let (h, v) = (layout.subsampling.0 as usize, layout.subsampling.1 as usize);
        let (width, left) = (layout.width as usize, self.left as usize);
        let across = (layout.chunk_width as usize).min(width - left);
        let mut rows = 0;
        for units in samples.chunks_exact(row_bytes.max(1)) {
            for line in 0..v {
                if rows == self.rows as usize {
                    return self.rows;
                }
                let start = (self.top as usize + rows) * width + left;
                for (x, gray) in gray[start..start + across].iter_mut().enumerate() {
                    *gray = units[x / h * (h * v + 2) + line * h + x % h];
                }
                rows += 1;
            }
        }
        rows as u32
    }
}

struct Jpeg {
    data: Vec<u8>,
    width: usize,
    samples: usize,
    faulty: bool,
}

/// A JPEG chunk: the tables that all chunks share stand before its own data.
fn jpeg(raw: &[u8], layout: &Layout) -> Result<Jpeg, Trouble> {
    let mut bytes = Vec::with_capacity(layout.jpeg_tables.len() + raw.len());
    match layout.jpeg_tables.strip_suffix(b"\xff\xd9") {
        Some(tables) if raw.len() > 2 => {
            bytes.extend_from_slice(tables);
            bytes.extend_from_slice(&raw[2..]);
        }
        _ => bytes.extend_from_slice(raw),
    }
    let damaged = |error: DecodeErrors| Trouble::Damaged(format!("a JPEG part of the picture: {error:?}"));
    let decode = |strict| {
        let options = DecoderOptions::default().set_strict_mode(strict);
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&bytes), options);
        decoder.decode_headers().map_err(damaged)?;
        let found = decoder.input_colorspace().ok_or(Trouble::Truncated)?;
        let (width, height) = decoder.dimensions().ok_or(Trouble::Truncated)?;
        // Encoders pad to their blocks of up to 32 pixels.
        if width > layout.chunk_width as usize + 32 || height > layout.chunk_height as usize + 32 {
            return Err(Trouble::Damaged("a JPEG part of the picture does not fit the page".into()));
        }
        if width < layout.chunk_width.min(layout.width) as usize {
            return Err(Trouble::Damaged("a JPEG part of the picture is too narrow".into()));
        }
        // Of YCbCr only the luma is decoded; all other colours are taken as they are stored, for the tags say what they mean.
        let luma = layout.colours == Colours::LumaFirst && found == ColorSpace::YCbCr;
        let out = if luma { ColorSpace::Luma } else { found };
        decoder.set_options(decoder.options().jpeg_set_out_colorspace(out));
        let data = decoder.decode().map_err(damaged)?;
        Ok(Jpeg { data, width, samples: out.num_components(), faulty: !strict })
    };
    decode(true).or_else(|_| decode(false))
}
