//! Reads the captions of labelled pages and compares: side to move, caption text, CPU time.
//!
//! `cargo run --release --example captions -- LABELS.json [eng+deu]`
//!
//! The labels' format: `{"root": dir, "pages": [{"file", "diagrams": [{"bbox": [x0, y0, x1, y1],
//! "side_to_move": "w"|"b"|null, "caption": text|null, "language": "en"}]}]}`. The labelled boxes stand for
//! the finder's boards; pages without boxes are passed over. Without a language argument the language of each
//! page is found. With `VERBOSE` set every diagram is printed; with `CROPS` set to a
//! directory the lines are written there as the reader sees them.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result};
use fenwatch::board::{Point, Quad};
use fenwatch::caption::layout::{self, LayoutParams};
use fenwatch::caption::{
    CaptionParams, PolyglotReader, Printed, TesseractReader, TextReader, ocr, read_captions,
};
use fenwatch::page::PageLimits;
use fenwatch::reading::{Orientation, join_side, marks::weigh_marks};
use serde_json::Value;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let labels = arguments.next().context("usage: captions LABELS.json [LANGUAGES]")?;
    let languages = arguments.next();
    let verbose = std::env::var_os("VERBOSE").is_some();
    let document: Value = serde_json::from_str(&std::fs::read_to_string(&labels)?)?;
    let root =
        Path::new(&labels).parent().unwrap_or(Path::new(".")).join(document["root"].as_str().unwrap_or("."));
    let mut readers: HashMap<String, Box<dyn TextReader>> = HashMap::new();
    let (mut right, mut wrong, mut silent, mut none, mut unasked) = (0, 0, 0, 0, 0);
    let (mut numbers, mut numbered) = (0, 0);
    let (mut edits, mut letters) = (0, 0);
    let (mut cpu, mut diagrams) = (0.0, 0);
    for page in document["pages"].as_array().into_iter().flatten() {
        let labelled: Vec<&Value> = page["diagrams"].as_array().into_iter().flatten().collect();
        let boards: Vec<Quad> = labelled.iter().filter_map(|diagram| quad(diagram)).collect();
        if boards.is_empty() || boards.len() != labelled.len() {
            continue;
        }
        let wanted = languages.clone().unwrap_or_else(|| "auto".to_owned());
        let file = page["file"].as_str().unwrap_or_default();
        let gray = fenwatch::page::open(&root.join(file), &PageLimits::default())?.read(0)?.gray;
        if !readers.contains_key(&wanted) {
            let reader: Box<dyn TextReader> = match wanted.as_str() {
                "auto" => Box::new(PolyglotReader::new()?),
                languages => Box::new(TesseractReader::new(languages)?),
            };
            readers.insert(wanted.clone(), reader);
        }
        if let Some(directory) = std::env::var_os("CROPS") {
            save_crops(&gray, &boards, Path::new(&directory), file)?;
        }
        let Some(reader) = readers.get_mut(&wanted) else { continue };
        let start = cpu_seconds();
        let mut facts = read_captions(
            Printed { gray: &gray, text: None },
            &boards,
            reader.as_mut(),
            &CaptionParams::default(),
        )?;
        let turned: Vec<Orientation> = labelled
            .iter()
            .map(|d| match d["orientation"].as_str() {
                Some("black_bottom") => Orientation::BlackBottom,
                _ => Orientation::WhiteBottom,
            })
            .collect();
        weigh_marks(&mut facts, &turned, false);
        let spent = cpu_seconds() - start;
        cpu += spent;
        diagrams += boards.len();
        println!("{file}: {:.0} ms a diagram", spent * 1000.0 / boards.len() as f64);
        for (label, read) in labelled.iter().zip(&facts) {
            let verdict = join_side(&read.evidence, None, None);
            let flagged = verdict.assumed || verdict.conflict.is_some();
            let side = verdict.side.char().to_string();
            let (truth, caption) = (label["side_to_move"].as_str(), label["caption"].as_str());
            let outcome = match truth {
                None if read.evidence.is_empty() => "-",
                None => {
                    unasked += 1;
                    "UNASKED"
                }
                Some(truth) if truth == side && !flagged => {
                    right += 1;
                    "right"
                }
                Some(_) if read.evidence.is_empty() => {
                    none += 1;
                    "NONE"
                }
                Some(truth) => {
                    wrong += 1;
                    if !flagged && truth != side {
                        silent += 1;
                    }
                    if truth == side { "FLAGGED" } else { "WRONG" }
                }
            };
            let caption = caption.unwrap_or_default();
            let text = read.text.clone().unwrap_or_default();
            let distance = strsim::levenshtein(caption, &text);
            edits += distance;
            letters += caption.chars().count();
            if let Some(number) = printed_number(caption) {
                numbered += 1;
                numbers += usize::from(read.number.as_deref() == Some(number));
            }
            if verbose || distance > 0 || outcome.chars().all(char::is_uppercase) {
                println!("  {outcome:8} {caption:?} read {text:?} number {:?}", read.number);
                if verbose {
                    for e in &read.evidence {
                        println!("           {} {} {:?} {:.2}", e.side.char(), e.source, e.text, e.weight);
                    }
                }
            }
        }
    }
    println!(
        "side: right {right}, flagged or wrong {wrong} (silent {silent}), none {none}; evidence where none is labelled {unasked}"
    );
    println!("characters: {edits} of {letters} wrong, {:.2} %", 100.0 * edits as f64 / letters.max(1) as f64);
    println!("numbers: {numbers} of {numbered}");
    println!("cpu: {:.0} ms a diagram over {diagrams}", cpu * 1000.0 / diagrams.max(1) as f64);
    Ok(())
}

