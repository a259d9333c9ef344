//! Whether the Huffman codes of a baseline JPEG make exactly one picture (ITU-T T.81, annexes C and F).
//!
//! Damaged codes mostly decode to something: the decoder loses its place and paints on, with men where none stand. What it cannot do is
//! to end where the data end. So all codes are walked over once more, without making a picture of them.

/// Bytes that may be left over before the end mark: encoders pad.
const PADDING: usize = 3;

/// A table of codes: by the next 16 bits the code's length and its symbol; length 0 where no code begins so.
struct Table(Vec<(u8, u8)>);

impl Table {
    /// `counts`: codes of each length from 1 to 16; `symbols` in the order of the codes.
    fn new(counts: &[u8], symbols: &[u8]) -> Option<Table> {
        let mut table = vec![(0, 0); 1 << 16];
        let (mut code, mut symbols) = (0usize, symbols.iter());
        for (length, &count) in (1u8..).zip(counts) {
            for _ in 0..count {
                let from = code << (16 - length);
                table.get_mut(from..from + (1 << (16 - length)))?.fill((length, *symbols.next()?));
                code += 1;
            }
            code <<= 1;
        }
        Some(Table(table))
    }
}

#[derive(Clone, Copy)]
struct Component {
    id: u8,
    /// Blocks of it in a unit, across and down.
    across: usize,
    down: usize,
}

/// The bits of a scan up to its next mark.
struct Bits<'a> {
    data: &'a [u8],
    at: usize,
    buffer: u64,
    have: u32,
}

impl Bits<'_> {
    fn fill(&mut self) {
        while self.have <= 48 {
            let byte = match (self.data.get(self.at), self.data.get(self.at + 1)) {
                (Some(0xff), Some(0)) => {
                    self.at += 2;
                    0xff
                }
                (Some(0xff), _) | (None, _) => return,
                (Some(&byte), _) => {
                    self.at += 1;
                    byte
                }
            };
            self.buffer = self.buffer << 8 | u64::from(byte);
            self.have += 8;
        }
    }

    fn skip(&mut self, count: u32) -> Option<()> {
        if self.have < count {
            self.fill();
        }
        self.have = self.have.checked_sub(count)?;
        Some(())
    }

    fn symbol(&mut self, table: &Table) -> Option<u8> {
        if self.have < 16 {
            self.fill();
        }
        // behind the end stand ones, which begin no code
        let next = if self.have >= 16 {
            (self.buffer >> (self.have - 16)) as u16
        } else {
            (self.buffer << (16 - self.have)) as u16 | ((1u32 << (16 - self.have)) - 1) as u16
        };
        let (length, symbol) = table.0[usize::from(next)];
        if length == 0 {
            return None;
        }
        self.skip(u32::from(length))?;
        Some(symbol)
    }

    /// One block of 64 coefficients.
    fn block(&mut self, dc: &Table, ac: &Table) -> Option<()> {
        let size = self.symbol(dc)?;
        self.skip(u32::from(size).min(16))?;
        let mut at = 1;
        while at < 64 {
            let symbol = self.symbol(ac)?;
            let (zeros, size) = (usize::from(symbol >> 4), u32::from(symbol & 15));
            if size == 0 && zeros < 15 {
                return Some(());
            }
            at += zeros + 1;
            self.skip(size)?;
        }
        (at == 64).then_some(())
    }

    /// Bytes that no code used, before the mark.
    fn left(&mut self) -> usize {
        let rest = &self.data[self.at..];
        let to_mark = rest.windows(2).position(|pair| pair[0] == 0xff && pair[1] != 0).unwrap_or(rest.len());
        self.have as usize / 8 + to_mark
    }

    /// Goes on behind a restart mark, which must stand here.
    fn restart(&mut self) -> Option<()> {
        if self.left() > PADDING {
            return None;
        }
        let rest = &self.data[self.at..];
        let mark = rest.windows(2).position(|pair| pair[0] == 0xff && (0xd0..=0xd7).contains(&pair[1]))?;
        if mark > PADDING {
            return None;
        }
        self.at += mark + 2;
        (self.buffer, self.have) = (0, 0);
        Some(())
    }
}

