//! The daemon with a reader of the tests: real folders, a real database, threads and tasks as in life.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use image::{GrayImage, Luma};
use tokio::sync::watch;

use super::*;
use crate::board::{Quad, SquareScores};
use crate::caption::CaptionFacts;
use crate::chess::{FieldSource, Placement};
use crate::intake::{WatchMode, WatchParams};
use crate::page::{Page, PageLimits};
use crate::queue::{
    Crops, DiagramState, FailureKind, Filter, NewSource, PageFilter, PageRow, PageState, Pages, Queue,
};
use crate::reading::{BookContext, DiagramReading, Orientation, PageReading, Sources};
use crate::review::ReviewParams;

/// The gray of the first pixel tells the fake reader what to do: so many diagrams, or one of these.
const PANIC: u8 = 255;
const FAIL_TWICE: u8 = 254;
const SLOW: u8 = 253;
const BAD_FEN: u8 = 252;

struct Fake {
    failures: Arc<AtomicU32>,
    slow: Duration,
}

impl PageReader for Fake {
    fn read(&mut self, page: &Page, _: &BookContext) -> Result<PageReading, String> {
        let count = match page.gray.get_pixel(0, 0)[0] {
            PANIC => panic!("a decoder's bug"),
            FAIL_TWICE if self.failures.fetch_add(1, Ordering::SeqCst) < 2 => return Err("not today".into()),
            SLOW => {
                std::thread::sleep(self.slow);
                1
            }
            FAIL_TWICE | BAD_FEN => 1,
            count => u32::from(count),
        };
        let mut diagrams: Vec<DiagramReading> = (1..=count).map(diagram).collect();
        if page.gray.get_pixel(0, 0)[0] == BAD_FEN {
            diagrams[0].fen = "nonsense".into();
        }
        Ok(PageReading {
            width: page.gray.width(),
            height: page.gray.height(),
            diagrams,
            ..PageReading::default()
        })
    }

    fn model_version(&self) -> String {
        "fake 1".into()
    }

    fn pictures(&self, _: &Page, reading: &PageReading) -> Result<Vec<Crops>, String> {
        Ok(vec![Crops::default(); reading.diagrams.len()])
    }
}

fn diagram(ordinal: u32) -> DiagramReading {
    let placement: Placement = "4k3/8/8/8/8/8/8/4K2R".parse().unwrap();
    let x = 10.0 * ordinal as f32;
    DiagramReading {
        ordinal,
        quad: Quad::from_bounds(x, 0.0, x + 8.0, 8.0),
        squares: SquareScores(Box::new([[1.0 / 13.0; 13]; 64])),
        raw: placement,
        legal: Some(placement),
        placement,
        orientation: Orientation::WhiteBottom,
        orientation_reason: "as usual".into(),
        fen: format!("{placement} w - - 0 1"),
        sources: Sources {
            placement: FieldSource::Picture,
            side_to_move: FieldSource::Caption,
            castling: FieldSource::Assumed,
            en_passant: FieldSource::Assumed,
            clocks: FieldSource::Assumed,
        },
        caption: CaptionFacts::default(),
        confidence: 1.0,
        flags: Vec::new(),
        model_version: "fake 1".into(),
    }
}

/// A folder with everything a daemon needs.
struct Home {
    dir: tempfile::TempDir,
    slow: Duration,
}

impl Home {
    fn new() -> Home {
        let home = Home { dir: tempfile::tempdir().unwrap(), slow: Duration::from_millis(300) };
        fs::create_dir(home.scans()).unwrap();
        home
    }

    fn scans(&self) -> PathBuf {
        self.dir.path().join("scans")
    }

    /// A page that tells the fake reader `gray`; `mark` makes its content its own.
    fn page(&self, name: &str, gray: u8, mark: u8) {
        let path = self.scans().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut picture = GrayImage::from_pixel(64, 64, Luma([200]));
        picture.put_pixel(0, 0, Luma([gray]));
        picture.put_pixel(63, 63, Luma([mark]));
        picture.save(path).unwrap();
    }

    fn params(&self, mode: Mode) -> DaemonParams {
        let state = self.dir.path().join("var");
        DaemonParams {
            mode,
            watch: WatchParams {
                folders: vec![self.scans()],
                mode: WatchMode::Auto,
                settle_seconds: 0.2,
                patience_seconds: 2.0,
                poll_seconds: 0.2,
                ..WatchParams::default()
            },
            workers: WorkerParams { threads: 2, retry_seconds: 0.05, ..WorkerParams::default() },
            limits: PageLimits::default(),
            review: ReviewParams { enabled: false, ..ReviewParams::default() },
            database: state.join("fenwatch.db"),
            lock: state.join("fenwatch.lock"),
            state_folder: state,
            default_side: None,
        }
    }

    fn factory(&self) -> ReaderFactory {
        let failures = Arc::new(AtomicU32::new(0));
        let slow = self.slow;
        Arc::new(move || Ok(Box::new(Fake { failures: failures.clone(), slow }) as Box<dyn PageReader>))
    }

