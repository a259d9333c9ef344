//! The `fenwatch` binary: parses the command line and leaves the rest to [`fenwatch::cli`].

fn main() -> std::process::ExitCode {
    fenwatch::cli::main()
}
