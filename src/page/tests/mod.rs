//! Whole files through the front door.

mod documents;
mod pictures;
mod refusals;
mod robustness;
mod texts;
mod tiffs;

use std::path::PathBuf;

use image::{GrayImage, Luma};
use tempfile::TempDir;

use super::{Document, Page, PageError, PageLimits, open};

/// A drawing that looks different from every side and in every mirror: a checkered field with a black bar
/// along its left and half of its top.
pub fn drawing(width: u32, height: u32) -> GrayImage {
    GrayImage::from_fn(width, height, |x, y| {
        let bar = x < width / 8 || (y < height / 8 && x < width / 2);
        let light = (x * 8 / width + y * 8 / height).is_multiple_of(2);
        Luma([if bar {
            0
        } else if light {
            255
        } else {
            160
        }])
    })
}

/// A file in a folder of its own, gone with it.
pub struct Scrap {
    folder: TempDir,
    pub path: PathBuf,
}

impl Scrap {
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        Self { folder, path }
    }

    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }
}

/// Opens bytes as a file of no telling name.
pub fn open_bytes(bytes: &[u8], limits: &PageLimits) -> Result<Document, PageError> {
    let scrap = Scrap::new("scan", bytes);
    let document = open(&scrap.path, limits);
    drop(scrap);
    document
}

/// The first page of a file.
pub fn read_bytes(bytes: &[u8]) -> Result<Page, PageError> {
    read_bytes_within(bytes, &PageLimits::default())
}

pub fn read_bytes_within(bytes: &[u8], limits: &PageLimits) -> Result<Page, PageError> {
    let scrap = Scrap::new("scan", bytes);
    open(&scrap.path, limits)?.read(0)
}

/// The largest difference of two pictures of one size.
pub fn difference(a: &GrayImage, b: &GrayImage) -> u8 {
    assert_eq!(a.dimensions(), b.dimensions());
    a.iter().zip(b.iter()).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

/// A file of `tests/pages/formats`.
pub fn fixture(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pages/formats").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
