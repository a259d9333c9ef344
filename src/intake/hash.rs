//! Content hashes: what makes the same scan dropped twice one scan.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

/// SHA-256 of a file's bytes in lower-case hexadecimal, read in pieces: memory stays flat.
pub fn sha256_file(path: &Path) -> io::Result<String> {
    sha256(&mut File::open(path)?)
}

/// SHA-256 of everything `reader` gives, in lower-case hexadecimal.
pub fn sha256(reader: &mut impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    // 64 KiB: larger pieces gain nothing measurable
    let mut piece = vec![0u8; 64 * 1024];
    loop {
        match reader.read(&mut piece) {
            Ok(0) => break,
            Ok(n) => hasher.update(&piece[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let mut out = String::with_capacity(64);
    for byte in hasher.finalize() {
        // writing to a String cannot fail
        let _ = write!(out, "{byte:02x}");
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_sums() {
        // from FIPS 180-2, appendix B
        assert_eq!(
            sha256(&mut &b"abc"[..]).unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let million = io::repeat(b'a').take(1_000_000);
        assert_eq!(
            sha256(&mut { million }).unwrap(),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        );
    }
}
