//! Not a test but a measurement: `cargo test --lib queue::tests::speed -- --ignored --nocapture`.

use std::time::Instant;

use super::*;

fn page_of_six() -> PageOutcome {
    let mut page = outcome((0..6).map(|at| diagram(MATE, at, vec![doubt()])).collect());
    // what a board of 400 pixels, a warped one, a caption and a small page weigh as PNG
    let heavy = |bytes: usize| Some(Picture { data: vec![7; bytes], ..picture(0) });
    for crops in &mut page.crops {
        *crops = Crops { board: heavy(40_000), squares: heavy(30_000), caption: heavy(8_000) };
    }
    page.page = heavy(120_000);
    page
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures"]
async fn pages_a_second() {
    const FILES: u32 = 200;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("q.db");
    let queue = Queue::open(&path).await.unwrap();
    let rate = |what: &str, count: u32, since: Instant| {
        let time = since.elapsed();
        println!("{what}: {count} in {time:.2?}, {:.0} a second", f64::from(count) / time.as_secs_f64());
    };
    let since = Instant::now();
    for index in 0..FILES {
        let name = format!("Book/p{index}.png");
        queue.enroll(&file(&name, &name, 1)).await.unwrap();
    }
    rate("files enrolled", FILES, since);
    let since = Instant::now();
    let mut claims = Vec::new();
    while let Some(claim) = queue.claim("w", LEASE).await.unwrap() {
        claims.push(claim);
    }
    rate("pages claimed", FILES, since);
    let mut pages = Vec::new();
    for index in 0..FILES {
        let mut page = page_of_six();
        for (at, diagram) in page.reading.diagrams.iter_mut().enumerate() {
            // positions of their own, but for every tenth page
            if index % 10 != 0 {
                diagram.fen = format!("{MATE} w - - {at} {}", index + 1);
                let square = Square::new(24 + (index * 6 + at as u32) % 32);
                let mut placement = diagram.placement;
                placement.set(square, crate::chess::Piece::from_char('N'));
                diagram.fen = format!("{placement} w - - 0 1");
            }
        }
        pages.push(page);
    }
    let since = Instant::now();
    for (claim, page) in claims.iter().zip(pages) {
        queue.finish(claim, page).await.unwrap();
    }
    rate("pages of six diagrams finished", FILES, since);
    let since = Instant::now();
    let rows = queue.diagrams(&Filter::default(), 2000, 0).await.unwrap();
    rate("diagrams listed", rows.len() as u32, since);
    let since = Instant::now();
    for row in &rows[..200] {
        let yes = Decision::Approve { reason: None, acknowledged: vec![FlagCode::OpponentInCheck] };
        queue.decide(row.id, row.version, "ada", yes).await.unwrap();
    }
    rate("diagrams decided", 200, since);
    let since = Instant::now();
    queue.books().await.unwrap();
    rate("books counted", 1, since);
    let since = Instant::now();
    assert_eq!(queue.verify().await.unwrap(), []);
    rate("database verified", 1, since);
    queue.close().await;
    println!("the file has {} MB", path.metadata().unwrap().len() / 1_000_000);
}

/// The last pages of a thousand reprints of one position must cost what the first ones cost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures"]
async fn reprints() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::open(&folder.path().join("q.db")).await.unwrap();
    let mut since = Instant::now();
    for index in 1..=2000 {
        read_page(&queue, &format!("Book/p{index}.png"), vec![diagram(MATE, 0, vec![])]).await;
        if index % 500 == 0 {
            println!("up to page {index}: {:.2?}", since.elapsed());
            since = Instant::now();
        }
    }
    queue.close().await;
}
