//! The review page in a real Chromium, on a real daemon that has read real test pages.

mod browser;
mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use browser::{Browser, DOWN, ENTER, ESCAPE, RIGHT, SHIFT};
use common::Home;
use serde_json::Value;

/// A daemon with its review page on a free port.
struct Daemon {
    child: Child,
    address: String,
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Daemon {
    fn start(home: &Home, settings: &[(&str, &str)]) -> Daemon {
        let mut command = home.fenwatch(&["run"]);
        command.env("FENWATCH_REVIEW__ENABLED", "true").env("FENWATCH_REVIEW__ADDRESS", "127.0.0.1:0");
        for (name, value) in settings {
            command.env(name, value);
        }
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines.find_map(|line| {
            let line = line.ok()?;
            let (_, rest) = line.split_once("the review page is at ")?;
            Some(rest.trim_end_matches('/').to_owned())
        });
        std::thread::spawn(move || lines.for_each(drop));
        Daemon { child, address: address.expect("the daemon says where its page is") }
    }
}

fn lay(home: &Home, book: &str, pages: &[&str]) {
    let folder = home.scans().join(book);
    fs::create_dir_all(&folder).unwrap();
    for page in pages {
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages").join(page), folder.join(page))
            .unwrap();
    }
}

/// The windows that the page is made for.
const WINDOWS: [(&str, u32, u32); 4] =
    [("1920", 1920, 1080), ("tablet", 820, 1180), ("tablet-wide", 1180, 820), ("1280", 1280, 800)];

/// Nothing is cut off at the right in any window; pictures of each, light and dark, where they are wanted.
fn gallery(browser: &Browser, name: &str) {
    for (window, width, height) in WINDOWS {
        browser.size(width, height);
        browser.wait("document.documentElement.scrollWidth <= innerWidth && [...document.querySelectorAll('.frame, .acts, .filters')].every((e) => e.getBoundingClientRect().right <= innerWidth)");
        for dark in [true, false] {
            browser.dark(dark);
            browser.picture(&format!("{name}-{window}{}", if dark { "-dark" } else { "" }));
        }
    }
}

/// The diagram shown, as the daemon has it.
fn shown(browser: &Browser) -> Value {
    browser.eval("fetch('/api/diagrams/' + location.pathname.split('/')[2]).then((answer) => answer.json())")
}

fn state_of(browser: &Browser, id: i64) -> String {
    let row = browser.eval(&format!("fetch('/api/diagrams/{id}').then((answer) => answer.json())"));
    row["diagram"]["state"].as_str().unwrap().to_owned()
}

fn id_of(browser: &Browser) -> i64 {
    let path = browser.eval("location.pathname");
    path.as_str().unwrap().trim_start_matches("/d/").parse().unwrap()
}

/// Waits until another diagram than `id` is shown, whole.
fn wait_for_next(browser: &Browser, id: i64) -> i64 {
    browser
        .wait(&format!("location.pathname.startsWith('/d/') && location.pathname !== '/d/{id}' && {READY}"));
    id_of(browser)
}

/// The view shows the diagram of its address.
const READY: &str = "document.querySelector('.place a[href^=\"/p/\"]') && document.querySelectorAll('cg-board piece').length > 0 && !document.querySelector('[aria-busy], [data-fresh]')";

const FIELD_FEN: &str = "document.querySelector('#field-fen').value";

#[test]
fn a_reviewer_works_through_a_book() {
    let Some(browser) = Browser::start() else { return };
    let home = Home::new();
    lay(&home, "Test book", &["0000_clean_grid2x3.png", "0001_gray_stack.jpg", "0015_clean_negative.png"]);
    let daemon = Daemon::start(&home, &[]);
    browser.open(&daemon.address);
    // live while the daemon reads
    browser.wait(
        "document.querySelectorAll('.row-link.diagram').length >= 6 && document.querySelector('.trouble')",
    );
    browser.wait("document.querySelector('.live.on')");
    gallery(&browser, "queue");

    // keyboard only from here on: start, approve with one key, the next one comes
    browser.keys(&[ENTER]);
    browser.wait(&format!("location.pathname.startsWith('/d/') && {READY}"));
    let first = id_of(&browser);
    gallery(&browser, "diagram");
    browser.keys(&[ENTER]);
    let second = wait_for_next(&browser, first);
    assert_eq!(state_of(&browser, first), "approved");

    // correct: a queen to the square of the cursor, Black to move; saved with one key
    let before = shown(&browser);
    browser.keys(&["m", RIGHT, DOWN, "Q"]);
    browser.wait(&format!("{FIELD_FEN}.includes('Q') && {FIELD_FEN}.includes(' b ')"));
    browser.wait("document.querySelector('.acts .primary').innerText.includes('Save')");
    let wanted = browser.eval(FIELD_FEN);
    browser.keys(&[ENTER]);
    // a queen too many may be impossible: then the flags are named and acknowledged
    browser.wait(&format!("document.querySelector('dialog[open]') || location.pathname !== '/d/{second}'"));
    if browser.eval("Boolean(document.querySelector('dialog[open]'))") == true {
        browser.type_text("a test");
        browser.keys(&[ENTER]);
    }
    let third = wait_for_next(&browser, second);
    let corrected = browser.eval(&format!("fetch('/api/diagrams/{second}').then((answer) => answer.json())"));
    assert_eq!(corrected["diagram"]["state"], "corrected");
    assert_eq!(corrected["facts"]["fen"], wanted);
    assert_eq!(corrected["facts"]["sources"]["side_to_move"], "human");

    // reject
    browser.keys(&["x"]);
    let fourth = wait_for_next(&browser, third);
    assert_eq!(state_of(&browser, third), "rejected");

    // undo to any depth: an edit here, then the rejection, the correction, the approval
    let untouched = browser.eval(FIELD_FEN);
    browser.keys(&["t", "c", "z", "z"]);
    browser.wait(&format!("{FIELD_FEN} === {untouched}"));
    browser.keys(&["z"]);
    browser.wait(&format!("location.pathname === '/d/{third}' && {READY}"));
    assert_eq!(state_of(&browser, third), "needs_review");
    browser.keys(&["z"]);
    browser.wait(&format!("location.pathname === '/d/{second}' && {READY}"));
    browser.wait(&format!("{FIELD_FEN} === {}", before["facts"]["fen"]));
    browser.keys(&["z"]);
    browser.wait(&format!("location.pathname === '/d/{first}' && {READY}"));
    assert_eq!(state_of(&browser, first), "needs_review");
    // and forward again
    browser.chord(SHIFT, "Z");
    browser.wait(&format!(
        "fetch('/api/diagrams/{first}').then((a) => a.json()).then((d) => d.diagram.state === 'approved')"
    ));

    // a decision and the next diagram: 300 in ten minutes leave two seconds for each, all of them for the person
    let times = browser.eval("performance.getEntriesByName('fenwatch.next').map((entry) => entry.duration)");
    eprintln!("milliseconds from a decision to the next diagram: {times}");
    assert!(times.as_array().unwrap().iter().all(|ms| ms.as_f64().unwrap() < 2000.0), "{times}");

    // two tabs on one diagram: the later one is refused and shown both
    let (tab, address) = (browser.tab(), format!("{}/d/{fourth}", daemon.address));
    browser.open(&address);
    browser.wait(READY);
    let other = browser.new_tab();
    browser.switch_to(&other);
    browser.open(&address);
    browser.wait(READY);
    // an edit in this tab, so that it does not simply follow the other
    browser.keys(&["i", "7", "7", ESCAPE]);
    browser.wait("document.querySelector('figcaption .edited')");
    browser.switch_to(&tab);
    browser.keys(&["x"]);
    browser.wait(&format!(
        "fetch('/api/diagrams/{fourth}').then((a) => a.json()).then((d) => d.diagram.state === 'rejected')"
    ));
    browser.switch_to(&other);
    browser.keys(&[ENTER]);
    browser.wait("document.querySelectorAll('dialog.conflict .still').length === 2");
    browser.picture("conflict");
    assert_eq!(state_of(&browser, fourth), "rejected");
    browser.click("dialog.conflict button.warn");
    browser.wait(&format!("fetch('/api/diagrams/{fourth}').then((a) => a.json()).then((d) => d.facts.number.endsWith('77') && d.diagram.state === 'corrected')"));

    // the overlay of keys, and back to the list
    browser.open(&address);
    browser.wait(READY);
    browser.keys(&["?"]);
    browser.wait("document.querySelectorAll('dialog[open] kbd').length > 30");
    browser.keys(&[ESCAPE]);
    browser.wait("!document.querySelector('dialog[open]')");
    browser.keys(&[ESCAPE]);
    browser.wait("location.pathname === '/' && document.querySelector('.row-link')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The first board of a test page, as it was made.
fn label_of(labels: &Value, page: &str) -> Value {
    let pages = labels["pages"].as_array().unwrap();
    pages.iter().find(|one| one["file"] == page).unwrap()["diagrams"][0].clone()
}

#[test]
fn a_missed_board_is_drawn_and_read() {
    let Some(browser) = Browser::start() else { return };
    let home = Home::new();
    let page = "0001_gray_stack.jpg";
    lay(&home, "Blind", &[page]);
    // no board is good enough for this daemon: all are missed
    let daemon = Daemon::start(&home, &[("FENWATCH_READING__FIND__LEAST_SCORE", "2.0")]);
    browser.open(&daemon.address);
    browser.wait("document.querySelector('.trouble [data-key^=p]')");
    browser.click(".trouble [data-key^=p]");
    browser.wait("location.pathname.startsWith('/p/') && document.querySelector('.sheet img').complete && document.querySelector('.outlines')");
    let labels: Value = serde_json::from_str(
        &fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages/labels.json")).unwrap(),
    )
    .unwrap();
    let board = label_of(&labels, page);
    browser.keys(&["d"]);
    browser.wait("document.querySelector('.page-desk.drawing')");
    let frame = browser.eval("(() => { const b = document.querySelector('.outlines').getBoundingClientRect(); const v = document.querySelector('.outlines').viewBox.baseVal; return [b.left, b.top, b.width / v.width, b.height / v.height]; })()");
    let number = |index: usize| frame[index].as_f64().unwrap();
    for corner in board["corners"].as_array().unwrap() {
        let (x, y) = (corner[0].as_f64().unwrap(), corner[1].as_f64().unwrap());
        browser.click_at(number(0) + x * number(2), number(1) + y * number(3));
    }
    browser.wait("document.querySelectorAll('.handle').length === 4");
    browser.picture("draw");
    browser.keys(&[ENTER]);
    browser.wait(&format!("location.pathname.startsWith('/d/') && {READY}"));
    let read = shown(&browser);
    let placement = read["facts"]["fen"].as_str().unwrap().split(' ').next().unwrap().to_owned();
    assert_eq!(Value::from(placement), board["placement"]);
    // it is one like the others: approved with one key
    browser.keys(&[ENTER]);
    browser.wait("document.querySelector('dialog[open]') && document.querySelector('.toast')");
    assert_eq!(shown(&browser)["diagram"]["state"], "approved");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// How well the 64 squares of the scan, as the view lays it, agree with the picture of the squares: the correlation of their mean grays.
const AGREEMENT: &str = "(async () => {
  const load = async (src) => { const image = new Image(); image.src = src; await image.decode(); return image; };
  const pixels = (image) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return (x, y) => data[4 * (Math.min(canvas.height - 1, Math.max(0, Math.floor(y))) * canvas.width + Math.min(canvas.width - 1, Math.max(0, Math.floor(x))))];
  };
  const laid = document.querySelector('.scan .straight');
  const side = parseFloat(getComputedStyle(document.querySelector('.diagram-view')).getPropertyValue('--s'));
  const back = new DOMMatrix(laid.style.transform).inverse();
  const [scan, squares] = [await load(laid.src), await load(laid.src.replace('/board', '/squares'))];
  if (parseFloat(laid.style.width) !== scan.naturalWidth || parseFloat(laid.style.height) !== scan.naturalHeight) return -1;
  const [inScan, inSquares] = [pixels(scan), pixels(squares)];
  const [a, b] = [[], []];
  for (let square = 0; square < 64; square++) {
    let [one, other] = [0, 0];
    for (let i = 0; i < 64; i++) {
      const [u, v] = [(square % 8) + 0.2 + 0.6 * (i % 8) / 7, Math.floor(square / 8) + 0.2 + 0.6 * Math.floor(i / 8) / 7];
      const p = back.transformPoint(new DOMPoint((u + 0.5) * side, (v + 0.5) * side));
      one += inScan(p.x / p.w, p.y / p.w);
      other += inSquares(u / 8 * squares.naturalWidth, v / 8 * squares.naturalHeight);
    }
    a.push(one);
    b.push(other);
  }
  const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
  const [ma, mb] = [mean(a), mean(b)];
  const product = (p, mp, q, mq) => p.reduce((sum, x, i) => sum + (x - mp) * (q[i] - mq), 0);
  return product(a, ma, b, mb) / Math.sqrt(product(a, ma, a, ma) * product(b, mb, b, mb));
})()";

#[test]
fn a_turned_page_is_shown_upright() {
    let Some(browser) = Browser::start() else { return };
    let home = Home::new();
    lay(&home, "Turned", &["0012_turned_grid2x2.jpg"]);
    let daemon = Daemon::start(&home, &[]);
    browser.open(&daemon.address);
    browser.wait("document.querySelectorAll('.row-link.diagram').length >= 1");
    browser.click(".row-link.diagram");
    browser.wait(READY);
    let first = shown(&browser);
    let corners = &first["reading"]["corners"];
    // along the top of the board: down or up the page
    assert!(
        (corners[1][0].as_f64().unwrap() - corners[0][0].as_f64().unwrap()).abs() < 20.0,
        "the page is turned: {corners}"
    );
    browser.picture("turned");
    let agreement = browser.eval(AGREEMENT);
    assert!(agreement.as_f64().unwrap() > 0.97, "{agreement}");

    // a board that a person drew there, by the corners of one that was found: with the page's own order of corners
    let id = first["diagram"]["id"].as_i64().unwrap();
    let redrawn = browser.eval(&format!(
        "fetch('/api/diagrams/{id}').then((a) => a.json()).then((d) => fetch('/api/diagrams/{id}/corners', {{ method: 'POST',
         headers: {{ 'content-type': 'application/json', 'x-fenwatch': '1' }}, body: JSON.stringify({{ version: d.diagram.version, corners: [...d.reading.corners.slice(1), d.reading.corners[0]] }}) }}))
         .then((answer) => answer.json())"
    ));
    assert_eq!(redrawn["facts"]["fen"], first["facts"]["fen"], "{redrawn}");
    browser.open(&format!("{}/d/{id}", daemon.address));
    browser.wait(READY);
    let agreement = browser.eval(AGREEMENT);
    assert!(agreement.as_f64().unwrap() > 0.97, "{agreement}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
