//! The compressed bytes of a strip or tile become its samples.

use std::io::{Cursor, Read};

use flate2::bufread::ZlibDecoder;
use image::ImageDecoder;
use image::codecs::webp::WebPDecoder;
use weezl::{BitOrder, LzwStatus};

use crate::page::error::Trouble;

/// Fills `out` from `data` as far as it goes; gives the bytes that came.
pub fn lzw(data: &[u8], out: &mut [u8]) -> Result<usize, Trouble> {
    if data.len() > 1 && data[0] == 0 && data[1] & 1 == 1 {
        return Err(Trouble::Unsupported("a TIFF with LZW of the style before 1990".into()));
    }
    let mut decoder = weezl::decode::Decoder::with_tiff_size_switch(BitOrder::Msb, 8);
    let (mut read, mut written) = (0, 0);
    while written < out.len() {
        let step = decoder.decode_bytes(&data[read..], &mut out[written..]);
        read += step.consumed_in;
        written += step.consumed_out;
        match step.status {
            Ok(LzwStatus::Ok) => {}
            Ok(LzwStatus::Done | LzwStatus::NoProgress) | Err(_) => break,
        }
    }
    Ok(written)
}

pub fn deflate(data: &[u8], out: &mut [u8]) -> usize {
    let mut decoder = ZlibDecoder::new(data);
    let mut written = 0;
    while written < out.len() {
        match decoder.read(&mut out[written..]) {
            Ok(0) | Err(_) => break,
            Ok(count) => written += count,
        }
    }
    written
}

/// TIFF 6.0, section 9.
pub fn pack_bits(mut data: &[u8], out: &mut [u8]) -> usize {
    let mut written = 0;
    while let [head, rest @ ..] = data {
        let left = out.len() - written;
        if left == 0 {
            break;
        }
        match *head as i8 {
            -128 => data = rest,
            run if run < 0 => {
                let Some((value, rest)) = rest.split_first() else { break };
                let count = (1 - isize::from(run)) as usize;
                let count = count.min(left);
                out[written..written + count].fill(*value);
                written += count;
                data = rest;
            }
            literal => {
                let count = (literal as usize + 1).min(rest.len()).min(left);
                out[written..written + count].copy_from_slice(&rest[..count]);
                written += count;
                data = &rest[count..];
            }
        }
    }
    written
}

/// A WebP picture with `samples` a pixel.
pub fn webp(data: &[u8], samples: usize, out: &mut [u8]) -> Result<usize, Trouble> {
    let damaged = |error: image::ImageError| Trouble::Damaged(error.to_string());
    let decoder = WebPDecoder::new(Cursor::new(data)).map_err(damaged)?;
    let found = usize::from(decoder.color_type().channel_count());
    if found != samples || decoder.total_bytes() > out.len() as u64 {
        return Err(Trouble::Damaged("a strip's WebP picture does not fit the page".into()));
    }
    let length = decoder.total_bytes() as usize;
    decoder.read_image(&mut out[..length]).map_err(damaged)?;
    Ok(length)
}

/// Undoes horizontal differencing (TIFF 6.0, section 14) in one row of samples of `bits` bits.
pub fn undo_predictor(row: &mut [u8], bits: u16, samples: usize, little: bool) {
    match bits {
        8 => {
            for at in samples..row.len() {
                row[at] = row[at].wrapping_add(row[at - samples]);
            }
        }
        16 => {
            let read = |pair: &[u8]| {
                let pair = [pair[0], pair[1]];
                if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
            };
            for at in samples..row.len() / 2 {
                let sum = read(&row[at * 2..]).wrapping_add(read(&row[(at - samples) * 2..]));
                row[at * 2..at * 2 + 2].copy_from_slice(&if little {
                    sum.to_le_bytes()
                } else {
                    sum.to_be_bytes()
                });
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pack_bits_of_the_specification() {
        let packed =
            [0xfe, 0xaa, 0x02, 0x80, 0x00, 0x2a, 0xfd, 0xaa, 0x03, 0x80, 0x00, 0x2a, 0x22, 0xf7, 0xaa];
        let mut out = [0; 24];
        assert_eq!(pack_bits(&packed, &mut out), 24);
        let want: Vec<u8> =
            [&[0xaa; 3][..], &[0x80, 0, 0x2a], &[0xaa; 4], &[0x80, 0, 0x2a, 0x22], &[0xaa; 10]].concat();
        assert_eq!(out[..], want[..]);
        // Cut data gives what there is.
        assert_eq!(pack_bits(&packed[..4], &mut out), 4);
        assert_eq!(pack_bits(&[0xfe], &mut out), 0);
        assert_eq!(pack_bits(&[0x05, 1, 2], &mut out), 2);
    }

    #[test]
    fn differences_add_up() {
        let mut row = [10, 20, 1, 255, 1, 1];
        undo_predictor(&mut row, 8, 2, true);
        assert_eq!(row, [10, 20, 11, 19, 12, 20]);
        let mut row = [0x01, 0x00, 0x00, 0xff, 0x00, 0x01];
        undo_predictor(&mut row, 16, 1, false);
        assert_eq!(row, [0x01, 0x00, 0x01, 0xff, 0x02, 0x00]);
    }
}
