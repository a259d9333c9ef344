//! `fenwatch doctor`: what is installed, what works, what is missing, and the command that mends it.

mod folders;
mod reading;
mod state;

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::Outcome;
use crate::config::Settings;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print one JSON object a check
    #[arg(long)]
    json: bool,
    /// Check the whole database for contradictions too (reads all of it)
    #[arg(long)]
    deep: bool,
}

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Ok,
    /// Works, with a limit that a person should know.
    Note,
    /// Something that is needed is missing or broken.
    Missing,
}

/// One line of the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Check {
    what: String,
    verdict: Verdict,
    found: String,
    /// The command or the deed that mends it.
    mend: Option<String>,
}

impl Check {
    fn ok(what: &str, found: impl Into<String>) -> Check {
        Check { what: what.to_owned(), verdict: Verdict::Ok, found: found.into(), mend: None }
    }

    fn note(what: &str, found: impl Into<String>, mend: impl Into<String>) -> Check {
        Check { what: what.to_owned(), verdict: Verdict::Note, found: found.into(), mend: Some(mend.into()) }
    }

    fn missing(what: &str, found: impl Into<String>, mend: impl Into<String>) -> Check {
        Check {
            what: what.to_owned(),
            verdict: Verdict::Missing,
            found: found.into(),
            mend: Some(mend.into()),
        }
    }
}

pub fn run(args: Args, config: Option<&Path>) -> anyhow::Result<Outcome> {
    let (settings, first) = match Settings::load(config) {
        Ok(settings) => {
            let file = config.or(Some(Path::new(crate::config::DEFAULT_FILE)).filter(|path| path.exists()));
            let found = file.map_or("no file, all defaults".to_owned(), |path| path.display().to_string());
            (settings, Check::ok("settings", found))
        }
        Err(error) => {
            let check =
                Check::missing("settings", error.to_string(), "correct it; the defaults are checked below");
            (Settings::default(), check)
        }
    };
    let mut checks = vec![first];
    checks.extend(reading::checks(&settings.reading));
    checks.extend(state::checks(&settings, args.deep));
    checks.extend(folders::checks(&settings));

    let mut out = io::stdout().lock();
    for check in &checks {
        let written = if args.json {
            writeln!(out, "{}", serde_json::to_string(check)?)
        } else {
            out.write_all(for_people(check).as_bytes())
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            other => other?,
        }
    }
    let missing = checks.iter().any(|check| check.verdict == Verdict::Missing);
    Ok(if missing { Outcome::SomeFailed } else { Outcome::Done })
}

fn for_people(check: &Check) -> String {
    let mark = match check.verdict {
        Verdict::Ok => "ok     ",
        Verdict::Note => "note   ",
        Verdict::Missing => "MISSING",
    };
    let mut text = format!("{mark}  {}: {}\n", check.what, check.found);
    if let Some(mend) = &check.mend {
        text += &format!("         -> {mend}\n");
    }
    text
}
