//! Times each stage on the committed test pages: `cargo bench`. One thread, so wall time is CPU time.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, criterion_group, criterion_main};
use fenwatch::board::{find_boards, warp_board};
use fenwatch::caption::{Printed, read_captions};
use fenwatch::page::{self, Page, PageLimits};
use fenwatch::reading::{BookContext, Reader, ReadingParams};

/// Pages of the kinds that books are made of, by file name in `tests/pages`.
fn pages() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages"))
            .expect("the test pages are committed")
            .filter_map(|entry| entry.ok().map(|e| e.path()))
            .filter(|path| {
                path.extension().is_some_and(|e| ["png", "jpg", "tif", "pdf"].iter().any(|k| e == *k))
            })
            .collect();
    files.sort();
    files
}

fn load(path: &Path) -> Page {
    page::open(path, &PageLimits::default())
        .and_then(|mut d| d.read(0))
        .expect("a committed test page decodes")
}

fn stages(c: &mut Criterion) {
    let params = ReadingParams::default();
    for path in pages() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let page = load(&path);
        let quads: Vec<_> = find_boards(&page.gray, &params.find).regions.iter().map(|r| r.quad).collect();
        let mut group = c.benchmark_group(format!("{name} ({} boards)", quads.len()));
        group.sample_size(10);
        group.bench_function("decode", |b| b.iter(|| black_box(load(&path))));
        group.bench_function("find", |b| b.iter(|| black_box(find_boards(&page.gray, &params.find))));
        if !quads.is_empty() {
            let warped: Vec<_> = quads.iter().map(|quad| warp_board(&page.gray, quad)).collect();
            group.bench_function("warp", |b| b.iter(|| black_box(warp_board(&page.gray, &quads[0]))));
            let mut model = Reader::open_model(&params).expect("the model loads");
            group.bench_function("squares", |b| {
                b.iter(|| black_box(model.read(&warped).expect("the model reads")))
            });
            let mut text = Reader::open_text(&params).expect("Tesseract starts");
            group.bench_function("captions", |b| {
                b.iter(|| {
                    black_box(read_captions(
                        Printed { gray: &page.gray, text: None },
                        &quads,
                        text.as_mut(),
                        &params.caption,
                    ))
                });
            });
        }
        let mut reader = Reader::open(&params).expect("the reader starts");
        group.bench_function("whole page", |b| {
            b.iter(|| black_box(reader.read_page(&page, &BookContext::default(), None)));
        });
        group.finish();
    }
}

criterion_group!(benches, stages);
criterion_main!(benches);
