//! `fenwatch doctor`.

use std::path::Path;

use super::Outcome;

#[derive(Debug, clap::Args)]
pub struct Args {}

pub fn run(_args: Args, _config: Option<&Path>) -> anyhow::Result<Outcome> {
    anyhow::bail!("not there yet")
}
