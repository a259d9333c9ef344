//! TIFF's directories: which pages there are and what their tags say (TIFF 6.0, section 2; BigTIFF).

use std::collections::HashMap;

use crate::page::error::Trouble;
use crate::page::source::Source;

/// Bytes of the largest tag value that is read: strip offsets of a page of 100 million pixels in the smallest tiles have 3 million.
const MAX_VALUE_BYTES: u64 = 16 << 20;

/// Entries of a directory; ordinary pages have 15 to 30.
const MAX_ENTRIES: u64 = 4096;

/// Tags that are asked for.
pub mod tag {
    pub const SUBFILE_TYPE: u16 = 254;
    pub const WIDTH: u16 = 256;
    pub const HEIGHT: u16 = 257;
    pub const BITS: u16 = 258;
    pub const COMPRESSION: u16 = 259;
    pub const PHOTOMETRIC: u16 = 262;
    pub const FILL_ORDER: u16 = 266;
    pub const STRIP_OFFSETS: u16 = 273;
    pub const ORIENTATION: u16 = 274;
    pub const SAMPLES: u16 = 277;
    pub const ROWS_PER_STRIP: u16 = 278;
    pub const STRIP_BYTES: u16 = 279;
    pub const X_RESOLUTION: u16 = 282;
    pub const Y_RESOLUTION: u16 = 283;
    pub const PLANAR: u16 = 284;
    pub const T4_OPTIONS: u16 = 292;
    pub const RESOLUTION_UNIT: u16 = 296;
    pub const PREDICTOR: u16 = 317;
    pub const COLOR_MAP: u16 = 320;
    pub const TILE_WIDTH: u16 = 322;
    pub const TILE_HEIGHT: u16 = 323;
    pub const TILE_OFFSETS: u16 = 324;
    pub const TILE_BYTES: u16 = 325;
    pub const EXTRA_SAMPLES: u16 = 338;
    pub const SAMPLE_FORMAT: u16 = 339;
    pub const JPEG_TABLES: u16 = 347;
    pub const OLD_JPEG_OFFSET: u16 = 513;
    pub const OLD_JPEG_BYTES: u16 = 514;
    pub const YCBCR_SUBSAMPLING: u16 = 530;
}

/// How numbers lie in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    pub little: bool,
    big_tiff: bool,
}

impl Order {
    /// An unsigned number of up to 8 bytes.
    fn number(self, bytes: &[u8]) -> u64 {
        let join = |number: u64, byte: &u8| (number << 8) | u64::from(*byte);
        if self.little { bytes.iter().rev().fold(0, join) } else { bytes.iter().fold(0, join) }
    }

    /// Bytes of an offset.
    fn word(self) -> usize {
        if self.big_tiff { 8 } else { 4 }
    }
}

/// Where a value lies.
#[derive(Debug, Clone, Copy)]
struct Entry {
    kind: u16,
    count: u64,
    /// The value itself or its offset, as it lies in the entry.
    field: [u8; 8],
}

/// One directory: in a file of scans, one page.
#[derive(Debug, Clone)]
pub struct Directory {
    order: Order,
    entries: HashMap<u16, Entry>,
}

impl Directory {
    /// The bytes of a value and the bytes of one of its numbers.
    fn bytes(&self, source: &mut Source, tag: u16) -> Result<Option<(Vec<u8>, Entry, usize)>, Trouble> {
        let Some(entry) = self.entries.get(&tag).copied() else { return Ok(None) };
        let size = match entry.kind {
            1 | 2 | 6 | 7 => 1,
            3 | 8 => 2,
            4 | 9 | 11 | 13 => 4,
            5 | 10 | 12 | 16 | 17 | 18 => 8,
            _ => return Ok(None),
        };
        let length = entry.count.saturating_mul(size as u64);
        if length > MAX_VALUE_BYTES {
            return Err(Trouble::Damaged(format!("its tag {tag} claims {length} bytes")));
        }
        let bytes = if length <= self.order.word() as u64 {
            entry.field[..length as usize].to_vec()
        } else {
            source.range(self.order.number(&entry.field[..self.order.word()]), length)?
        };
        Ok(Some((bytes, entry, size)))
    }

