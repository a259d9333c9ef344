//! Scores the board finder on labelled pages and draws what it saw.
//!
//! `cargo run --release --example find_boards -- [--draw DIR] [--all] LABELS.json...`; the labels are those of the scan scorer:
//! a board counts as found at an overlap (intersection over union) of 0.7, and its corner error is measured
//! against `corners` where a label has them, else its bounds against `bbox`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use fenwatch::board::{Quad, Verdict, find_boards};
use image::{Rgb, RgbImage};
use serde_json::Value;

#[derive(Default)]
struct Row {
    pages: usize,
    labelled: usize,
    found: usize,
    extra: usize,
    errors: Vec<f32>,
    millis: Vec<f32>,
}

fn main() -> anyhow::Result<()> {
    let mut draw: Option<PathBuf> = None;
    let mut draw_all = false;
    let mut labels = Vec::new();
    let mut only: Option<String> = None;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--draw" => draw = args.next().map(PathBuf::from),
            "--all" => draw_all = true,
            "--only" => only = args.next(),
            _ => labels.push(PathBuf::from(arg)),
        }
    }
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for file in &labels {
        let doc: Value = serde_json::from_str(&std::fs::read_to_string(file)?)?;
        let root = file.parent().unwrap_or(Path::new(".")).join(doc["root"].as_str().unwrap_or("."));
        for page in doc["pages"].as_array().into_iter().flatten() {
            let name = page["file"].as_str().unwrap_or_default();
            if only.as_ref().is_some_and(|o| !name.contains(o.as_str())) {
                continue;
            }
            let picture = open_upright(&root.join(name), page)?;
            let gray = picture.to_luma8();
            let start = cpu_millis();
            let wall = Instant::now();
            let finding = find_boards(&gray, &Default::default());
            let millis = cpu_millis() - start;
            let _ = wall.elapsed();
            let truths = page["diagrams"].as_array().cloned().unwrap_or_default();
            let row = rows.entry(page["source"].as_str().unwrap_or("").to_owned()).or_default();
            row.pages += 1;
            row.labelled += truths.len();
            row.millis.push(millis);
            let mut used = vec![false; finding.regions.len()];
            let mut missed = 0;
            let mut note = String::new();
            for truth in &truths {
                let Some(want) = truth_quad(truth) else {
                    // Not measured: any region that is left.
                    match used.iter().position(|u| !u) {
                        Some(i) => {
                            used[i] = true;
                            row.found += 1;
                        }
                        None => missed += 1,
                    }
                    continue;
                };
                let best = (0..used.len())
                    .filter(|&i| !used[i])
                    .map(|i| (iou(finding.regions[i].quad.bounds(), want.bounds()), i))
                    .max_by(|a, b| a.0.total_cmp(&b.0));
                match best {
                    Some((o, i)) if o >= 0.7 => {
                        used[i] = true;
                        row.found += 1;
                        let got = finding.regions[i].quad;
                        let exact = truth.get("corners").is_some_and(Value::is_array);
                        let got = if exact {
                            got
                        } else {
                            let b = got.bounds();
                            Quad::from_bounds(b.0, b.1, b.2, b.3)
                        };
                        let error = (0..4).map(|k| got.0[k].distance(want.0[k])).sum::<f32>() / 4.0;
                        let error = error / want.square_size();
                        if error > 0.08 {
                            note += &format!(
                                " corner error {error:.3} (residual {:.3})",
                                finding.regions[i].lattice_residual
                            );
                        }
                        row.errors.push(error);
                    }
                    _ => missed += 1,
                }
            }
            let extra = used.iter().filter(|u| !**u).count();
            row.extra += extra;
            if missed > 0 || extra > 0 || !note.is_empty() {
                println!("{name}: missed {missed} extra {extra}{note}");
                if missed > 0 {
                    for c in finding.candidates.iter().take(6) {
                        println!("    {:?} {:?}", c.verdict, c.quad.bounds());
                    }
                }
            }
            if let Some(dir) = &draw
                && (draw_all || missed > 0 || extra > 0 || !note.is_empty())
            {
                std::fs::create_dir_all(dir)?;
                let mut canvas = picture.to_rgb8();
                for c in &finding.candidates {
                    if matches!(c.verdict, Verdict::Dropped(_)) {
                        outline(&mut canvas, &c.quad, Rgb([230, 160, 0]), 1);
                    }
                }
                for truth in &truths {
                    if let Some(q) = truth_quad(truth) {
                        outline(&mut canvas, &q, Rgb([0, 160, 0]), 2);
                    }
                }
                for r in &finding.regions {
                    outline(&mut canvas, &r.quad, Rgb([230, 0, 60]), 2);
                }
                canvas.save(dir.join(name.replace('/', "_")).with_extension("png"))?;
            }
        }
    }
    let mut total = Row::default();
    for (name, row) in rows {
        show(&name, &row);
        total.pages += row.pages;
        total.labelled += row.labelled;
        total.found += row.found;
        total.extra += row.extra;
        total.errors.extend(row.errors);
        total.millis.extend(row.millis);
    }
    show("TOTAL", &total);
    Ok(())
}

