//! Damaged files of every kind: each ends as pages with warnings or as an error in words, within the limits.

use std::path::PathBuf;

use super::{Scrap, fixture};
use crate::page::{PageLimits, Trouble, open};

/// Damaged copies made of each fixture; more with `FENWATCH_FUZZ=1000`.
fn rounds() -> usize {
    std::env::var("FENWATCH_FUZZ").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(12)
}

fn limits() -> PageLimits {
    PageLimits {
        max_pixels: 4_000_000,
        max_decode_bytes: 64 << 20,
        max_loaded_bytes: 1 << 20,
        max_pages: 20,
        max_seconds: 20,
        ..PageLimits::default()
    }
}

/// Marsaglia's xorshift: the same damage in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match random.below(4) {
        0 => bytes.truncate(random.below(bytes.len())),
        1 => {
            for _ in 0..1 + random.below(8) {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
        }
        2 => {
            // Heads carry the sizes.
            let near = bytes.len().min(200);
            for _ in 0..1 + random.below(3) {
                bytes[random.below(near)] = [0, 0xff, 0x7f, 0x80][random.below(4)];
            }
        }
        _ => {
            let (from, length) = (random.below(bytes.len()), random.below(64));
            let to = (from + length).min(bytes.len());
            bytes.drain(from..to);
        }
    }
    bytes
}

fn all_fixtures() -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pages/formats");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !["make.py", "README.md", ".gitignore", "work"].contains(&name.as_str()))
        .collect();
    names.sort();
    assert!(names.len() > 70, "{}", names.len());
    names
}

#[test]
fn damage_ends_in_words() {
    crate::page::hush_decoder_panics();
    let limits = limits();
    let (mut broke_down, mut pages, mut errors) = (Vec::new(), 0, 0);
    for name in all_fixtures() {
        let whole = fixture(&name);
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ whole.len() as u64);
        for round in 0..rounds() {
            let bytes = damaged(&whole, &mut random);
            let scrap = Scrap::new("scan", &bytes);
            let mut document = match open(&scrap.path, &limits) {
                Ok(document) => document,
                Err(error) => {
                    errors += 1;
                    if matches!(error.trouble, Trouble::BrokeDown(_)) {
                        broke_down.push(format!("{name} {round}: {error}"));
                    }
                    assert!(!matches!(error.trouble, Trouble::TimedOut(_)), "{name} {round}: {error}");
                    continue;
                }
            };
            for index in 0..document.page_count() {
                match document.read(index) {
                    Ok(page) => {
                        pages += 1;
                        let (width, height) = page.gray.dimensions();
                        assert!(u64::from(width) * u64::from(height) <= limits.max_pixels, "{name} {round}");
                        assert!(width > 0 && height > 0, "{name} {round}");
                    }
                    Err(error) => {
                        errors += 1;
                        if matches!(error.trouble, Trouble::BrokeDown(_)) {
                            broke_down.push(format!("{name} {round}: {error}"));
                        }
                        assert!(!matches!(error.trouble, Trouble::TimedOut(_)), "{name} {round}: {error}");
                    }
                }
            }
        }
    }
    println!(
        "{pages} pages, {errors} errors, {} panics in libraries:\n{}",
        broke_down.len(),
        broke_down.join("\n")
    );
    assert!(pages > 100 && errors > 100);
    // Panics are caught, but each is a fault of ours or of a library that should be known.
    assert!(broke_down.len() * 50 <= pages + errors, "{broke_down:#?}");
}

#[test]
fn half_a_file_is_an_error_or_has_a_warning() {
    let mut silent = Vec::new();
    for name in all_fixtures() {
        let whole = fixture(&name);
        let scrap = Scrap::new("scan", &whole[..whole.len() / 2]);
        let Ok(mut document) = open(&scrap.path, &limits()) else { continue };
        let told = document.is_cut_short()
            || (0..document.page_count()).any(|index| match document.read(index) {
                Ok(page) => !page.warnings.is_empty(),
                Err(_) => true,
            });
        if !told {
            silent.push(name);
        }
    }
    assert!(silent.is_empty(), "{silent:?}");
}

#[test]
fn whole_files_are_not_called_cut_short() {
    for name in all_fixtures().iter().filter(|name| *name != "encrypted.pdf") {
        let scrap = Scrap::new("scan", &fixture(name));
        let document = open(&scrap.path, &limits()).unwrap();
        assert!(!document.is_cut_short(), "{name}");
    }
}
