//! The three things that matter here of an EXIF block: the turn, and the density in both directions.
//!
//! An EXIF block is the first directory of a TIFF file (EXIF 2.3, section 4.6).

use image::metadata::Orientation;

use super::density::Density;

/// What the first directory says.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Exif {
    pub orientation: Option<Orientation>,
    pub density: Density,
}

/// Reads an EXIF block, with or without its `Exif\0\0` mark. Nonsense gives an empty answer.
pub fn read(block: &[u8]) -> Exif {
    parse(block.strip_prefix(b"Exif\0\0").unwrap_or(block)).unwrap_or_default()
}

fn parse(block: &[u8]) -> Option<Exif> {
    let little = match block.get(..2)? {
        b"II" => true,
        b"MM" => false,
        _ => return None,
    };
    let short = |offset: usize| -> Option<u16> {
        let bytes = block.get(offset..offset.checked_add(2)?)?.try_into().ok()?;
        Some(if little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let long = |offset: usize| -> Option<u32> {
        let bytes = block.get(offset..offset.checked_add(4)?)?.try_into().ok()?;
        Some(if little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    };
    let rational = |offset: usize| -> Option<f32> {
        let (above, below) = (long(offset)?, long(offset.checked_add(4)?)?);
        (below != 0).then(|| (f64::from(above) / f64::from(below)) as f32)
    };

    let directory = long(4)? as usize;
    let entries = usize::from(short(directory)?);
    let (mut orientation, mut x, mut y, mut unit) = (None, None, None, 2);
    for entry in (0..entries).map(|index| directory + 2 + index * 12) {
        let Some(tag) = short(entry) else { break };
        match tag {
            0x0112 => {
                orientation =
                    short(entry + 8).and_then(|turn| Orientation::from_exif(u8::try_from(turn).ok()?))
            }
            0x011a => x = long(entry + 8).and_then(|offset| rational(offset as usize)),
            0x011b => y = long(entry + 8).and_then(|offset| rational(offset as usize)),
            0x0128 => unit = short(entry + 8).unwrap_or(2),
            _ => {}
        }
    }
    Some(Exif { orientation, density: Density::from_tiff(x, y, unit) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A big-endian block: turn 6, 300 x 300 dots an inch.
    fn block() -> Vec<u8> {
        let mut block = b"MM\0*\0\0\0\x08\0\x04".to_vec();
        block.extend(b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0");
        block.extend(b"\x01\x1a\0\x05\0\0\0\x01\0\0\0\x3e");
        block.extend(b"\x01\x1b\0\x05\0\0\0\x01\0\0\0\x3e");
        block.extend(b"\x01\x28\0\x03\0\0\0\x01\0\x02\0\0");
        block.extend(b"\0\0\0\0");
        block.extend(b"\0\0\x0b\xb8\0\0\0\x0a");
        block
    }

    #[test]
    fn turn_and_density() {
        let exif = read(&[b"Exif\0\0", &block()[..]].concat());
        assert_eq!(exif.orientation, Some(Orientation::Rotate90));
        assert_eq!(exif.density.dpi(), Some(300.0));
    }

    #[test]
    fn cut_blocks_do_no_harm() {
        let block = block();
        for length in 0..block.len() {
            read(&block[..length]);
        }
        assert_eq!(read(&block[..30]).orientation, Some(Orientation::Rotate90));
    }

    #[test]
    fn far_offsets_do_no_harm() {
        let mut block = block();
        block[4..8].fill(0xff);
        assert_eq!(read(&block), Exif::default());
    }
}
