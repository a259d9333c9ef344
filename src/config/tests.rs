use super::layer::leaves;
use super::*;
use crate::intake::WatchMode;
use std::path::PathBuf;

const SHIPPED: &str = include_str!("../../config/fenwatch.toml");

fn of_file(text: &str) -> Result<Settings, ConfigError> {
    Settings::compose(Some(("test.toml".into(), text.into())), Vec::new())
}

fn of_variables(variables: &[(&str, &str)]) -> Result<Settings, ConfigError> {
    let variables = variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    Settings::compose(None, variables)
}

fn message(result: Result<Settings, ConfigError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn the_shipped_file_says_all_defaults() {
    assert_eq!(of_file(SHIPPED).unwrap(), Settings::default());
    let shipped = super::layer::Layer::of_toml("test".into(), SHIPPED).unwrap();
    let mut shown = leaves(&shipped.dict);
    // TOML has no word for "none": such settings stand commented out in their section
    let mut section = "";
    for line in SHIPPED.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name;
        }
        if let Some((key, _)) = line.strip_prefix("# ").and_then(|line| line.split_once(" = "))
            && key.bytes().all(|c| c.is_ascii_lowercase() || c == b'_')
        {
            shown.push(format!("{section}.{key}"));
        }
    }
    // numbers of single stages, for experiments: explained where they are defined
    let inner = |key: &String| key.starts_with("reading.find.") || key.starts_with("reading.caption.");
    let mut known = leaves(&Settings::known());
    known.retain(|key| !inner(key));
    shown.sort();
    known.sort();
    assert_eq!(shown, known, "config/fenwatch.toml must show every setting");
}

#[test]
fn the_shipped_file_explains_each_setting() {
    let mut explained = false;
    for line in SHIPPED.lines() {
        let line = line.trim();
        if line.starts_with('#') {
            explained = true;
        } else if line.contains(" = ") && !line.starts_with('"') {
            assert!(explained, "no comment above `{line}`");
            explained = false;
        }
    }
}

#[test]
fn later_sources_win() {
    let file = "[watch]\nfolders = [\"a\", \"b\"]\nsettle_seconds = 3\n[review]\naddress = \"127.0.0.1:1\"";
    let variables = vec![
        ("FENWATCH_WATCH__SETTLE_SECONDS".to_owned(), "4.5".to_owned()),
        ("FENWATCH_WATCH__MODE".to_owned(), "poll".to_owned()),
        ("FENWATCH_LOG".to_owned(), "debug".to_owned()),
        ("FENWATCHER_X".to_owned(), "1".to_owned()),
    ];
    let settings = Settings::compose(Some(("x.toml".into(), file.into())), variables).unwrap();
    assert_eq!(settings.watch.folders, [PathBuf::from("a"), PathBuf::from("b")]);
    assert_eq!(settings.watch.settle_seconds, 4.5);
    assert_eq!(settings.watch.mode, WatchMode::Poll);
    assert_eq!(settings.review.address, "127.0.0.1:1".parse().unwrap());
    assert_eq!(settings.log.filter, "info");
}

#[test]
fn variables_hold_lists_single_values_and_texts_that_look_like_numbers() {
    let of = |value| of_variables(&[("FENWATCH_WATCH__FOLDERS", value)]).unwrap().watch.folders;
    assert_eq!(of("/scans"), [PathBuf::from("/scans")]);
    assert_eq!(of("[/a, \"/b, c\"]"), [PathBuf::from("/a"), PathBuf::from("/b, c")]);
    let settings = of_variables(&[("FENWATCH_STATE__FOLDER", "2024")]).unwrap();
    assert_eq!(settings.state.folder, PathBuf::from("2024"));
}

#[test]
fn unknown_keys_are_named_with_the_nearest() {
    assert_eq!(
        message(of_file("[watch]\nsetle_seconds = 2")),
        "test.toml: unknown setting `watch.setle_seconds`; did you mean `watch.settle_seconds`?"
    );
    assert_eq!(
        message(of_file("settle_seconds = 2")),
        "test.toml: unknown setting `settle_seconds`; did you mean `watch.settle_seconds`?"
    );
    assert_eq!(
        message(of_file("[wacth]\nmode = \"poll\"")),
        "test.toml: unknown setting `wacth`; did you mean `watch`?"
    );
    assert_eq!(
        message(of_variables(&[("FENWATCH_REVIEW_ADDRESS", "127.0.0.1:80")])),
        "environment variable FENWATCH_REVIEW_ADDRESS: unknown setting `review_address`; did you mean `review.address`?"
    );
    let text = message(of_file("[log]\ncolour = true"));
    assert_eq!(text, "test.toml: unknown setting `log.colour`; [log] has filter, format, target");
    assert!(message(of_file("xyz = 1")).contains("the sections are "));
}

