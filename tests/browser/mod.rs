//! A Chromium that a test drives: the few commands of the WebDriver protocol (<https://www.w3.org/TR/webdriver2/>) that are needed, over a
//! plain socket.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long the page may take to show what a test waits for; far above what it needs, for machines under load.
const PATIENCE: Duration = Duration::from_secs(60);

pub const ENTER: &str = "\u{e007}";
pub const ESCAPE: &str = "\u{e00c}";
pub const RIGHT: &str = "\u{e014}";
pub const DOWN: &str = "\u{e015}";
pub const SHIFT: &str = "\u{e008}";

pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // ends the browser too
        let _ = self.try_send("DELETE", "", &json!({}));
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    names
        .iter()
        .find_map(|name| std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file()))
}

impl Browser {
    /// A headless Chromium with an empty profile, or `None` (said on standard error) where there is none.
    pub fn start() -> Option<Browser> {
        let found = (program(&["chromium", "chromium-browser", "google-chrome"]), program(&["chromedriver"]));
        let (Some(chromium), Some(driver)) = found else {
            eprintln!("SKIPPED: chromium and chromium-driver are not installed (`make setup` installs them)");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let mut driver = Command::new(driver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            line.split("started successfully on port ").nth(1)?.trim_end_matches('.').parse().ok()
        });
        std::thread::spawn(move || lines.for_each(drop));
        let mut browser = Browser { driver, port: port.unwrap(), session: String::new(), _profile: profile };
        let data = format!("--user-data-dir={}", browser._profile.path().display());
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--lang=en",
            "--window-size=1280,800",
            &data,
        ];
        let options = json!({"binary": chromium, "args": arguments});
        let wanted = json!({"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"}}}});
        let answer = browser.request("POST", "/session", &wanted).unwrap();
        browser.session = answer["sessionId"].as_str().unwrap().to_owned();
        Some(browser)
    }

    fn request(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(|e| e.to_string())?;
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            body.len()
        );
        stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(body.as_bytes()))
            .map_err(|e| e.to_string())?;
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).map_err(|e| e.to_string())?;
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().map_err(|_| line.clone())?;
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).map_err(|e| e.to_string())?;
        let answer: Value = serde_json::from_slice(&answer).map_err(|e| e.to_string())?;
        match answer["value"]["error"].as_str() {
            Some(error) => Err(format!("{error}: {}", answer["value"]["message"])),
            None => Ok(answer["value"].clone()),
        }
    }

    fn try_send(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        self.request(method, &format!("/session/{}{path}", self.session), body)
    }

    fn send(&self, method: &str, path: &str, body: Value) -> Value {
        self.try_send(method, path, &body).unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    pub fn open(&self, address: &str) {
        self.send("POST", "/url", json!({"url": address}));
    }

    /// The size of the page's own part of the window.
    pub fn size(&self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        let params = json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics});
        self.send("POST", "/goog/cdp/execute", params);
    }

    /// The value of a JavaScript expression (a promise is waited for).
    pub fn eval(&self, expression: &str) -> Value {
        self.send("POST", "/execute/sync", json!({"script": format!("return ({expression})"), "args": []}))
    }

    /// Waits until an expression (or what it promises) is true.
    pub fn wait(&self, expression: &str) {
        let start = Instant::now();
        loop {
            let found = self.send("POST", "/execute/sync", json!({"script": format!("try {{ return Promise.resolve({expression}).then(Boolean, () => false) }} catch {{ return false }}"), "args": []}));
            if found == json!(true) {
                return;
            }
            if start.elapsed() > PATIENCE {
                self.picture("failed");
                let console =
                    self.try_send("POST", "/se/log", &json!({"type": "browser"})).unwrap_or_default();
                panic!(
                    "waited in vain for {expression}\nat {}\n{}\n{console}",
                    self.eval("location.href"),
                    self.eval("document.body.innerText")
                );
            }
            sleep(Duration::from_millis(20));
        }
    }

    /// What the page complained of on its console since the last time.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.send("POST", "/se/log", json!({"type": "browser"}));
        let lines = log.as_array().cloned().unwrap_or_default();
        lines
            .iter()
            .filter(|line| line["level"] == "SEVERE")
            .map(|line| line["message"].as_str().unwrap_or_default().to_owned())
            // an expected refusal is told there too
            .filter(|message| !message.contains("status of 409") && !message.contains("status of 422"))
            .collect()
    }

    /// Presses and releases keys one after the other.
    pub fn keys(&self, keys: &[&str]) {
        let mut actions = Vec::new();
        for key in keys {
            actions.push(json!({"type": "keyDown", "value": key}));
            actions.push(json!({"type": "keyUp", "value": key}));
        }
        self.act(json!([{"type": "key", "id": "keys", "actions": actions}]));
    }

    /// A key while another one is held.
    pub fn chord(&self, held: &str, key: &str) {
        let actions = json!([
            {"type": "keyDown", "value": held}, {"type": "keyDown", "value": key},
            {"type": "keyUp", "value": key}, {"type": "keyUp", "value": held},
        ]);
        self.act(json!([{"type": "key", "id": "keys", "actions": actions}]));
    }

    pub fn type_text(&self, text: &str) {
        let letters: Vec<String> = text.chars().map(String::from).collect();
        self.keys(&letters.iter().map(String::as_str).collect::<Vec<_>>());
    }

    fn act(&self, actions: Value) {
        self.send("POST", "/actions", json!({"actions": actions}));
    }

    /// Clicks the middle of the first element that a selector finds.
    pub fn click(&self, selector: &str) {
        self.wait(&format!("document.querySelector({selector:?})"));
        let at = self.eval(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'nearest'}}); \
             const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; }})()"
        ));
        self.click_at(at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
    }

    /// Clicks a point of the window.
    pub fn click_at(&self, x: f64, y: f64) {
        self.drag(&[(x, y)]);
    }

    /// Presses at the first point, moves over the others, lets go at the last.
    pub fn drag(&self, points: &[(f64, f64)]) {
        let moves = |(x, y): &(f64, f64), ms: u32| json!({"type": "pointerMove", "duration": ms, "x": x.round(), "y": y.round()});
        let mut actions = vec![moves(&points[0], 0), json!({"type": "pointerDown", "button": 0})];
        actions.extend(points[1..].iter().map(|point| moves(point, 60)));
        actions.push(json!({"type": "pointerUp", "button": 0}));
        self.act(json!([{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}]));
    }

    pub fn tab(&self) -> String {
        self.send("GET", "/window", json!({})).as_str().unwrap().to_owned()
    }

    pub fn new_tab(&self) -> String {
        let tab = self.send("POST", "/window/new", json!({"type": "tab"}));
        tab["handle"].as_str().unwrap().to_owned()
    }

    pub fn switch_to(&self, tab: &str) {
        self.send("POST", "/window", json!({"handle": tab}));
    }

    pub fn dark(&self, on: bool) {
        let features = json!([{"name": "prefers-color-scheme", "value": if on { "dark" } else { "light" }}]);
        let params = json!({"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}});
        self.send("POST", "/goog/cdp/execute", params);
    }

    /// A picture of the window, when `FENWATCH_SCREENSHOTS` names a folder for them.
    pub fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("FENWATCH_SCREENSHOTS") else { return };
        let data = self.send("GET", "/screenshot", json!({}));
        let path = Path::new(&folder).join(format!("{name}.png"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(path, base64(data.as_str().unwrap())).unwrap();
    }
}

/// Decodes base 64.
fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut count) = (0u32, 0);
    for value in text.bytes().filter_map(|c| LETTERS.iter().position(|&letter| letter == c)) {
        bits = bits << 6 | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    out
}
