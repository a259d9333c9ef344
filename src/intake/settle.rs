//! When is a file complete? A state machine without a clock or a disk: events and times go in,
//! files to look at and files that are ready come out.
//!
//! A creation is announced while the copy still runs, so an announcement alone says nothing. A file
//! is taken as complete when its writer closed it (or it was renamed into place) and nothing
//! more came for [`SettleParams::grace`]; or, where no such word comes (network mounts, polling),
//! when size and time stood still for [`SettleParams::settle`]. The caller then decodes it. What
//! does not decode, or is held open by a writer that stalls, is given until it stood
//! still for [`SettleParams::patience`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Time since an arbitrary start, monotonic.
pub type Instant = Duration;

/// What tells two states of a file apart without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp {
    pub size: u64,
    pub modified: Option<SystemTime>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SettleParams {
    /// After a close: long enough for a writer that opens, appends and closes in turns.
    pub grace: Duration,
    pub settle: Duration,
    pub patience: Duration,
    /// A file whose time is older than this when it is first found is complete: nobody writes to it.
    /// A minute: clocks of file servers differ by seconds.
    pub old: Duration,
}

impl Default for SettleParams {
    fn default() -> Self {
        SettleParams {
            grace: Duration::from_millis(200),
            settle: Duration::from_secs(2),
            patience: Duration::from_secs(30),
            old: Duration::from_secs(60),
        }
    }
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A walk found it; `age` is how long ago it was last changed by the wall clock, if that is known and not negative.
    Found { stamp: Stamp, age: Option<Duration> },
    /// Somebody writes to it, and its closing will be announced.
    Writing,
    /// It changed; no closing will be announced.
    Changed,
    /// Its writer closed it, or it was renamed into place.
    Completed,
    /// It was removed or renamed away.
    Gone,
}

/// What the caller should do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Due {
    /// Ask the disk and answer with [`Settler::looked`].
    Look(PathBuf),
    /// The file is complete as far as one can tell from outside: decode it, then forget it or answer with [`Settler::undecodable`].
    Ready {
        path: PathBuf,
        stamp: Stamp,
        /// It stood still for so long that what does not decode now is damaged.
        last_try: bool,
    },
}

#[derive(Debug)]
struct File {
    stamp: Option<Stamp>,
    /// Last sign of a change.
    changed: Instant,
    complete: bool,
    /// A writer holds it open as far as is known.
    open: bool,
    /// Old enough at first sight to be complete and, undecodable, damaged.
    old: bool,
    /// The state in which it did not decode.
    undecodable: Option<Stamp>,
    look_at: Instant,
}

/// Files on their way in.
#[derive(Debug, Default)]
pub struct Settler {
    params: SettleParams,
    files: HashMap<PathBuf, File>,
    ready: Vec<Due>,
}

impl Settler {
    pub fn new(params: SettleParams) -> Settler {
        Settler { params, files: HashMap::new(), ready: Vec::new() }
    }

