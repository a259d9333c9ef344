//! The intake on real folders, with a probe and a desk of the tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, bounded, never};

use super::*;

/// What the desk was told.
#[derive(Debug, Default, Clone)]
struct Told {
    /// Relative path, book, pages (`None`: broken).
    arrived: Vec<(String, String, Option<u32>)>,
    hashes: BTreeMap<String, String>,
    known: BTreeSet<(PathBuf, u64)>,
    gone: Vec<String>,
    walks: usize,
    refuse: bool,
}

#[derive(Debug, Default, Clone)]
struct TestDesk(Arc<Mutex<Told>>);

impl TestDesk {
    fn told(&self) -> Told {
        self.0.lock().unwrap().clone()
    }

    fn names(&self) -> Vec<String> {
        self.told().arrived.into_iter().map(|(name, _, _)| name).collect()
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

impl Desk for TestDesk {
    fn knows(&mut self, place: &Place, stamp: &Stamp) -> Result<bool, String> {
        Ok(self.0.lock().unwrap().known.contains(&(place.relative.clone(), stamp.size)))
    }

    fn arrived(&mut self, arrival: Arrival) -> Result<(), String> {
        let mut told = self.0.lock().unwrap();
        if told.refuse {
            return Err("the desk is closed".into());
        }
        let pages = match arrival.content {
            Content::Pages { count, .. } => Some(count),
            Content::Broken { .. } => None,
        };
        let name = text(&arrival.place.relative);
        told.hashes.insert(name.clone(), arrival.hash);
        told.arrived.push((name, arrival.place.book, pages));
        Ok(())
    }

    fn gone(&mut self, place: &Place) -> Result<(), String> {
        self.0.lock().unwrap().gone.push(text(&place.relative));
        Ok(())
    }

    fn walked(&mut self, _: &Path, _: &[PathBuf], _: &[PathBuf]) -> Result<(), String> {
        self.0.lock().unwrap().walks += 1;
        Ok(())
    }
}

/// A page is whole when it begins with "scan" and ends with "end".
fn probe(path: &Path) -> Probed {
    match fs::read(path) {
        Err(error) => Probed::Unknown { reason: error.to_string() },
        Ok(bytes) if !bytes.starts_with(b"scan") => Probed::Foreign { reason: "text".into() },
        Ok(bytes) if !bytes.ends_with(b"end") => Probed::Broken { reason: "the file ends early".into() },
        Ok(_) => Probed::Pages { format: "PNG".into(), count: 1 },
    }
}

fn quick(folder: &Path) -> WatchParams {
    WatchParams {
        folders: vec![folder.to_owned()],
        settle_seconds: 0.3,
        patience_seconds: 1.0,
        poll_seconds: 0.1,
        ..WatchParams::default()
    }
}

fn intake(params: WatchParams) -> (Intake<TestDesk>, TestDesk) {
    let desk = TestDesk::default();
    (Intake::new(params, Box::new(probe), desk.clone()).unwrap(), desk)
}

fn drain(params: WatchParams) -> (Drained, TestDesk) {
    let (mut intake, desk) = intake(params);
    (intake.drain(&never()), desk)
}

/// A running intake; stops when dropped.
struct Running {
    stop: Option<Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
    desk: TestDesk,
}

impl Running {
    fn start(params: WatchParams) -> Running {
        let (mut intake, desk) = intake(params);
        let (stop, stopped) = bounded(0);
        let thread = std::thread::spawn(move || intake.run(&stopped).unwrap());
        let running = Running { stop: Some(stop), thread: Some(thread), desk };
        running.until("the first walk", |told| told.walks > 0);
        running
    }

    fn until(&self, what: &str, test: impl Fn(&Told) -> bool) {
        let end = Instant::now() + Duration::from_secs(20);
        while !test(&self.desk.told()) {
            assert!(Instant::now() < end, "{what} never came: {:?}", self.desk.told());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        let ended = self.thread.take().unwrap().join();
        if !std::thread::panicking() {
            ended.unwrap();
        }
    }
}

#[test]
fn a_drain_takes_what_is_there_and_says_what_is_broken() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("scans");
    fs::create_dir_all(root.join("tal/part 1")).unwrap();
    for (name, bytes) in [
        ("tal/part 1/1.png", "scan 1 end"),
        ("tal/2.png", "scan 2 end"),
        ("top.pdf", "scan top end"),
        ("tal/cut.png", "scan cut"),
        ("tal/named.pdf", "<html>"),
        ("tal/notes.txt", "dear reader"),
        ("tal/unnamed", "scan x end"),
        ("tal/3.png.part", "scan 3 end"),
    ] {
        fs::write(root.join(name), bytes).unwrap();
    }
    let (drained, desk) = drain(quick(&root));
    assert_eq!(drained, Drained::default());
    let mut arrived = desk.told().arrived;
    arrived.sort();
    let one = |name: &str, book: &str, pages| (name.to_owned(), book.to_owned(), pages);
    assert_eq!(
        arrived,
        [
            one("tal/2.png", "tal", Some(1)),
            one("tal/cut.png", "tal", None),
            one("tal/named.pdf", "tal", None),
            one("tal/part 1/1.png", "tal", Some(1)),
            one("tal/unnamed", "tal", Some(1)),
            one("top.pdf", "scans", Some(1)),
        ]
    );
    // originals are as they were
    assert_eq!(fs::read_to_string(root.join("tal/cut.png")).unwrap(), "scan cut");
}

#[test]
fn a_drain_waits_for_a_file_that_is_being_written() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().to_owned();
    let path = root.join("1.png");
    fs::write(&path, "scan").unwrap();
    let writer = std::thread::spawn(move || {
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        for _ in 0..8 {
            std::thread::sleep(Duration::from_millis(100));
            file.write_all(b" more").unwrap();
        }
        file.write_all(b" end").unwrap();
    });
    let (drained, desk) = drain(WatchParams { settle_seconds: 0.5, patience_seconds: 5.0, ..quick(&root) });
    writer.join().unwrap();
    assert_eq!(drained, Drained::default());
    assert_eq!(
        desk.told().arrived,
        [("1.png".to_owned(), text(root.file_name().unwrap().as_ref()), Some(1))]
    );
}

#[test]
fn known_files_are_not_looked_into_again() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("1.png"), "scan 1 end").unwrap();
    fs::write(dir.path().join("2.png"), "scan two end").unwrap();
    let (mut intake, desk) = intake(quick(dir.path()));
    desk.0.lock().unwrap().known.insert((PathBuf::from("1.png"), 10));
    intake.drain(&never());
    assert_eq!(desk.names(), ["2.png"]);
    // a second drain of the same intake finds nothing new
    intake.drain(&never());
    assert_eq!(desk.names(), ["2.png"]);
}

