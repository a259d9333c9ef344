//! A kill at any moment loses nothing and doubles nothing.

#![cfg(unix)]

mod common;

use std::collections::BTreeSet;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use common::{Dice, Home, text};

/// Pages of the ignored test, as many as a book has.
const BOOK: u64 = 300;

fn lay_pages(home: &Home, count: u64) {
    for number in 0..count {
        home.page(&format!("tal/{number}.png"), (number % 4) as u32, number + 1);
    }
}

/// Path, ordinal and position of every diagram.
fn diagrams(home: &Home) -> Vec<(String, u64, String)> {
    home.json(&["queue", "list", "--json"])
        .iter()
        .map(|row| {
            let of = |key: &str| row[key].as_str().unwrap().to_owned();
            (of("path"), row["ordinal"].as_u64().unwrap(), of("fen"))
        })
        .collect()
}

fn start(command: &mut Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Kills `run --once` ten times at random moments, lets it finish, and compares with a run that was left alone.
fn kill_ten_times(pages: u64) {
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    println!("seed {seed}");
    let mut dice = Dice(seed);
    let alone = Home::new();
    lay_pages(&alone, pages);
    let began = std::time::Instant::now();
    let output = alone.run(&["run", "--once"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let whole = began.elapsed().as_millis() as u64;
    let wanted = diagrams(&alone);
    assert!(!wanted.is_empty(), "the test's boards are not found: it proves nothing");

    let killed = Home::new();
    lay_pages(&killed, pages);
    for kill in 1..=10 {
        let mut command = killed.fenwatch(&["run", "--once"]);
        // ten kills of two workers may hit a page at the end of the queue more than thrice
        let mut child = start(command.env("FENWATCH_WORKERS__MAX_ATTEMPTS", "100"));
        std::thread::sleep(Duration::from_millis(dice.roll(whole / 5 + 200)));
        let ended = child.try_wait().unwrap();
        // SIGKILL
        child.kill().unwrap();
        child.wait().unwrap();
        println!("kill {kill}: {}", if ended.is_some() { "too late" } else { "hit" });
    }
    let mut last = killed.fenwatch(&["run", "--once"]);
    let output = last.env("FENWATCH_WORKERS__MAX_ATTEMPTS", "100").output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));

    let rows = killed.json(&["queue", "list", "--pages", "--json"]);
    let paths: BTreeSet<&str> = rows.iter().map(|row| row["path"].as_str().unwrap()).collect();
    assert_eq!((rows.len() as u64, paths.len() as u64), (pages, pages), "pages were lost or doubled");
    for row in &rows {
        assert_eq!((row["state"].as_str(), row["times_read"].as_u64()), (Some("read"), Some(1)), "{row}");
    }
    assert_eq!(diagrams(&killed), wanted, "diagrams were lost, doubled or changed");
    let doctor = text(&killed.run(&["doctor", "--deep"]).stdout);
    assert!(doctor.contains("no contradictions"), "{doctor}");
}

#[test]
fn ten_kills_lose_and_double_nothing() {
    kill_ten_times(24);
}

#[test]
#[ignore = "takes minutes; run with --release -- --ignored"]
fn ten_kills_of_a_whole_book() {
    kill_ten_times(BOOK);
}

#[test]
fn a_signal_ends_the_daemon_in_order() {
    let home = Home::new();
    home.page("tal/1.png", 1, 1);
    let mut child = start(&mut home.fenwatch(&["run"]));
    let end = std::time::Instant::now() + Duration::from_secs(60);
    let read = || {
        let output = home.run(&["queue", "list", "--pages", "--state", "read", "--json"]);
        output.status.success() && !output.stdout.is_empty()
    };
    while !read() {
        assert!(std::time::Instant::now() < end, "the page was never read");
        std::thread::sleep(Duration::from_millis(100));
    }
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