    /// Files not yet ready.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.ready.is_empty()
    }

    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// Takes in an event.
    pub fn note(&mut self, path: &Path, event: Event, now: Instant) {
        match event {
            Event::Gone => self.forget(path),
            Event::Writing | Event::Changed => {
                let due = now + self.params.settle;
                let file = self.entry(path, now);
                file.changed = now;
                file.complete = false;
                file.open = event == Event::Writing;
                file.old = false;
                file.look_at = due;
            }
            Event::Completed => {
                let due = now + self.params.grace;
                let file = self.entry(path, now);
                file.changed = now;
                file.complete = true;
                file.open = false;
                file.old = false;
                file.look_at = due;
            }
            Event::Found { stamp, age } => {
                let old = age.is_some_and(|age| age >= self.params.old);
                let due = if old { now } else { now + self.params.settle };
                let known = self.files.contains_key(path);
                let file = self.entry(path, now);
                if !known {
                    file.stamp = Some(stamp);
                    file.old = old;
                    file.look_at = due;
                } else if file.stamp.is_some_and(|before| before != stamp) {
                    // a change that no notification told of
                    file.stamp = Some(stamp);
                    file.changed = now;
                    file.complete = false;
                    file.old = false;
                    file.look_at = due;
                }
            }
        }
    }

    /// Drops a file, and everything below it if it was a folder.
    pub fn forget(&mut self, path: &Path) {
        if self.files.remove(path).is_none() {
            self.files.retain(|file, _| !file.starts_with(path));
        }
    }

    /// What is due at `now`.
    pub fn due(&mut self, now: Instant) -> Vec<Due> {
        let mut out = std::mem::take(&mut self.ready);
        for (path, file) in &mut self.files {
            if file.look_at <= now {
                // asked once; the answer sets the next time
                file.look_at = now + self.params.settle;
                out.push(Due::Look(path.clone()));
            }
        }
        out
    }

    /// When something will next be due; `None` when nothing waits.
    pub fn next_due(&self) -> Option<Instant> {
        if !self.ready.is_empty() {
            return Some(Duration::ZERO);
        }
        self.files.values().map(|file| file.look_at).min()
    }

    /// The disk's answer to [`Due::Look`]: `None` when the file is not there (any more) or cannot be asked.
    pub fn looked(&mut self, path: &Path, stamp: Option<Stamp>, now: Instant) {
        let Some(file) = self.files.get_mut(path) else { return };
        let Some(stamp) = stamp else {
            self.files.remove(path);
            return;
        };
        let moved = file.stamp.replace(stamp).is_some_and(|before| before != stamp);
        if moved && !file.complete {
            file.changed = now;
            file.old = false;
        }
        let still = now.saturating_sub(file.changed);
        let patient = file.old || still >= self.params.patience;
        let settled =
            (file.complete && still >= self.params.grace) || (!file.open && still >= self.params.settle);
        let refused = file.undecodable == Some(stamp);
        if patient || (settled && !refused) {
            self.files.remove(path);
            self.ready.push(Due::Ready { path: path.to_owned(), stamp, last_try: patient });
        } else {
            let wait = match () {
                // in between it may grow without a word: look now and then
                _ if refused || file.open => self.params.settle,
                _ if file.complete => self.params.grace,
                _ => self.params.settle.saturating_sub(still).max(self.params.grace),
            };
            file.look_at = now + wait;
        }
    }

    /// A ready file did not decode, and it was not its last try: wait for more.
    pub fn undecodable(&mut self, path: &Path, stamp: Stamp, now: Instant) {
        let wait = self.params.settle;
        let file = self.entry(path, now);
        file.stamp = Some(stamp);
        file.undecodable = Some(stamp);
        file.look_at = now + wait;
    }

    fn entry(&mut self, path: &Path, now: Instant) -> &mut File {
        self.files.entry(path.to_owned()).or_insert_with(|| File {
            stamp: None,
            changed: now,
            complete: false,
            open: false,
            old: false,
            undecodable: None,
            look_at: now,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "/scans/tal/page 1.png";

    fn ms(value: u64) -> Duration {
        Duration::from_millis(value)
    }

    fn stamp(size: u64) -> Stamp {
        Stamp { size, modified: None }
    }

    /// Runs the machine over `times` with a file whose size is told by `size`; returns when it
    /// got ready, at which size, and whether it was the last try.
    fn run(
        settler: &mut Settler,
        times: std::ops::Range<u64>,
        size: impl Fn(u64) -> Option<u64>,
    ) -> Option<(u64, u64, bool)> {
        for t in times {
            for due in settler.due(ms(t)) {
                match due {
                    Due::Look(path) => settler.looked(&path, size(t).map(stamp), ms(t)),
                    Due::Ready { stamp, last_try, .. } => return Some((t, stamp.size, last_try)),
                }
            }
        }
        None
    }

    #[test]
    fn a_closed_file_is_ready_after_the_grace() {
        let mut settler = Settler::default();
        settler.note(Path::new(PATH), Event::Writing, ms(0));
        settler.note(Path::new(PATH), Event::Completed, ms(500));
        let (t, size, last_try) = run(&mut settler, 0..5000, |_| Some(9)).unwrap();
        assert!((700..=710).contains(&t), "{t}");
        assert_eq!((size, last_try), (9, false));
        assert!(settler.is_empty());
    }

    #[test]
    fn writing_in_turns_holds_it_back() {
        let mut settler = Settler::default();
        let path = Path::new(PATH);
        for turn in 0..20 {
            settler.note(path, Event::Writing, ms(turn * 100));
            settler.note(path, Event::Completed, ms(turn * 100 + 50));
            assert_eq!(run(&mut settler, turn * 100 + 50..turn * 100 + 100, Some), None);
        }
        let (t, _, _) = run(&mut settler, 2000..9000, |_| Some(9)).unwrap();
        assert!((2150..=2160).contains(&t), "{t}");
    }

    #[test]
    fn a_growing_file_without_notifications_waits_until_it_stands_still() {
        let mut settler = Settler::default();
        settler.note(Path::new(PATH), Event::Found { stamp: stamp(0), age: Some(ms(100)) }, ms(0));
        // grows until 7 s, ready 2 s after the last look that saw a change
        let (t, size, _) = run(&mut settler, 0..60_000, |t| Some(t.min(7000))).unwrap();
        assert!((9000..=11_200).contains(&t), "{t}");
        assert_eq!(size, 7000);
    }

    #[test]
    fn a_writer_that_stalls_is_waited_for() {
        let mut settler = Settler::default();
        let path = Path::new(PATH);
        settler.note(path, Event::Writing, ms(0));
        assert_eq!(run(&mut settler, 0..20_000, |_| Some(5)), None);
        settler.note(path, Event::Writing, ms(20_000));
        settler.note(path, Event::Completed, ms(20_100));
        let (t, _, _) = run(&mut settler, 20_100..60_000, |_| Some(9)).unwrap();
        assert!((20_300..20_400).contains(&t), "{t}");
        // ... but not for ever: its last word may have been lost
        settler.note(path, Event::Writing, ms(60_000));
        let (t, _, last_try) = run(&mut settler, 60_000..120_000, |_| Some(9)).unwrap();
        assert!((90_000..93_000).contains(&t) && last_try, "{t}");
    }

    #[test]
    fn a_change_without_closings_settles_by_standing_still() {
        let mut settler = Settler::default();
        settler.note(Path::new(PATH), Event::Changed, ms(0));
        let (t, _, _) = run(&mut settler, 0..20_000, |_| Some(5)).unwrap();
        assert!((2000..2300).contains(&t), "{t}");
    }

    #[test]
    fn an_old_file_is_ready_at_once_and_for_the_last_time() {
        let mut settler = Settler::default();
        let age = Some(Duration::from_secs(3600));
        settler.note(Path::new(PATH), Event::Found { stamp: stamp(5), age }, ms(0));
        assert_eq!(run(&mut settler, 0..3, |_| Some(5)), Some((1, 5, true)));
    }

    #[test]
    fn a_clock_ahead_does_not_make_a_file_old() {
        let mut settler = Settler::default();
        settler.note(Path::new(PATH), Event::Found { stamp: stamp(5), age: None }, ms(0));
        let (t, _, last_try) = run(&mut settler, 0..60_000, |_| Some(5)).unwrap();
        assert!((2000..=2300).contains(&t), "{t}");
        assert!(!last_try);
    }

    #[test]
    fn what_does_not_decode_gets_patience_then_a_last_try() {
        let mut settler = Settler::default();
        let path = Path::new(PATH);
        settler.note(path, Event::Completed, ms(0));
        let (t, size, _) = run(&mut settler, 0..5000, |_| Some(5)).unwrap();
        settler.undecodable(path, stamp(size), ms(t));
        let (t, _, last_try) = run(&mut settler, t..90_000, |_| Some(5)).unwrap();
        assert!(last_try);
        assert!((30_000..36_000).contains(&t), "{t}");
    }

    #[test]
    fn what_did_not_decode_is_tried_again_once_it_grew() {
        let mut settler = Settler::default();
        let path = Path::new(PATH);
        settler.note(path, Event::Completed, ms(0));
        let (t, size, _) = run(&mut settler, 0..5000, |_| Some(5)).unwrap();
        settler.undecodable(path, stamp(size), ms(t));
        let (t, size, last_try) =
            run(&mut settler, t..90_000, |t| Some(if t < 4000 { 5 } else { 50 })).unwrap();
        assert_eq!((size, last_try), (50, false));
        assert!(t < 40_000, "{t}");
    }

    #[test]
    fn files_that_vanish_are_forgotten() {
        let mut settler = Settler::default();
        settler.note(Path::new(PATH), Event::Completed, ms(0));
        assert_eq!(run(&mut settler, 0..60_000, |_| None), None);
        assert!(settler.is_empty());
        // a folder that goes takes its files along, not its namesakes
        settler.note(Path::new("/scans/tal/1.png"), Event::Completed, ms(0));
        settler.note(Path::new("/scans/tal2/1.png"), Event::Completed, ms(0));
        settler.note(Path::new("/scans/tal"), Event::Gone, ms(1));
        assert_eq!(settler.paths().collect::<Vec<_>>(), [Path::new("/scans/tal2/1.png")]);
    }

    #[test]
    fn a_rescan_does_not_restart_the_clock_of_an_unchanged_file() {
        let mut settler = Settler::default();
        let path = Path::new(PATH);
        for t in 0..30u64 {
            settler.note(path, Event::Found { stamp: stamp(5), age: Some(ms(t * 100)) }, ms(t * 100));
            if let Some((t, _, _)) = run(&mut settler, t * 100..(t + 1) * 100, |_| Some(5)) {
                assert!((2000..2300).contains(&t), "{t}");
                return;
            }
        }
        panic!("never ready");
    }
}
