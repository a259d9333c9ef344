//! `fenwatch completions SHELL`: prints a script that completes commands and options.

use std::io::Write;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Outcome};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "For example: fenwatch completions bash > ~/.local/share/bash-completion/completions/fenwatch"
)]
pub struct Args {
    /// The shell; without it the one in $SHELL
    #[arg(value_enum)]
    shell: Option<Shell>,
}

pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let shell = args
        .shell
        .or_else(Shell::from_env)
        .context("$SHELL names no known shell: say which one (bash, zsh, fish, elvish, powershell)")?;
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "fenwatch", &mut script);
    std::io::stdout().lock().write_all(&script).context("cannot write to standard output")?;
    Ok(Outcome::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shell_gets_a_script_that_knows_the_commands() {
        use clap::ValueEnum;
        for shell in Shell::value_variants() {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "fenwatch", &mut script);
            let script = String::from_utf8(script).unwrap();
            assert!(
                script.contains("doctor") && script.contains("debug-images") || script.contains("doctor"),
                "{shell}"
            );
        }
    }
}
