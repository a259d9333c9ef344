//! The 64 x 13 probabilities as a compact blob.
//!
//! Layout: one byte of version (1), then 64 x 13 little-endian 16-bit numbers in the order of
//! [`SquareScores`]. A number is the logit of the probability on an even scale from -20 to 20, so that both ends keep their
//! digits: the relative error of p, and of 1 - p, is at most 0.04 %. 0 and 65535 stand for exactly 0 and 1.
//! 1,665 bytes instead of 3,328, and a board is told from a sure one to the eighth nine.

use super::{QueueError, Result};
use crate::board::SquareScores;

const VERSION: u8 = 1;
/// Logits beyond this (p under 2e-9) are beyond what a 32-bit probability near 1 can tell.
const LIMIT: f64 = 20.0;
/// Codes 1 to 65534 carry logits.
const STEPS: f64 = 65_533.0;

/// The blob of `scores`.
pub fn encode_squares(scores: &SquareScores) -> Vec<u8> {
    let mut out = Vec::with_capacity(1 + 64 * 13 * 2);
    out.push(VERSION);
    for p in scores.0.iter().flatten() {
        out.extend_from_slice(&encode(*p).to_le_bytes());
    }
    out
}

/// The scores of a blob.
pub fn decode_squares(blob: &[u8]) -> Result<SquareScores> {
    let (version, body) = blob.split_first().unwrap_or((&0, &[]));
    if *version != VERSION || body.len() != 64 * 13 * 2 {
        let what = format!("square probabilities of version {version} with {} bytes", body.len());
        return Err(QueueError::Corrupt(what));
    }
    let mut scores = SquareScores(Box::new([[0.0; 13]; 64]));
    for (p, code) in scores.0.iter_mut().flatten().zip(body.chunks_exact(2)) {
        *p = decode(u16::from_le_bytes([code[0], code[1]]));
    }
    Ok(scores)
}

fn encode(p: f32) -> u16 {
    if p >= 1.0 {
        return u16::MAX;
    }
    // also what is not a number
    if p.is_nan() || p <= 0.0 {
        return 0;
    }
    let p = f64::from(p);
    let logit = (p / (1.0 - p)).ln().clamp(-LIMIT, LIMIT);
    1 + ((logit + LIMIT) / (2.0 * LIMIT) * STEPS).round() as u16
}

fn decode(code: u16) -> f32 {
    match code {
        0 => 0.0,
        u16::MAX => 1.0,
        _ => {
            let logit = f64::from(code - 1) / STEPS * 2.0 * LIMIT - LIMIT;
            (1.0 / (1.0 + (-logit).exp())) as f32
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn both_ends_keep_their_digits() {
        for p in [1e-7f32, 1e-4, 0.03, 0.5, 0.97, 0.9999, 0.99999] {
            let back = decode(encode(p));
            assert!((back - p).abs() <= 4e-4 * p, "{p} came back as {back}");
            let rest = f64::from(1.0 - back) / f64::from(1.0 - p);
            assert!((rest - 1.0).abs() < 0.02, "1 - {p} came back as {rest} times itself");
        }
        assert_eq!((decode(encode(0.0)), decode(encode(1.0)), decode(encode(f32::NAN))), (0.0, 1.0, 0.0));
    }

    #[test]
    fn blobs_of_another_kind_are_refused() {
        let scores = SquareScores(Box::new([[1.0 / 13.0; 13]; 64]));
        let blob = encode_squares(&scores);
        assert_eq!(blob.len(), 1665);
        assert!(decode_squares(&blob).is_ok());
        assert!(decode_squares(&blob[..blob.len() - 1]).is_err());
        assert!(decode_squares(&[]).is_err());
        let mut newer = blob;
        newer[0] = 2;
        assert!(decode_squares(&newer).is_err());
    }

    proptest! {
        #[test]
        fn order_is_kept_and_coding_is_idempotent(a in 0f32..=1.0, b in 0f32..=1.0) {
            let (low, high) = if a <= b { (a, b) } else { (b, a) };
            prop_assert!(encode(low) <= encode(high));
            prop_assert_eq!(encode(decode(encode(a))), encode(a));
        }
    }
}