#[test]
fn a_refused_file_is_told_and_offered_again() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("1.png"), "scan 1 end").unwrap();
    let (mut intake, desk) = intake(quick(dir.path()));
    desk.0.lock().unwrap().refuse = true;
    let drained = intake.drain(&never());
    assert_eq!(drained.troubles, [(dir.path().join("1.png"), "the desk is closed".to_owned())]);
    desk.0.lock().unwrap().refuse = false;
    assert_eq!(intake.drain(&never()), Drained::default());
    assert_eq!(desk.names(), ["1.png"]);
}

#[test]
fn a_missing_folder_is_a_trouble_until_it_comes() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("later");
    let (mut intake, desk) = intake(quick(&root));
    assert_eq!(intake.drain(&never()).troubles.len(), 1);
    fs::create_dir(&root).unwrap();
    fs::write(root.join("1.png"), "scan 1 end").unwrap();
    assert_eq!(intake.drain(&never()), Drained::default());
    assert_eq!(desk.names(), ["1.png"]);
}

#[cfg(unix)]
#[test]
fn names_outside_utf8_and_forbidden_folders() {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"M\xfcller");
    fs::create_dir(dir.path().join(name)).unwrap();
    fs::write(dir.path().join(name).join("1.png"), "scan 1 end").unwrap();
    let closed = dir.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::write(closed.join("2.png"), "scan 2 end").unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let root_user = fs::read_dir(&closed).is_ok();
    let (mut intake, desk) = intake(quick(dir.path()));
    let drained = intake.drain(&never());
    assert_eq!(desk.told().arrived[0].1, "M\\xFCller");
    if !root_user {
        assert_eq!(drained.troubles, [(closed.clone(), "cannot be read: permission denied".to_owned())]);
    }
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(intake.drain(&never()), Drained::default());
    assert_eq!(desk.told().arrived.len(), 2);
}

fn live_modes() -> [WatchMode; 2] {
    [WatchMode::Auto, WatchMode::Poll]
}