/// Writes the lines as the reader sees them.
fn save_crops(gray: &image::GrayImage, boards: &[Quad], directory: &Path, file: &str) -> Result<()> {
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    for (i, line) in layout::caption_lines(gray, boards, &LayoutParams::default()).lines.iter().enumerate() {
        let claim = line.claims[0];
        let crop = ocr::prepare(&line.crop, line.capital_height, line.ink, line.paper);
        crop.save(directory.join(format!("{stem}-{:02}-{i:02}-{:?}.png", claim.board + 1, claim.place)))?;
    }
    Ok(())
}

/// The labelled corners, else the box.
fn quad(diagram: &Value) -> Option<Quad> {
    let numbers = |value: &Value| -> Vec<f32> {
        value.as_array().into_iter().flatten().filter_map(|x| x.as_f64().map(|x| x as f32)).collect()
    };
    let corners: Vec<Vec<f32>> = diagram["corners"].as_array().into_iter().flatten().map(numbers).collect();
    if let [a, b, c, d] = &corners[..]
        && corners.iter().all(|corner| corner.len() == 2)
    {
        return Some(Quad([a, b, c, d].map(|corner| Point::new(corner[0], corner[1]))));
    }
    let v = numbers(&diagram["bbox"]);
    (v.len() == 4).then(|| Quad::from_bounds(v[0], v[1], v[2], v[3]))
}

/// The number at the head of a labelled caption: its first part, without a label before it.
fn printed_number(caption: &str) -> Option<&str> {
    let first = caption.split(" / ").next()?.trim_end_matches('.');
    let last = first.split(' ').next_back()?;
    let label = first.split(' ').count() == 1 || ["Diagram", "Fig."].iter().any(|l| first.starts_with(l));
    (label && last.starts_with(|c: char| c.is_ascii_digit())).then_some(last)
}

/// CPU seconds of this process so far, user and system.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks: f64 = [11, 12].iter().filter_map(|&i| fields.get(i)?.parse::<f64>().ok()).sum();
    // Linux counts in hundredths of a second.
    ticks / 100.0
}
