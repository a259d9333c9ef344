//! How the pixels of a TIFF page are stored, from its tags.

use image::metadata::Orientation;

use super::tags::{Directory, tag};
use crate::page::density::Density;
use crate::page::error::Trouble;
use crate::page::limits::PageLimits;
use crate::page::source::Source;

/// Compression schemes that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    None,
    /// T.4 without line ends, rows at byte borders.
    ModifiedHuffman,
    /// T.4 in one dimension, or in two.
    Group3 {
        two_dimensional: bool,
    },
    Group4,
    Lzw,
    Deflate,
    PackBits,
    Jpeg,
    /// One JPEG file inside the TIFF, the way before 1995.
    OldJpeg {
        offset: u64,
        length: u64,
    },
    WebP,
}

/// What the samples mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    WhiteIsZero,
    BlackIsZero,
    Rgb,
    Palette,
    /// Ink, 255 is full.
    Cmyk,
    /// The first sample is luma.
    LumaFirst,
}

/// A page's storage. The picture is cut into chunks (strips or tiles), row by row of chunks.
#[derive(Debug)]
pub struct Layout {
    pub width: u32,
    pub height: u32,
    pub bits: u16,
    /// Samples a pixel, all of them.
    pub samples: usize,
    pub colours: Colours,
    pub compression: Compression,
    pub difference: bool,
    /// Each sample has chunks of its own.
    pub planar: bool,
    pub reversed_bits: bool,
    pub little: bool,
    /// Alpha follows the colours.
    pub alpha: bool,
    /// Gray of each palette entry.
    pub palette: Vec<u8>,
    /// Luma samples a chroma sample, across and down; (1, 1) for all but YCbCr.
    pub subsampling: (u32, u32),
    pub chunk_width: u32,
    pub chunk_height: u32,
    pub offsets: Vec<u64>,
    /// Empty when the file does not say.
    pub lengths: Vec<u64>,
    pub jpeg_tables: Vec<u8>,
    pub orientation: Option<Orientation>,
    pub density: Density,
}

impl Layout {
    pub fn read(directory: &Directory, source: &mut Source, limits: &PageLimits) -> Result<Self, Trouble> {
        let mut number =
            |tag, default: u64| Ok::<u64, Trouble>(directory.number(source, tag)?.unwrap_or(default));
        let side = |value: u64| {
            u32::try_from(value).map_err(|_| Trouble::Damaged(format!("its picture is {value} pixels long")))
        };
        let (width, height) = (side(number(tag::WIDTH, 0)?)?, side(number(tag::HEIGHT, 0)?)?);
        limits.check_size(width, height, 0)?;
        let bits = number(tag::BITS, 1)? as u16;
        let samples = number(tag::SAMPLES, 1)?.clamp(1, 1 << 16) as usize;
        let photometric = number(tag::PHOTOMETRIC, 0)?;
        let scheme = number(tag::COMPRESSION, 1)?;
        let t4_options = number(tag::T4_OPTIONS, 0)?;
        let old_jpeg = (number(tag::OLD_JPEG_OFFSET, 0)?, number(tag::OLD_JPEG_BYTES, 0)?);
        let predictor = number(tag::PREDICTOR, 1)?;
        let planar = number(tag::PLANAR, 1)? == 2 && samples > 1;
        let format = number(tag::SAMPLE_FORMAT, 1)?;
        let rows = number(tag::ROWS_PER_STRIP, u64::from(height))?;
        let tile = (number(tag::TILE_WIDTH, 0)?, number(tag::TILE_HEIGHT, 0)?);
        let reversed_bits = number(tag::FILL_ORDER, 1)? == 2;
        let orientation = number(tag::ORIENTATION, 1)?;
        let unit = number(tag::RESOLUTION_UNIT, 2)?;

        let unsupported = |what: String| Err(Trouble::Unsupported(what));
        let compression = match scheme {
            1 => Compression::None,
            2 => Compression::ModifiedHuffman,
            3 => Compression::Group3 { two_dimensional: t4_options & 1 == 1 },
            4 => Compression::Group4,
            5 => Compression::Lzw,
            6 if old_jpeg.0 != 0 => Compression::OldJpeg { offset: old_jpeg.0, length: old_jpeg.1 },
            6 => return unsupported("a TIFF with JPEG of the style before 1995".into()),
            7 => Compression::Jpeg,
            8 | 32_946 => Compression::Deflate,
            32_773 => Compression::PackBits,
            50_001 => Compression::WebP,
            other => return unsupported(format!("a TIFF compressed with {}", scheme_name(other))),
        };
        let jpeg = matches!(compression, Compression::Jpeg | Compression::OldJpeg { .. });
        let fax = matches!(
            compression,
            Compression::ModifiedHuffman | Compression::Group3 { .. } | Compression::Group4
        );
        let (colours, needed) = match photometric {
            0 => (Colours::WhiteIsZero, 1),
            1 => (Colours::BlackIsZero, 1),
            2 => (Colours::Rgb, 3),
            3 => (Colours::Palette, 1),
            5 => (Colours::Cmyk, 4),
            6 if jpeg || samples >= 3 => (Colours::LumaFirst, if jpeg { 1 } else { 3 }),
            8..=10 => (Colours::LumaFirst, 1),
            other => return unsupported(format!("a TIFF with colours of kind {other}")),
        };
        if samples < needed {
            return Err(Trouble::Damaged(format!(
                "its pixels have {samples} samples where {needed} are needed"
            )));
        }
        match (format, bits) {
            (3, _) => return unsupported("a TIFF with floating point pixels".into()),
            (2, _) => return unsupported("a TIFF with signed pixels".into()),
            (_, 1..=16 | 32) => {}
            (_, other) => return unsupported(format!("a TIFF with {other} bits a sample")),
        }
        if (fax && (bits != 1 || samples != 1)) || (jpeg && bits != 8) {
            return Err(Trouble::Damaged(format!(
                "its compression does not go with {samples} samples of {bits} bits"
            )));
        }
        let palette = if colours == Colours::Palette {
            palette(&directory.numbers(source, tag::COLOR_MAP)?, bits)?
        } else {
            Vec::new()
        };
        let subsampling = if photometric == 6 && !jpeg && !planar {
            match directory.numbers(source, tag::YCBCR_SUBSAMPLING)?[..] {
                [h @ (1 | 2 | 4), v @ (1 | 2 | 4)] => (h as u32, v as u32),
                [] => (2, 2),
                _ => return Err(Trouble::Damaged("its colours are subsampled in an impossible way".into())),
            }
        } else {
            (1, 1)
        };
        if subsampling != (1, 1) && bits != 8 {
            return unsupported(format!("a TIFF with subsampled colours of {bits} bits"));
        }

        let tiled = tile.0 != 0 && tile.1 != 0 && directory.has(tag::TILE_OFFSETS);
        let (offsets, lengths) =
            if tiled { (tag::TILE_OFFSETS, tag::TILE_BYTES) } else { (tag::STRIP_OFFSETS, tag::STRIP_BYTES) };
        let (chunk_width, chunk_height) = if tiled {
            (side(tile.0)?, side(tile.1)?)
        } else {
            (width, rows.clamp(1, u64::from(height)) as u32)
        };
        let extra = directory.number(source, tag::EXTRA_SAMPLES)?;
        Ok(Self {
            width,
            height,
            bits,
            samples,
            colours,
            compression,
            difference: predictor == 2,
            planar,
            reversed_bits,
            little: directory.is_little_endian(),
            alpha: samples > needed && matches!(extra, Some(1 | 2)),
            palette,
            subsampling,
            chunk_width,
            chunk_height,
            offsets: directory.numbers(source, offsets)?,
            lengths: directory.numbers(source, lengths)?,
            jpeg_tables: directory.raw(source, tag::JPEG_TABLES)?,
            orientation: u8::try_from(orientation).ok().and_then(Orientation::from_exif),
            density: Density::from_tiff(
                directory.fraction(source, tag::X_RESOLUTION)?,
                directory.fraction(source, tag::Y_RESOLUTION)?,
                unit as u16,
            ),
        })
    }