#[test]
fn dropped_files_arrive_once_they_are_whole() {
    for mode in live_modes() {
        let dir = tempfile::tempdir().unwrap();
        let running = Running::start(WatchParams { mode, ..quick(dir.path()) });
        let path = dir.path().join("1.png");
        let mut file = fs::File::create(&path).unwrap();
        for _ in 0..10 {
            file.write_all(b"scan ").unwrap();
            std::thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(running.desk.names(), [""; 0], "{mode:?}: taken while it was written");
        file.write_all(b"end").unwrap();
        drop(file);
        running.until("the file", |told| told.arrived.len() == 1);
        let bytes = fs::read(&path).unwrap();
        assert_eq!(running.desk.told().hashes["1.png"], sha256(&mut bytes.as_slice()).unwrap());
    }
}

#[test]
fn a_renamed_download_arrives_under_its_last_name() {
    for mode in live_modes() {
        let dir = tempfile::tempdir().unwrap();
        let running = Running::start(WatchParams { mode, ..quick(dir.path()) });
        fs::write(dir.path().join("1.pdf.part"), "scan 1 end").unwrap();
        std::thread::sleep(Duration::from_millis(500));
        fs::rename(dir.path().join("1.pdf.part"), dir.path().join("1.pdf")).unwrap();
        running.until("the file", |told| told.arrived.len() == 1);
        assert_eq!(running.desk.names(), ["1.pdf"]);
    }
}

#[test]
fn folders_that_appear_are_searched() {
    for mode in live_modes() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("scans");
        fs::create_dir(&root).unwrap();
        // on the same file system, so that it can be moved in whole
        let outside = dir.path().join("outside");
        fs::create_dir_all(outside.join("part 1")).unwrap();
        fs::write(outside.join("part 1/1.png"), "scan 1 end").unwrap();
        let running = Running::start(WatchParams { mode, ..quick(&root) });
        fs::rename(&outside, root.join("tal")).unwrap();
        let made = root.join("euwe/a/b");
        fs::create_dir_all(&made).unwrap();
        for number in 0..50 {
            fs::write(made.join(format!("{number}.png")), "scan x end").unwrap();
        }
        running.until("all files", |told| told.arrived.len() >= 51);
        let names: BTreeSet<String> = running.desk.names().into_iter().collect();
        assert_eq!(names.len(), 51);
        assert_eq!(running.desk.told().arrived.len(), 51, "a file was handed over twice");
    }
}

#[test]
fn files_that_go_are_told() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("tal")).unwrap();
    fs::write(dir.path().join("tal/1.png"), "scan 1 end").unwrap();
    fs::write(dir.path().join("tal/2.png"), "scan 2 end").unwrap();
    let running = Running::start(quick(dir.path()));
    running.until("both", |told| told.arrived.len() == 2);
    fs::remove_file(dir.path().join("tal/1.png")).unwrap();
    running.until("the first to go", |told| told.gone == ["tal/1.png"]);
    fs::remove_dir_all(dir.path().join("tal")).unwrap();
    running.until("the second to go", |told| told.gone.contains(&"tal/2.png".to_owned()));
    assert_eq!(running.desk.told().gone.len(), 2);
}

#[test]
fn a_changed_file_arrives_again_and_a_touched_one_does_not_twice() {
    for mode in live_modes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("1.png");
        fs::write(&path, "scan 1 end").unwrap();
        let running = Running::start(WatchParams { mode, ..quick(dir.path()) });
        running.until("it", |told| told.arrived.len() == 1);
        fs::write(&path, "scan one end").unwrap();
        running.until("its new content", |told| told.arrived.len() == 2);
        // opened for writing and closed again, nothing written
        drop(fs::OpenOptions::new().append(true).open(&path).unwrap());
        std::thread::sleep(Duration::from_millis(800));
        assert_eq!(running.desk.told().arrived.len(), 2);
    }
}

#[test]
fn a_file_that_never_becomes_whole_is_broken_in_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let running = Running::start(quick(dir.path()));
    let began = Instant::now();
    fs::write(dir.path().join("1.png"), "scan cut").unwrap();
    running.until("the verdict", |told| told.arrived.len() == 1);
    assert_eq!(running.desk.told().arrived[0].2, None);
    assert!(began.elapsed() >= Duration::from_millis(900), "no patience: {:?}", began.elapsed());
}

#[test]
fn a_watched_folder_that_is_replaced_is_watched_anew() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("scans");
    fs::create_dir(&root).unwrap();
    let running = Running::start(WatchParams { rescan_seconds: 0.3, ..quick(&root) });
    fs::rename(&root, dir.path().join("away")).unwrap();
    std::thread::sleep(Duration::from_millis(400));
    fs::create_dir(&root).unwrap();
    fs::write(root.join("1.png"), "scan 1 end").unwrap();
    running.until("the file", |told| told.arrived.len() == 1);
    // this one can only be told of by the new watch or a walk
    fs::write(root.join("2.png"), "scan 2 end").unwrap();
    running.until("the second file", |told| told.arrived.len() == 2);
}