#[test]
fn wrong_values_are_named() {
    let text = message(of_file("[watch]\nmode = \"sometimes\""));
    assert!(text.starts_with("test.toml: setting `watch.mode`: "), "{text}");
    assert!(text.contains("sometimes") && text.contains("poll"), "{text}");
    let text = message(of_variables(&[("FENWATCH_WATCH__POLL_SECONDS", "often")]));
    assert!(
        text.starts_with("environment variable FENWATCH_WATCH__POLL_SECONDS: setting `watch.poll_seconds`"),
        "{text}"
    );
    let text = message(of_file("[watch\nmode = 1"));
    assert!(text.starts_with("test.toml: ") && text.contains("line 1"), "{text}");
    let text = message(of_file("watch = 1"));
    assert!(text.contains("`watch`"), "{text}");
}

#[test]
fn values_out_of_range_are_refused_with_the_range() {
    let probability = "above 0 and at most 1";
    let refused = [
        ("reading.squares.accept_threshold", "0", probability),
        ("reading.squares.accept_threshold", "-0.5", probability),
        ("reading.squares.accept_threshold", "1.01", probability),
        ("reading.squares.accept_threshold", "nan", probability),
        ("reading.squares.max_repair_odds", "0.9", "at least 1"),
        ("reading.squares.max_king_odds", "0", "at least 1"),
        ("reading.squares.material.queen", "0.5", "at least 1"),
        ("reading.squares.material.other", "-1", "at least 1"),
        ("reading.orientation.prior_white_bottom", "0", "above 0 and below 1"),
        ("reading.orientation.prior_white_bottom", "1", "above 0 and below 1"),
        ("reading.orientation.doubt", "0", probability),
        ("reading.find.size_step", "0", "at least 1.01 and at most 2"),
        ("reading.find.size_step", "1.0", "at least 1.01 and at most 2"),
        ("reading.find.smallest_square", "0", "at least 4"),
        ("reading.turn.boards", "0", "at least 1"),
        ("watch.settle_seconds", "-1", "at least 0"),
        ("watch.poll_seconds", "0", "above 0"),
        ("workers.max_attempts", "0", "at least 1"),
        ("workers.lease_seconds", "0", "at least 1 and at most 86400"),
        ("workers.threads", "1000", "at least 0 and at most 256"),
        ("pages.max_pixels", "0", "at least 1"),
        ("pages.max_side", "70000", "at least 1 and at most 65535"),
        ("watch.folders", "[]", "at least one folder"),
        ("watch.folders", "\"\"", "none may be empty"),
    ];
    for (key, value, range) in refused {
        let text = message(of_file(&format!("{key} = {value}")));
        assert!(text.starts_with(&format!("test.toml: setting `{key}`: ")), "{text}");
        assert!(text.contains(range), "{text}");
    }
    let text = message(of_variables(&[("FENWATCH_WORKERS__MAX_ATTEMPTS", "0")]));
    assert_eq!(
        text,
        "environment variable FENWATCH_WORKERS__MAX_ATTEMPTS: setting `workers.max_attempts`: 0 is out of range: it must be at least 1"
    );
    let taken = [
        ("reading.squares.accept_threshold", "1"),
        ("reading.squares.accept_threshold", "0.001"),
        ("reading.squares.max_repair_odds", "1"),
        ("watch.settle_seconds", "0"),
        ("workers.threads", "0"),
    ];
    for (key, value) in taken {
        of_file(&format!("{key} = {value}")).unwrap();
    }
}

#[test]
fn ranges_are_of_known_settings() {
    let known = leaves(&Settings::known());
    for (key, _) in super::ranges::RANGES {
        assert!(known.iter().any(|leaf| leaf == key), "{key}");
    }
}

#[test]
fn a_named_file_must_be_there() {
    let text = message(Settings::load(Some("no/such/file.toml".as_ref())));
    assert!(text.starts_with("cannot read the settings file no/such/file.toml"), "{text}");
}