fn show(name: &str, row: &Row) {
    let mean = |v: &[f32]| v.iter().sum::<f32>() / v.len().max(1) as f32;
    let worst = row.errors.iter().copied().fold(0.0, f32::max);
    println!(
        "{name:24} pages {:4} found {:4}/{:<4} extra {:3} corner error mean {:.3} worst {:.3} CPU ms mean {:.0} worst {:.0}",
        row.pages,
        row.found,
        row.labelled,
        row.extra,
        mean(&row.errors),
        worst,
        mean(&row.millis),
        row.millis.iter().copied().fold(0.0, f32::max)
    );
}

/// The page upright, as the labels count its pixels.
fn open_upright(path: &Path, page: &Value) -> anyhow::Result<image::DynamicImage> {
    let png = path.with_extension("png");
    let path = if path.extension().is_some_and(|e| e == "tif") { &png } else { path };
    let picture = image::open(path)?;
    Ok(match page["turn"].as_i64() {
        Some(90) => picture.rotate270(),
        Some(180) => picture.rotate180(),
        Some(270) => picture.rotate90(),
        _ => picture,
    })
}

/// CPU time of this thread in milliseconds, from the kernel's scheduler statistics.
fn cpu_millis() -> f32 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|t| t.parse::<u64>().ok()).unwrap_or(0) as f32 / 1e6
}

fn truth_quad(truth: &Value) -> Option<Quad> {
    if let Some(c) = truth["corners"].as_array() {
        let mut quad = Quad::default();
        for (p, v) in quad.0.iter_mut().zip(c) {
            p.x = v[0].as_f64()? as f32;
            p.y = v[1].as_f64()? as f32;
        }
        return Some(quad);
    }
    let b: Vec<f32> = truth["bbox"].as_array()?.iter().filter_map(|v| v.as_f64().map(|f| f as f32)).collect();
    (b.len() == 4).then(|| Quad::from_bounds(b[0], b[1], b[2], b[3]))
}

fn iou(a: (f32, f32, f32, f32), b: (f32, f32, f32, f32)) -> f32 {
    let w = a.2.min(b.2) - a.0.max(b.0);
    let h = a.3.min(b.3) - a.1.max(b.1);
    if w <= 0.0 || h <= 0.0 {
        return 0.0;
    }
    let area = |r: (f32, f32, f32, f32)| (r.2 - r.0) * (r.3 - r.1);
    w * h / (area(a) + area(b) - w * h)
}

fn outline(canvas: &mut RgbImage, quad: &Quad, color: Rgb<u8>, width: i32) {
    for k in 0..4 {
        let (a, b) = (quad.0[k], quad.0[(k + 1) % 4]);
        for d in 0..width {
            let d = d as f32;
            imageproc::drawing::draw_line_segment_mut(canvas, (a.x + d, a.y), (b.x + d, b.y), color);
            imageproc::drawing::draw_line_segment_mut(canvas, (a.x, a.y + d), (b.x, b.y + d), color);
        }
    }
}