    async fn run(&self, params: DaemonParams, shutdown: Shutdown) -> Result<Ended, DaemonError> {
        let (progress, _) = watch::channel(Progress::default());
        run(params, self.factory(), shutdown, progress).await
    }

    async fn once(&self) -> Ended {
        self.run(self.params(Mode::Once), Shutdown::default()).await.unwrap()
    }

    async fn queue(&self) -> Queue {
        Queue::open(&self.params(Mode::Once).database).await.unwrap()
    }

    async fn pages(&self) -> Vec<PageRow> {
        self.queue().await.pages(&PageFilter::default(), 1000, 0).await.unwrap()
    }

    async fn until(&self, what: &str, test: impl Fn(&[PageRow]) -> bool) {
        let end = Instant::now() + Duration::from_secs(20);
        let queue = self.queue().await;
        loop {
            let pages = queue.pages(&PageFilter::default(), 1000, 0).await.unwrap();
            if test(&pages) {
                return;
            }
            assert!(Instant::now() < end, "{what} never came: {pages:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

fn read(pages: &[PageRow]) -> usize {
    pages.iter().filter(|page| page.state == PageState::Read).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn once_reads_everything_once() {
    let home = Home::new();
    home.page("tal/2.png", 3, 1);
    home.page("tal/10.png", 2, 2);
    home.page("euwe/1.png", 0, 3);
    home.page("euwe/copy of 1.png", 0, 3);
    fs::write(home.scans().join("tal/notes.txt"), "dear reader").unwrap();
    let ended = home.once().await;
    assert!(ended.all_read(), "{ended:?}");
    assert_eq!((ended.counters.pages_read, ended.counters.diagrams), (3, 5));
    let names: Vec<String> = home.pages().await.into_iter().map(|page| page.path).collect();
    assert_eq!(names.len(), 3);
    assert_eq!(names[1..], ["tal/2.png", "tal/10.png"], "not in natural order");
    // the second time nothing is left to do
    let again = home.once().await;
    assert!(again.all_read());
    assert_eq!((again.counters.pages_read, again.counters.files_new), (0, 0));
    let queue = home.queue().await;
    assert_eq!(queue.diagram_count(&Filter::default()).await.unwrap(), 5);
    let accepted = Filter { states: vec![DiagramState::Accepted], ..Filter::default() };
    assert_eq!(queue.diagram_count(&accepted).await.unwrap(), 5);
    assert_eq!(queue.verify().await.unwrap(), []);
    // every page keeps its small picture
    let page = &home.pages().await[1];
    let picture = queue.page_picture(page.id).await.unwrap().unwrap();
    assert_eq!((picture.width, picture.media_type.as_str()), (64, "image/jpeg"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_fails_has_a_reason_and_the_others_go_on() {
    let home = Home::new();
    home.page("tal/1.png", PANIC, 1);
    home.page("tal/2.png", 1, 2);
    home.page("tal/3.png", BAD_FEN, 3);
    fs::write(home.scans().join("tal/4.png"), "no picture").unwrap();
    home.page("tal/5.png", PANIC, 5);
    home.page("tal/6.png", 1, 6);
    let ended = home.once().await;
    assert!(!ended.all_read());
    assert_eq!((ended.counters.pages_read, ended.counters.panics, ended.counters.files_broken), (2, 2, 1));
    let pages = home.pages().await;
    let failures: Vec<(&str, Option<&str>)> =
        pages.iter().map(|page| (page.path.as_str(), page.failure.as_deref())).collect();
    assert_eq!(failures[0], ("tal/1.png", Some("the program broke down on this page: a decoder's bug")));
    assert_eq!(failures[1].1, None);
    assert!(failures[2].1.unwrap().contains("nonsense"), "{failures:?}");
    assert!(failures[3].1.unwrap().contains("not a picture"), "{failures:?}");
    assert!(pages[0].failure_kind == Some(FailureKind::Permanent) && pages[5].state == PageState::Read);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_may_pass_is_tried_again() {
    let home = Home::new();
    home.page("tal/1.png", FAIL_TWICE, 1);
    let ended = home.once().await;
    assert!(ended.all_read(), "{ended:?}");
    assert_eq!((ended.counters.pages_delayed, ended.counters.pages_read), (2, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_signal_finishes_the_pages_in_hand() {
    let home = Home { slow: Duration::from_millis(800), ..Home::new() };
    for mark in 0..6 {
        home.page(&format!("tal/{mark}.png"), SLOW, mark);
    }
    let shutdown = Shutdown::default();
    let stop = shutdown.clone();
    let run = home.run(home.params(Mode::Watch), shutdown);
    let watch = async {
        home.until("work", |pages| pages.iter().filter(|p| p.state == PageState::Reading).count() == 2).await;
        stop.finish.cancel();
    };
    let (ended, ()) = tokio::join!(run, watch);
    let ended = ended.unwrap();
    assert!(!ended.aborted);
    assert_eq!(ended.counters.pages_read, 2, "{ended:?}");
    let pages = home.pages().await;
    assert_eq!(read(&pages), 2);
    assert!(pages.iter().all(|page| page.state != PageState::Reading));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_second_signal_gives_the_pages_back() {
    let home = Home { slow: Duration::from_secs(6), ..Home::new() };
    home.page("tal/1.png", SLOW, 1);
    let shutdown = Shutdown::default();
    let stop = shutdown.clone();
    let run = home.run(home.params(Mode::Watch), shutdown);
    let watch = async {
        home.until("work", |pages| pages.iter().any(|page| page.state == PageState::Reading)).await;
        stop.finish.cancel();
        tokio::time::sleep(Duration::from_millis(100)).await;
        stop.abort.cancel();
        Instant::now()
    };
    let (ended, since) = tokio::join!(run, watch);
    assert!(since.elapsed() < Duration::from_secs(4), "{:?}", since.elapsed());
    assert!(ended.unwrap().aborted);
    let page = &home.pages().await[0];
    assert_eq!((page.state, page.attempts), (PageState::Pending, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_daemon_s_pages_come_back_at_once() {
    let home = Home::new();
    home.page("tal/1.png", 1, 1);
    let queue = home.queue().await;
    let bytes = fs::read(home.scans().join("tal/1.png")).unwrap();
    let source = NewSource {
        book: "tal".into(),
        root: path_to_text(&home.scans()),
        path: "tal/1.png".into(),
        hash: crate::intake::sha256(&mut bytes.as_slice()).unwrap(),
        bytes: bytes.len() as u64,
        modified_ns: None,
        format: "PNG".into(),
        pages: Pages::Count(1),
    };
    queue.enroll(&source).await.unwrap();
    queue.claim("1:1/1", Duration::from_secs(3600)).await.unwrap().unwrap();
    let ended = home.once().await;
    assert_eq!(ended.counters.pages_read, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_daemon_reads_what_is_dropped_and_keeps_others_out() {
    let home = Home::new();
    let shutdown = Shutdown::default();
    let stop = shutdown.clone();
    let run = home.run(home.params(Mode::Watch), shutdown);
    let drop_files = async {
        home.until("the start", |_| home.dir.path().join("var/fenwatch.lock").exists()).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        let second = home.run(home.params(Mode::Once), Shutdown::default()).await;
        assert!(matches!(second, Err(DaemonError::Lock(LockError::Held { .. }))), "{second:?}");
        home.page("tal/1.png", 2, 1);
        home.until("the page", |pages| read(pages) == 1).await;
        // replaced by another scan: a new source, the old reading stays
        home.page("tal/1.png", 1, 9);
        home.until("the other page", |pages| read(pages) == 2).await;
        fs::remove_file(home.scans().join("tal/1.png")).unwrap();
        home.until("its end", |pages| pages.iter().all(|page| page.gone)).await;
        stop.finish.cancel();
    };
    let (ended, ()) = tokio::join!(run, drop_files);
    assert_eq!(ended.unwrap().counters.pages_read, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn read_files_are_moved_to_the_done_folder() {
    let home = Home::new();
    home.page("tal/part 1/1.png", 1, 1);
    home.page("top.png", 1, 2);
    home.page("tal/2.png", PANIC, 3);
    let done = home.dir.path().join("done");
    let mut params = home.params(Mode::Once);
    params.watch.done_folder = done.clone();
    home.run(params.clone(), Shutdown::default()).await.unwrap();
    assert!(done.join("tal/part 1/1.png").is_file());
    assert!(done.join("scans/top.png").is_file());
    assert!(home.scans().join("tal/2.png").is_file(), "what failed stays");
    let pages = home.pages().await;
    assert!(pages.iter().all(|page| !page.gone), "{pages:?}");
    // a re-read finds it in its new place
    let queue = home.queue().await;
    let page = pages.iter().find(|page| page.path == "tal/part 1/1.png").unwrap();
    assert_eq!(Path::new(&page.root), done);
    queue.reread_page(page.id, "ada").await.unwrap();
    let again = home.run(params, Shutdown::default()).await.unwrap();
    assert_eq!((again.counters.pages_read, again.failed_earlier), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_does_not_start_where_it_would_eat_its_own_output() {
    let home = Home::new();
    let mut params = home.params(Mode::Once);
    params.state_folder = home.scans().join("var");
    let error = home.run(params, Shutdown::default()).await.unwrap_err();
    assert!(error.to_string().contains("state folder"), "{error}");
    // a reader that cannot be made is told, and no page is touched
    home.page("tal/1.png", 1, 1);
    let factory: ReaderFactory = Arc::new(|| Err("no library".into()));
    let (progress, _) = watch::channel(Progress::default());
    let error = run(home.params(Mode::Once), factory, Shutdown::default(), progress).await.unwrap_err();
    assert_eq!(error.to_string(), "cannot start the reader: no library");
}
