//! File systems that give no notifications of what other machines write.

use std::path::{Path, PathBuf};

/// File system types where changes made elsewhere are not announced.
const SILENT: &[&str] = &[
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "smb2",
    "9p",
    "virtiofs",
    "vboxsf",
    "vmhgfs",
    "prl_fs",
    "ceph",
    "afs",
    "glusterfs",
    "lustre",
    "gpfs",
    "beegfs",
    "orangefs",
    "ocfs2",
    "gfs2",
    "davfs",
    "drvfs",
    "ncpfs",
    "coda",
];

/// The type of the file system that holds `path`, from the text of `/proc/self/mountinfo`.
fn type_in<'a>(mountinfo: &'a str, path: &Path) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    for line in mountinfo.lines() {
        // 36 35 98:0 /root /mount/point options [optional fields] - type source options
        let Some((left, right)) = line.split_once(" - ") else { continue };
        let (Some(point), Some(kind)) = (left.split(' ').nth(4), right.split(' ').next()) else { continue };
        let point = unescape(point);
        if path.starts_with(&point) {
            let depth = point.components().count();
            // later mounts cover earlier ones at the same point
            if best.is_none_or(|(before, _)| depth >= before) {
                best = Some((depth, kind));
            }
        }
    }
    best.map(|(_, kind)| kind)
}

/// Spaces, tabs, newlines and backslashes stand as octal numbers in mount points.
fn unescape(text: &str) -> PathBuf {
    let mut out = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let octal = bytes
            .get(at + 1..at + 4)
            .filter(|_| bytes[at] == b'\\')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match octal {
            Some(byte) => {
                out.push(byte);
                at += 4;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    PathBuf::from(String::from_utf8_lossy(&out).into_owned())
}

/// The type of a file system under `path` that gives no notifications; `None` when it gives them, or nothing is known.
pub fn silent_file_system(path: &Path) -> Option<String> {
    let path = path.canonicalize().ok()?;
    let mountinfo = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    let kind = type_in(&mountinfo, &path)?;
    (SILENT.contains(&kind) || kind.starts_with("fuse")).then(|| kind.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
40 22 0:36 / /mnt/nas\\040box rw,relatime shared:20 - cifs //nas/scans rw,vers=3.0
41 22 0:37 / /home/max/remote rw - fuse.sshfs max@host: rw
42 22 8:1 / /mnt rw - xfs /dev/sda1 rw
";

    #[test]
    fn the_deepest_mount_counts() {
        let kind = |path| type_in(MOUNTS, Path::new(path));
        assert_eq!(kind("/home/max/scans"), Some("ext4"));
        assert_eq!(kind("/mnt/scans"), Some("xfs"));
        assert_eq!(kind("/mnt/nas box/tal"), Some("cifs"));
        assert_eq!(kind("/home/max/remote"), Some("fuse.sshfs"));
        assert_eq!(kind("/home/max/remote2"), Some("ext4"));
    }
}
