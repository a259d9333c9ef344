//! Checks that what is written never lies where it would be read.

use std::path::{Path, PathBuf};

use super::IntakeError;

/// Checks watched folders against each other and against the folders that are written to.
///
/// Links are followed as far as the folders exist. `outputs` are (words for it, its setting, folder).
pub fn check_layout(
    watched: &[PathBuf],
    outputs: &[(&'static str, &'static str, &Path)],
    done: Option<&Path>,
) -> Result<(), IntakeError> {
    if watched.is_empty() {
        return Err(IntakeError::NoFolder);
    }
    let real: Vec<PathBuf> = watched.iter().map(|folder| resolve(folder)).collect();
    for (i, a) in real.iter().enumerate() {
        for (j, b) in real.iter().enumerate() {
            if i < j && a.starts_with(b) || i != j && b.starts_with(a) && a != b {
                let (outer, inner) = if a.starts_with(b) { (j, i) } else { (i, j) };
                return Err(IntakeError::Nested {
                    outer: watched[outer].clone(),
                    inner: watched[inner].clone(),
                });
            }
        }
    }
    let done_output = done.map(|folder| ("done folder", "watch.done_folder", folder));
    for (what, setting, folder) in outputs.iter().copied().chain(done_output) {
        let inner = resolve(folder);
        if let Some(at) = real.iter().position(|root| inner.starts_with(root)) {
            return Err(IntakeError::OutputInside {
                what,
                setting,
                inner: folder.to_owned(),
                watched: watched[at].clone(),
            });
        }
    }
    if let Some(folder) = done {
        let outer = resolve(folder);
        if let Some(at) = real.iter().position(|root| root.starts_with(&outer)) {
            return Err(IntakeError::InsideDone { watched: watched[at].clone(), done: folder.to_owned() });
        }
    }
    Ok(())
}

/// The absolute path with links followed as far as it exists.
pub fn resolve(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for ancestor in absolute.ancestors() {
        if let Ok(real) = ancestor.canonicalize() {
            let rest = absolute.strip_prefix(ancestor).unwrap_or(Path::new(""));
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    absolute
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(watched: &[&str], state: &str, done: Option<&str>) -> Result<(), IntakeError> {
        let watched: Vec<PathBuf> = watched.iter().map(PathBuf::from).collect();
        let outputs = [("state folder", "state.folder", Path::new(state))];
        check_layout(&watched, &outputs, done.map(Path::new))
    }

    #[test]
    fn folders_beside_each_other_are_fine() {
        check(&["/nowhere/scans", "/nowhere/scans2"], "/nowhere/var", Some("/nowhere/done")).unwrap();
        // the watched folder may lie in the folder that holds the state
        check(&["/nowhere/fenwatch/scans"], "/nowhere/fenwatch", None).unwrap();
    }

    #[test]
    fn outputs_in_a_watched_folder_are_refused() {
        let error = check(&["/nowhere/scans"], "/nowhere/scans/var", None).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("state folder") && text.contains("`state.folder`"), "{text}");
        assert!(check(&["/nowhere/scans"], "/nowhere/scans", None).is_err());
        let error = check(&["/nowhere/scans"], "/nowhere/var", Some("/nowhere/scans/done")).unwrap_err();
        assert!(error.to_string().contains("`watch.done_folder`"));
        let error = check(&["/nowhere/scans"], "/nowhere/var", Some("/nowhere")).unwrap_err();
        assert!(matches!(error, IntakeError::InsideDone { .. }));
    }

    #[test]
    fn watched_folders_must_not_overlap() {
        for pair in
            [["/nowhere/a", "/nowhere/a/b"], ["/nowhere/a/b", "/nowhere/a"], ["/nowhere/a", "/nowhere/a"]]
        {
            let error = check(&pair, "/nowhere/var", None).unwrap_err();
            assert!(matches!(error, IntakeError::Nested { .. }), "{error}");
        }
        let error = check(&["/nowhere/a/b", "/nowhere/a"], "/nowhere/var", None).unwrap_err();
        let IntakeError::Nested { outer, inner } = error else { panic!("{error}") };
        assert_eq!((outer, inner), (PathBuf::from("/nowhere/a"), PathBuf::from("/nowhere/a/b")));
        assert!(matches!(check(&[], "/nowhere/var", None), Err(IntakeError::NoFolder)));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_into_the_watched_folder_is_seen_through() {
        let dir = tempfile::tempdir().unwrap();
        let scans = dir.path().join("scans");
        std::fs::create_dir(&scans).unwrap();
        std::os::unix::fs::symlink(&scans, dir.path().join("link")).unwrap();
        let state = dir.path().join("link/var/deep");
        let outputs = [("state folder", "state.folder", state.as_path())];
        assert!(check_layout(&[scans], &outputs, None).is_err());
    }
}
