//! GIF's blocks: how many pictures there are, and whether the end is.

/// What the blocks say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Blocks {
    pub frames: usize,
    /// The end mark was reached.
    pub complete: bool,
}

/// Walks over the blocks without decoding any (GIF89a, sections 18 to 27).
pub fn read(bytes: &[u8]) -> Blocks {
    let mut blocks = Blocks::default();
    let table = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3usize << ((flags & 7) + 1) };
    let Some(flags) = bytes.get(10) else { return blocks };
    let mut at = 13 + table(*flags);
    loop {
        match bytes.get(at) {
            Some(0x21) => at += 2,
            Some(0x2c) => {
                let Some(flags) = bytes.get(at + 9) else { return blocks };
                blocks.frames += 1;
                at += 10 + table(*flags) + 1;
            }
            Some(0x3b) => {
                blocks.complete = true;
                return blocks;
            }
            _ => return blocks,
        }
        // The data of a block lies in pieces of up to 255 bytes; an empty one ends it.
        loop {
            match bytes.get(at) {
                Some(0) => {
                    at += 1;
                    break;
                }
                Some(length) => at += 1 + usize::from(*length),
                None => return blocks,
            }
        }
    }
}
