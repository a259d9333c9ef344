//! Rows of samples of any width and meaning into rows of gray.

use super::layout::{Colours, Layout};
use crate::page::gray::{Samples, from_16, over_white};

/// Turns rows of a page's samples into gray.
pub struct Converter {
    bits: usize,
    little: bool,
    /// Samples a pixel in a row, all of them.
    count: usize,
    shown: Shown,
    /// Place of the alpha sample in a pixel.
    alpha: Option<usize>,
}

/// What the first samples of a pixel show.
enum Shown {
    /// The gray of each value of one sample of up to 8 bits.
    Table(Vec<u8>),
    /// One sample of more bits.
    Gray {
        inverted: bool,
    },
    Colour(Samples),
}

impl Converter {
    /// A converter for rows of `count` samples of `bits` bits a pixel.
    pub fn new(layout: &Layout, count: usize, bits: u16) -> Self {
        let inverted = layout.colours == Colours::WhiteIsZero;
        let shown = match layout.colours {
            Colours::Rgb if count >= 3 => Shown::Colour(Samples::Rgb),
            Colours::Cmyk if count >= 4 => Shown::Colour(Samples::Cmyk),
            Colours::Palette => Shown::Table(layout.palette.clone()),
            _ if bits <= 8 => {
                let largest = (1u32 << bits) - 1;
                let gray = |value| ((value * 255 + largest / 2) / largest) as u8;
                Shown::Table(
                    (0..=largest)
                        .map(|value| if inverted { 255 - gray(value) } else { gray(value) })
                        .collect(),
                )
            }
            _ => Shown::Gray { inverted },
        };
        let alpha = match &shown {
            Shown::Colour(samples) => samples.count(),
            _ => 1,
        };
        let alpha = (layout.alpha && count > alpha).then_some(alpha);
        Self { bits: bits.into(), little: layout.little, count, shown, alpha }
    }

    /// Converts as many pixels as both sides have.
    pub fn row(&self, from: &[u8], gray: &mut [u8]) {
        match (&self.shown, self.bits, self.alpha) {
            (Shown::Table(table), 8, None) => {
                for (pixel, gray) in from.chunks_exact(self.count).zip(gray) {
                    *gray = table[usize::from(pixel[0])];
                }
            }
            (Shown::Table(table), 1, None) if self.count == 1 => {
                for (byte, eight) in from.iter().zip(gray.chunks_mut(8)) {
                    for (shift, gray) in eight.iter_mut().enumerate() {
                        *gray = table[usize::from(byte >> (7 - shift) & 1)];
                    }
                }
            }
            (Shown::Colour(samples), 8, None) if samples.count() == self.count => samples.to_gray(from, gray),
            _ => self.row_bit_by_bit(from, gray),
        }
    }

    fn row_bit_by_bit(&self, from: &[u8], gray: &mut [u8]) {
        for (pixel, gray) in gray.iter_mut().enumerate() {
            let first = pixel * self.count;
            if (first + self.count) * self.bits > from.len() * 8 {
                return;
            }
            let value = match &self.shown {
                Shown::Table(table) => table.get(self.sample(from, first) as usize).copied().unwrap_or(255),
                Shown::Gray { inverted: false } => self.narrow(self.sample(from, first)),
                Shown::Gray { inverted: true } => 255 - self.narrow(self.sample(from, first)),
                Shown::Colour(samples) => {
                    let mut colour = [0; 4];
                    for (index, slot) in colour.iter_mut().enumerate().take(samples.count()) {
                        *slot = self.narrow(self.sample(from, first + index));
                    }
                    let mut one = [0];
                    samples.to_gray(&colour[..samples.count()], &mut one);
                    one[0]
                }
            };
            *gray = match self.alpha {
                Some(alpha) => over_white(value, self.narrow(self.sample(from, first + alpha))),
                None => value,
            };
        }
    }

    /// A sample of a row by its number; of 32 bits the upper 16. It must lie inside the row.
    fn sample(&self, row: &[u8], index: usize) -> u32 {
        let start = index * self.bits;
        let byte = start / 8;
        let pair = |at: usize| {
            let pair = [row[at], row[at + 1]];
            u32::from(if self.little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) })
        };
        match self.bits {
            8 => row[byte].into(),
            16 => pair(byte),
            32 => pair(if self.little { byte + 2 } else { byte }),
            bits => {
                let at = |index: usize| u32::from(row.get(index).copied().unwrap_or(0));
                let window = at(byte) << 16 | at(byte + 1) << 8 | at(byte + 2);
                window >> (24 - start % 8 - bits) & ((1 << bits) - 1)
            }
        }
    }

    fn narrow(&self, value: u32) -> u8 {
        match self.bits {
            8 => value as u8,
            16 | 32 => from_16(value as u16),
            bits => {
                let largest = (1u32 << bits) - 1;
                ((value * 255 + largest / 2) / largest) as u8
            }
        }
    }
}
