//! A folder of scans and a `fenwatch` that works on it.

// each test file uses a part of it
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use image::{GrayImage, Luma};
use serde_json::Value;

/// A home for a daemon: `scans/` and `var/` in a temporary folder.
pub struct Home(tempfile::TempDir);

impl Home {
    pub fn new() -> Home {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("scans")).unwrap();
        Home(dir)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn scans(&self) -> PathBuf {
        self.path().join("scans")
    }

    /// A `fenwatch` that works here, quick to settle, without captions and without a review page.
    pub fn fenwatch(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fenwatch"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("FENWATCH_") {
                command.env_remove(name);
            }
        }
        command
            .args(args)
            .current_dir(self.path())
            .env("FENWATCH_WATCH__SETTLE_SECONDS", "0.2")
            .env("FENWATCH_WATCH__PATIENCE_SECONDS", "1")
            .env("FENWATCH_READING__CAPTIONS", "false")
            .env("FENWATCH_REVIEW__ENABLED", "false")
            // the binary lies in target/, the library in the project's runtime/: found from there
            .env("RUST_BACKTRACE", "0");
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.fenwatch(args).output().unwrap()
    }

    /// The lines of a command's output as JSON.
    pub fn json(&self, args: &[&str]) -> Vec<Value> {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Writes a page with `boards` boards, its own by `seed`.
    pub fn page(&self, name: &str, boards: u32, seed: u64) {
        let path = self.scans().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        page_picture(boards, seed).save(path).unwrap();
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A small random generator (Knuth's MMIX constants), so that a failure can be repeated from its seed.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

const SQUARE: u32 = 28;

/// A white page with up to six boards: gray dark squares, a frame, and triangles for men (discs would be draughts).
pub fn page_picture(boards: u32, seed: u64) -> GrayImage {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut page = GrayImage::from_pixel(700, 1000, Luma([250]));
    for number in 0..boards {
        let (x, y) = (70 + (number % 2) * 310, 60 + (number / 2) * 310);
        let side = 8 * SQUARE;
        for dy in -2..=side as i32 + 1 {
            for dx in -2..=side as i32 + 1 {
                let inside = (0..side as i32).contains(&dx) && (0..side as i32).contains(&dy);
                let dark = (dx.max(0) as u32 / SQUARE + dy.max(0) as u32 / SQUARE) % 2 == 1;
                let gray = match (inside, dark) {
                    (false, _) => 20,
                    (true, true) => 150,
                    (true, false) => 250,
                };
                page.put_pixel((x as i32 + dx) as u32, (y as i32 + dy) as u32, Luma([gray]));
            }
        }
        for _ in 0..6 + dice.roll(10) {
            let (file, rank) = (dice.roll(8) as u32, dice.roll(8) as u32);
            let (cx, cy) = ((x + file * SQUARE + SQUARE / 2) as i32, (y + rank * SQUARE + SQUARE / 2) as i32);
            for dy in -9i32..=9 {
                for dx in -9i32..=9 {
                    if 2 * dx.abs() <= dy + 9 {
                        page.put_pixel((cx + dx) as u32, (cy + dy) as u32, Luma([10]));
                    }
                }
            }
        }
    }
    // its own content even without a board
    for bit in 0..32 {
        let gray = if seed >> bit & 1 == 1 { 0 } else { 250 };
        page.put_pixel(10 + bit, 990, Luma([gray]));
    }
    page
}
