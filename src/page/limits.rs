//! How much of a machine one file of scans may take.

use serde::{Deserialize, Serialize};

use super::error::Trouble;

/// Limits of decoding, and the size at which pages without pixels of their own are drawn.
///
/// Headers are checked against these before the memory is used, so that a decompression bomb is refused
/// and not tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PageLimits {
    /// Bytes of the largest file that is opened. PNG and TIFF are streamed, so that the size of the
    /// file says little of the memory: a book of uncompressed colour pages in one TIFF has 10 GB.
    pub max_file_bytes: u64,
    /// Bytes of the largest file of the kinds that must be in memory whole while their pages are read
    /// (PDF, DjVu, JPEG, JPEG 2000, WebP, GIF, BMP, PNM). Scanned books have 20 to 300 MB.
    pub max_loaded_bytes: u64,
    /// Pixels of the largest page. A3 at 600 dpi has 70 million; a book page has seldom above 35.
    pub max_pixels: u64,
    /// Bytes that the decoding of one page may take above the gray page itself, as far as its header
    /// tells: colour planes, progressive JPEG coefficients, the canvas of a PDF page.
    pub max_decode_bytes: u64,
    /// Pages of the largest file. The thickest one-volume chess books have some 1,500.
    pub max_pages: u32,
    /// Seconds that one page (or the opening of a file) may take. An ordinary page takes 0.05 to 1; the rest is
    /// room for slow disks, slow machines and huge JPEG 2000 pages.
    pub max_seconds: u32,
    /// Dots an inch at which a PDF page is drawn that is typeset and not scanned. Diagrams of printed
    /// books are 4 to 6 cm wide: at 250 dpi a square has 50 to 75 pixels.
    pub vector_dpi: f32,
    /// Pixels of the longest side of a drawn PDF page. A scan of A4 at 600 dpi has 7,016; the drawing code stops at 65,535.
    pub max_side: u32,
}

impl Default for PageLimits {
    fn default() -> Self {
        Self {
            max_file_bytes: 16 << 30,
            max_loaded_bytes: 768 << 20,
            max_pixels: 100_000_000,
            max_decode_bytes: 512 << 20,
            max_pages: 5_000,
            max_seconds: 60,
            vector_dpi: 250.0,
            max_side: 10_000,
        }
    }
}

impl PageLimits {
    /// Refuses a page by the size in its header, before the memory is used. `bytes_a_pixel` is what the
    /// decoder takes besides the gray page.
    pub(super) fn check_size(&self, width: u32, height: u32, bytes_a_pixel: u64) -> Result<(), Trouble> {
        if width == 0 || height == 0 {
            return Err(Trouble::Damaged(format!("its picture is {width} x {height} pixels")));
        }
        let pixels = u64::from(width) * u64::from(height);
        if pixels > self.max_pixels {
            let what = format!("the page is {width} x {height} pixels");
            return Err(Trouble::TooLarge { what, limit: self.max_pixels, setting: "max_pixels" });
        }
        let bytes = pixels.saturating_mul(bytes_a_pixel);
        if bytes > self.max_decode_bytes {
            let what = format!("the page of {width} x {height} pixels takes {bytes} bytes to decode");
            return Err(Trouble::TooLarge {
                what,
                limit: self.max_decode_bytes,
                setting: "max_decode_bytes",
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_setting_is_refused() {
        let error = serde_json::from_str::<PageLimits>(r#"{"max_pixel": 5}"#).unwrap_err();
        assert!(error.to_string().contains("max_pixel"), "{error}");
    }

    #[test]
    fn sizes_are_checked_without_overflow() {
        let limits = PageLimits::default();
        assert!(limits.check_size(7016, 9921, 4).is_ok());
        assert!(matches!(limits.check_size(0, 5, 1), Err(Trouble::Damaged(_))));
        let setting = |result: Result<(), Trouble>| match result {
            Err(Trouble::TooLarge { setting, .. }) => setting,
            other => panic!("{other:?}"),
        };
        assert_eq!(setting(limits.check_size(u32::MAX, u32::MAX, u64::MAX)), "max_pixels");
        assert_eq!(setting(limits.check_size(10_000, 10_000, 8)), "max_decode_bytes");
    }

    #[test]
    fn missing_settings_take_the_defaults() {
        let limits: PageLimits = serde_json::from_str(r#"{"max_pages": 7}"#).unwrap();
        assert_eq!(limits, PageLimits { max_pages: 7, ..PageLimits::default() });
    }
}
