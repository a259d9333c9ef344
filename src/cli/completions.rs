//! `fenwatch completions`.

use super::Outcome;

#[derive(Debug, clap::Args)]
pub struct Args {}

pub fn run(_args: Args) -> anyhow::Result<Outcome> {
    anyhow::bail!("not there yet")
}
