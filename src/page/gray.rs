//! From the pixels of a file to 8-bit gray on white paper.

/// Luma of ITU-R BT.601, the one that JPEG's own gray channel has: pages from all kinds of files match.
#[inline]
pub fn luma(r: u8, g: u8, b: u8) -> u8 {
    // 299, 587 and 114 thousandths in 16 bits, rounded; the sum is exactly 65,536.
    ((u32::from(r) * 19_595 + u32::from(g) * 38_470 + u32::from(b) * 7_471 + 32_768) >> 16) as u8
}

/// Gray seen through `alpha` on white paper.
#[inline]
pub fn over_white(gray: u8, alpha: u8) -> u8 {
    let ink = u32::from(255 - gray) * u32::from(alpha);
    255 - ((ink + 127) / 255) as u8
}

/// 16 bits scaled to 8, rounded to the nearest.
#[inline]
pub fn from_16(value: u16) -> u8 {
    ((u32::from(value) * 255 + 32_767) / 65_535) as u8
}

/// Straight CMYK (255 is full ink) to gray.
#[inline]
pub fn from_cmyk(c: u8, m: u8, y: u8, k: u8) -> u8 {
    let channel = |ink: u8| ((u32::from(255 - ink) * u32::from(255 - k) + 127) / 255) as u8;
    luma(channel(c), channel(m), channel(y))
}

/// How the samples of a pixel lie in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Samples {
    Gray,
    GrayAlpha,
    Rgb,
    Rgba,
    /// Straight: 255 is full ink.
    Cmyk,
}

impl Samples {
    /// Samples a pixel.
    pub fn count(self) -> usize {
        match self {
            Samples::Gray => 1,
            Samples::GrayAlpha => 2,
            Samples::Rgb => 3,
            Samples::Rgba | Samples::Cmyk => 4,
        }
    }

    #[inline]
    fn gray(self, pixel: &[u8]) -> u8 {
        match self {
            Samples::Gray => pixel[0],
            Samples::GrayAlpha => over_white(pixel[0], pixel[1]),
            Samples::Rgb => luma(pixel[0], pixel[1], pixel[2]),
            Samples::Rgba => over_white(luma(pixel[0], pixel[1], pixel[2]), pixel[3]),
            Samples::Cmyk => from_cmyk(pixel[0], pixel[1], pixel[2], pixel[3]),
        }
    }

    /// Turns interleaved 8-bit samples into gray, as many pixels as both sides have.
    pub fn to_gray(self, from: &[u8], gray: &mut [u8]) {
        if self == Samples::Gray {
            let length = from.len().min(gray.len());
            gray[..length].copy_from_slice(&from[..length]);
            return;
        }
        for (pixel, gray) in from.chunks_exact(self.count()).zip(gray) {
            *gray = self.gray(pixel);
        }
    }

    /// Turns interleaved 16-bit samples into gray.
    pub fn to_gray_16(self, from: impl Iterator<Item = u16>, gray: &mut [u8]) {
        let count = self.count();
        let mut pixel = [0u8; 4];
        let mut filled = 0;
        let mut gray = gray.iter_mut();
        for sample in from {
            pixel[filled] = from_16(sample);
            filled += 1;
            if filled == count {
                filled = 0;
                match gray.next() {
                    Some(gray) => *gray = self.gray(&pixel),
                    None => return,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luma_keeps_grays_and_weighs_colours() {
        for value in 0..=255 {
            assert_eq!(luma(value, value, value), value);
        }
        assert_eq!((luma(255, 0, 0), luma(0, 255, 0), luma(0, 0, 255)), (76, 150, 29));
    }

    #[test]
    fn alpha_shows_white_paper() {
        for value in 0..=255 {
            assert_eq!(over_white(value, 255), value);
            assert_eq!(over_white(value, 0), 255);
        }
        assert_eq!(over_white(0, 128), 127);
    }

    #[test]
    fn sixteen_bits_keep_both_ends() {
        assert_eq!((from_16(0), from_16(65_535), from_16(257 * 100)), (0, 255, 100));
        assert_eq!((from_16(128), from_16(129)), (0, 1));
    }

    #[test]
    fn ink_is_dark() {
        assert_eq!(from_cmyk(0, 0, 0, 0), 255);
        assert_eq!(from_cmyk(0, 0, 0, 255), 0);
        assert_eq!(from_cmyk(255, 255, 255, 0), 0);
    }
}