    pub fn chunks_across(&self) -> usize {
        self.width.div_ceil(self.chunk_width) as usize
    }

    pub fn chunks_down(&self) -> usize {
        self.height.div_ceil(self.chunk_height) as usize
    }

    /// Planes that the gray is made of: 1 when all samples lie together.
    pub fn planes_shown(&self) -> usize {
        match self.colours {
            _ if !self.planar => 1,
            Colours::Rgb => 3,
            Colours::Cmyk => 4,
            _ => 1,
        }
    }

    /// Samples a pixel in one chunk.
    pub fn samples_in_chunk(&self) -> usize {
        if self.planar { 1 } else { self.samples }
    }
}

fn scheme_name(scheme: u64) -> String {
    match scheme {
        32_771 => "a word-aligned fax code".into(),
        34_661 => "JBIG".into(),
        34_676 | 34_677 => "SGI LogLuv".into(),
        34_712 | 33_003 | 33_005 => "JPEG 2000".into(),
        34_887 => "LERC".into(),
        34_925 => "LZMA".into(),
        34_933 | 34_934 => "PNG".into(),
        50_000 => "ZSTD".into(),
        50_002 | 52_546 => "JPEG XL".into(),
        other => format!("the scheme {other}"),
    }
}

/// The gray of each entry of a colour map: all reds, then all greens, then all blues, 16 bits each.
fn palette(map: &[u64], bits: u16) -> Result<Vec<u8>, Trouble> {
    let entries = 1usize << bits.min(16);
    if map.len() < entries * 3 || bits > 8 {
        return Err(Trouble::Damaged("its palette is missing or too short".into()));
    }
    // Some writers give 8 bits where 16 are due.
    let narrow = map.iter().all(|value| *value < 256);
    let channel = |value: u64| if narrow { value as u8 } else { crate::page::gray::from_16(value as u16) };
    Ok((0..entries)
        .map(|entry| {
            crate::page::gray::luma(
                channel(map[entry]),
                channel(map[entries + entry]),
                channel(map[2 * entries + entry]),
            )
        })
        .collect())
}
