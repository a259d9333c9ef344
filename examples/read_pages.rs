//! Reads all pages of files and says how long each took: `cargo run --release --example read_pages FILE...`

use std::path::PathBuf;
use std::time::Instant;

use fenwatch::page::{self, PageLimits};

fn main() {
    let limits = PageLimits::default();
    for path in std::env::args_os().skip(1).map(PathBuf::from) {
        let start = Instant::now();
        let mut document = match page::open(&path, &limits) {
            Ok(document) => document,
            Err(error) => {
                println!("{error}");
                continue;
            }
        };
        let opened = start.elapsed();
        let pages = document.page_count();
        println!(
            "{}: {} of {pages} pages, opened in {:.1} ms",
            path.display(),
            document.format(),
            opened.as_secs_f64() * 1e3
        );
        for index in 0..pages {
            let start = Instant::now();
            match document.read(index) {
                Ok(page) => {
                    let dpi = page.dpi.map(|dpi| format!(" at {dpi:.0} dpi")).unwrap_or_default();
                    let (width, height) = page.gray.dimensions();
                    let took = start.elapsed().as_secs_f64() * 1e3;
                    println!(
                        "  page {}: {width} x {height}{dpi}, {took:.1} ms {}",
                        index + 1,
                        page.warnings.join("; ")
                    );
                }
                Err(error) => println!("  {error}"),
            }
        }
    }
    // Linux only: the largest memory that this process ever had.
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        status.lines().filter(|line| line.starts_with("VmHWM")).for_each(|line| println!("{line}"));
    }
}