    /// All whole numbers of a tag, empty when it is missing or of another kind.
    pub fn numbers(&self, source: &mut Source, tag: u16) -> Result<Vec<u64>, Trouble> {
        Ok(match self.bytes(source, tag)? {
            Some((bytes, entry, size)) if matches!(entry.kind, 1 | 3 | 4 | 7 | 13 | 16 | 18) => {
                bytes.chunks_exact(size).map(|number| self.order.number(number)).collect()
            }
            _ => Vec::new(),
        })
    }

    /// The first whole number of a tag.
    pub fn number(&self, source: &mut Source, tag: u16) -> Result<Option<u64>, Trouble> {
        Ok(self.numbers(source, tag)?.first().copied())
    }

    /// The first number of a tag as a fraction.
    pub fn fraction(&self, source: &mut Source, tag: u16) -> Result<Option<f32>, Trouble> {
        Ok(match self.bytes(source, tag)? {
            Some((bytes, entry, 8)) if entry.kind == 5 && bytes.len() >= 8 => {
                let (above, below) = (self.order.number(&bytes[..4]), self.order.number(&bytes[4..8]));
                (below != 0).then(|| (above as f64 / below as f64) as f32)
            }
            Some((bytes, entry, 4)) if entry.kind == 11 && bytes.len() >= 4 => {
                Some(f32::from_bits(self.order.number(&bytes[..4]) as u32))
            }
            Some((bytes, entry, size)) if matches!(entry.kind, 3 | 4) && bytes.len() >= size => {
                Some(self.order.number(&bytes[..size]) as f32)
            }
            _ => None,
        })
    }

    /// The bytes of a tag as they are, empty when it is missing.
    pub fn raw(&self, source: &mut Source, tag: u16) -> Result<Vec<u8>, Trouble> {
        Ok(self.bytes(source, tag)?.map(|(bytes, ..)| bytes).unwrap_or_default())
    }

    pub fn has(&self, tag: u16) -> bool {
        self.entries.contains_key(&tag)
    }

    pub fn is_little_endian(&self) -> bool {
        self.order.little
    }
}

/// The directories of a file in their order, at most `limit` and one more.
pub struct Chain {
    pub directories: Vec<Directory>,
    /// The chain broke off: a directory lies outside the file or points back.
    pub broken: bool,
}

/// Follows the chain of directories.
pub fn directories(source: &mut Source, limit: u32) -> Result<Chain, Trouble> {
    let head = source.bytes_at::<8>(0)?;
    let little = head[0] == b'I';
    let mut order = Order { little, big_tiff: false };
    order.big_tiff = order.number(&head[2..4]) == 43;
    let mut at =
        if order.big_tiff { order.number(&source.bytes_at::<8>(8)?) } else { order.number(&head[4..8]) };

    let mut chain = Chain { directories: Vec::new(), broken: false };
    let mut seen = std::collections::HashSet::new();
    while at != 0 && chain.directories.len() <= limit as usize {
        if !seen.insert(at) {
            chain.broken = true;
            break;
        }
        match directory(source, order, at) {
            Ok((directory, next)) => {
                chain.directories.push(directory);
                at = next;
            }
            Err(error @ Trouble::Io(_)) => return Err(error),
            Err(error) if chain.directories.is_empty() => return Err(error),
            Err(_) => {
                chain.broken = true;
                break;
            }
        }
    }
    Ok(chain)
}

fn directory(source: &mut Source, order: Order, at: u64) -> Result<(Directory, u64), Trouble> {
    let (count_size, entry_size) = if order.big_tiff { (8, 20) } else { (2, 12) };
    let count = order.number(&source.range(at, count_size)?);
    if count > MAX_ENTRIES {
        return Err(Trouble::Damaged(format!("its directory claims {count} entries")));
    }
    let word = order.word();
    let length = count * entry_size + word as u64;
    let bytes = source.range(at + count_size, length)?;
    let mut entries = HashMap::new();
    for entry in bytes.chunks_exact(entry_size as usize).take(count as usize) {
        let mut field = [0; 8];
        let field_at = entry.len() - word;
        field[..word].copy_from_slice(&entry[field_at..]);
        let (tag, kind) = (order.number(&entry[..2]) as u16, order.number(&entry[2..4]) as u16);
        entries.entry(tag).or_insert(Entry { kind, count: order.number(&entry[4..field_at]), field });
    }
    let next = order.number(&bytes[bytes.len() - word..]);
    Ok((Directory { order, entries }, next))
}