/// The row of pixels at which the codes go wrong or end; `None` when all is well, or when the file is of a kind that is not looked at
/// (progressive, arithmetic, of several scans). Cut files, without an end mark, are told of elsewhere.
pub fn damaged_row(bytes: &[u8]) -> Option<u32> {
    let mut tables: [[Option<Table>; 4]; 2] = Default::default();
    let mut components: Vec<Component> = Vec::new();
    let (mut width, mut height, mut interval) = (0usize, 0usize, 0usize);
    let mut at = 2;
    loop {
        while bytes.get(at) == Some(&0xff) && bytes.get(at + 1) == Some(&0xff) {
            at += 1;
        }
        let [0xff, mark, high, low] = *bytes.get(at..at + 4)? else { return None };
        let length = usize::from(u16::from_be_bytes([high, low]));
        let body = bytes.get(at + 4..at + 2 + length)?;
        at += 2 + length;
        match mark {
            0xc4 => {
                let mut rest = body;
                while let [class, tail @ ..] = rest {
                    let counts = tail.get(..16)?;
                    let count = counts.iter().map(|&count| usize::from(count)).sum::<usize>();
                    let table = Table::new(counts, tail.get(16..16 + count)?)?;
                    *tables.get_mut(usize::from(class >> 4))?.get_mut(usize::from(class & 15))? = Some(table);
                    rest = &tail[16 + count..];
                }
            }
            0xc0 | 0xc1 => {
                let [_, h1, h0, w1, w0, count, rest @ ..] = body else { return None };
                height = usize::from(u16::from_be_bytes([*h1, *h0]));
                width = usize::from(u16::from_be_bytes([*w1, *w0]));
                components = rest
                    .chunks_exact(3)
                    .take(usize::from(*count))
                    .map(|part| Component {
                        id: part[0],
                        across: usize::from(part[1] >> 4),
                        down: usize::from(part[1] & 15),
                    })
                    .collect();
            }
            0xdd => interval = usize::from(u16::from_be_bytes([*body.first()?, *body.get(1)?])),
            0xda => {
                let count = usize::from(*body.first()?);
                if count != components.len() || width == 0 || height == 0 {
                    return None;
                }
                let mut parts = Vec::with_capacity(count);
                for part in body[1..].chunks_exact(2).take(count) {
                    let component = *components.iter().find(|component| component.id == part[0])?;
                    let dc = tables[0].get(usize::from(part[1] >> 4))?.as_ref()?;
                    let ac = tables[1].get(usize::from(part[1] & 15))?.as_ref()?;
                    parts.push((component, dc, ac));
                }
                return walk(
                    Bits { data: &bytes[at..], at: 0, buffer: 0, have: 0 },
                    &parts,
                    (width, height),
                    interval,
                );
            }
            // progressive, lossless, arithmetic
            0xc2..=0xcf | 0xd9 => return None,
            _ => {}
        }
    }
}

fn walk(
    mut bits: Bits,
    parts: &[(Component, &Table, &Table)],
    (width, height): (usize, usize),
    interval: usize,
) -> Option<u32> {
    let most = |side: fn(&Component) -> usize| {
        parts.iter().map(|(component, ..)| side(component)).max().unwrap_or(0)
    };
    let (mut across, mut down) = (most(|c| c.across), most(|c| c.down));
    let alone = parts.len() == 1;
    if alone {
        // a lone component's units are single blocks, whatever is written of them
        (across, down) = (1, 1);
    }
    if across == 0 || down == 0 {
        return None;
    }
    let units = (width.div_ceil(8 * across), height.div_ceil(8 * down));
    for unit in 0..units.0 * units.1 {
        let row = || Some((unit / units.0 * 8 * down) as u32);
        if interval > 0 && unit > 0 && unit % interval == 0 && bits.restart().is_none() {
            return row();
        }
        for (component, dc, ac) in parts {
            let blocks = if alone { 1 } else { component.across * component.down };
            for _ in 0..blocks {
                if bits.block(dc, ac).is_none() {
                    return row();
                }
            }
        }
    }
    (bits.left() > PADDING).then(|| height as u32 - 1)
}
