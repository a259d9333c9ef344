//! The `fenwatch` binary: parses the command line and leaves the rest to [`fenwatch::cli`].

fn main() -> std::process::ExitCode {
    one_thread_a_recognizer();
    fenwatch::cli::main()
}

/// Tesseract's OpenMP starts a thread a processor for every recognizer, which on the small crops of captions costs more than it
/// gains and fights the other workers. OpenMP reads its limit when it is loaded, before `main`: so the program starts
/// itself once more, in the same process, with the limit in its environment. A limit that is there stays.
fn one_thread_a_recognizer() {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        const LIMIT: &str = "OMP_THREAD_LIMIT";
        if std::env::var_os(LIMIT).is_some() {
            return;
        }
        let mut args = std::env::args_os();
        let Ok(program) = std::env::current_exe() else { return };
        let mut again = std::process::Command::new(program);
        if let Some(name) = args.next() {
            again.arg0(name);
        }
        // returns only when it failed, and then all goes on as it is, only slower
        let _ = again.args(args).env(LIMIT, "1").exec();
    }
}
