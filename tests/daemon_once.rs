//! The whole program on a folder of scans: `run --once`, then the commands that look at the queue.

mod common;

use common::{Home, text};
use std::fs;

#[test]
fn dropped_scans_are_read_listed_and_decided() {
    let home = Home::new();
    home.page("tal/1.png", 2, 1);
    home.page("tal/2.png", 0, 2);
    home.page("euwe/1.png", 1, 3);
    let output = home.run(&["run", "--once"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let log = text(&output.stderr);
    assert!(log.contains("tal/1.png, page 1: 2 diagrams"), "{log}");
    // a line a page and not a word of progress bars, for stderr is no terminal
    assert_eq!(log.matches(", page 1: ").count(), 3, "{log}");
    assert!(!log.contains('\u{1b}'), "{log}");

    let pages = home.json(&["queue", "list", "--pages", "--json"]);
    let states: Vec<(&str, &str, u64)> = pages
        .iter()
        .map(|page| {
            let of = |key: &str| page[key].as_str().unwrap();
            (of("path"), of("state"), page["diagrams"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(states, [("euwe/1.png", "read", 1), ("tal/1.png", "read", 2), ("tal/2.png", "read", 0)]);

    let diagrams = home.json(&["queue", "list", "--json", "--book", "tal"]);
    assert_eq!(diagrams.len(), 2);
    let id = diagrams[0]["id"].to_string();
    // triangles are no men: something must be in doubt, and nothing may be silent
    let shown = home.json(&["queue", "show", "--json", &id]);
    assert_eq!(shown[0]["reading"]["squares"].as_array().unwrap().len(), 64);
    let words = text(&home.run(&["queue", "show", &id]).stdout);
    assert!(
        words.contains("+------------------------+") && words.contains("side to move: assumed"),
        "{words}"
    );

    let fen = "4k3/8/8/8/8/8/8/4K2R";
    let corrected = home
        .run(&["queue", "correct", &id, "--fen", fen, "--side", "black", "--number", "45", "--who", "ada"]);
    assert!(corrected.status.success(), "{}", text(&corrected.stderr));
    let corrected = &home.json(&["queue", "list", "--json", "--state", "corrected"])[0];
    assert_eq!(corrected["fen"], format!("{fen} b - - 0 1"));
    assert_eq!((corrected["number"].as_str(), corrected["decided_by"].as_str()), (Some("45"), Some("ada")));
    assert_eq!(corrected["sources"]["side_to_move"], "human");

    let impossible = home.run(&["queue", "correct", &id, "--fen", "8/8/8/8/8/8/8/4K2R"]);
    assert_eq!(impossible.status.code(), Some(1));
    assert!(text(&impossible.stderr).contains("--acknowledge missing_king"), "{}", text(&impossible.stderr));
    let accepted = ["queue", "correct", &id, "--fen", "8/8/8/8/8/8/8/4K2R", "--acknowledge", "missing_king"];
    assert!(home.run(&accepted).status.success());
    assert!(home.run(&["queue", "undo", &id]).status.success());
    let other = diagrams[1]["id"].to_string();
    assert!(home.run(&["queue", "reject", &other, "--reason", "an ornament"]).status.success());
    let none = home.run(&["queue", "reject", "4711"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(text(&none.stderr).contains("there is no diagram 4711"), "{}", text(&none.stderr));

    // reading again changes no decision
    assert!(home.run(&["queue", "retry", "--book", "tal", "--reread"]).status.success());
    assert!(home.run(&["run", "--once"]).status.success());
    let rejected = home.json(&["queue", "list", "--json", "--state", "rejected"]);
    assert_eq!(rejected[0]["reason"], "an ornament");
    assert_eq!(
        home.json(&["queue", "list", "--json", "--state", "corrected"])[0]["fen"],
        format!("{fen} b - - 0 1")
    );
}

#[test]
fn what_cannot_be_read_makes_exit_code_one() {
    let home = Home::new();
    home.page("tal/1.png", 1, 1);
    let bytes = fs::read(home.scans().join("tal/1.png")).unwrap();
    fs::write(home.scans().join("tal/2.png"), &bytes[..bytes.len() / 2]).unwrap();
    fs::write(home.scans().join("tal/3.pdf"), "<html>not found</html>").unwrap();
    fs::write(home.scans().join("tal/notes.txt"), "dear reader").unwrap();
    let output = home.run(&["run", "--once"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let failed = home.json(&["queue", "list", "--pages", "--state", "failed", "--json"]);
    let reasons: Vec<(&str, &str)> = failed
        .iter()
        .map(|page| (page["path"].as_str().unwrap(), page["failure"].as_str().unwrap()))
        .collect();
    assert!(reasons.iter().any(|(path, why)| *path == "tal/3.pdf" && why.contains("HTML")), "{reasons:?}");
    let read = home.json(&["queue", "list", "--pages", "--state", "read", "--json"]);
    // half a picture is either a failure or a page that says it is damaged, and never just a page
    let half = read.iter().find(|page| page["path"] == "tal/2.png");
    let told = match half {
        None => reasons.iter().any(|(path, _)| *path == "tal/2.png"),
        Some(page) => page["flags"].to_string().contains("damaged_page"),
    };
    assert!(told, "{reasons:?} {read:?}");
    // what failed before is not tried again by itself, and is no new failure
    assert!(home.run(&["run", "--once"]).status.success());
    assert!(home.run(&["queue", "retry", "--all"]).status.success());
}

#[test]
fn usage_errors_and_bad_settings() {
    let home = Home::new();
    assert_eq!(home.run(&["run", "--twice"]).status.code(), Some(2));
    assert_eq!(home.run(&["queue", "approve"]).status.code(), Some(2));
    let unknown = home.run(&["queue", "list", "--flag", "side_asumed"]);
    assert_eq!(unknown.status.code(), Some(2), "{}", text(&unknown.stderr));
    let early = home.run(&["queue", "list"]);
    assert_eq!(early.status.code(), Some(1));
    assert!(text(&early.stderr).contains("nothing has been read yet"), "{}", text(&early.stderr));

    fs::create_dir(home.path().join("config")).unwrap();
    fs::write(home.path().join("config/fenwatch.toml"), "[watch]\nsetle_seconds = 1\n").unwrap();
    let misspelt = home.run(&["run", "--once"]);
    assert_eq!(misspelt.status.code(), Some(2), "{}", text(&misspelt.stderr));
    assert!(
        text(&misspelt.stderr).contains("did you mean `watch.settle_seconds`"),
        "{}",
        text(&misspelt.stderr)
    );
    fs::remove_file(home.path().join("config/fenwatch.toml")).unwrap();
    let mut inside = home.fenwatch(&["run", "--once"]);
    let inside = inside.env("FENWATCH_STATE__FOLDER", "scans/var").output().unwrap();
    assert_eq!(inside.status.code(), Some(2), "{}", text(&inside.stderr));
    assert!(text(&inside.stderr).contains("lies inside the watched folder"), "{}", text(&inside.stderr));
    assert!(!home.path().join("scans/var").exists());
}

#[test]
fn doctor_and_completions_answer() {
    let home = Home::new();
    let output = home.run(&["doctor", "--json"]);
    let checks: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let missing = checks.iter().any(|check| check["verdict"] == "missing");
    assert_eq!(output.status.code(), Some(i32::from(missing)), "{checks:?}");
    for what in
        ["settings", "ONNX Runtime and net", "state folder", "disk space", "database", "watched folder"]
    {
        assert!(checks.iter().any(|check| check["what"] == what), "{what}: {checks:?}");
    }
    for check in &checks {
        assert!(check["verdict"] == "ok" || check["mend"].is_string(), "{check}");
    }
    let bash = home.run(&["completions", "bash"]);
    assert!(
        bash.status.success() && text(&bash.stdout).contains("complete -F _fenwatch"),
        "{}",
        text(&bash.stdout)
    );
}
