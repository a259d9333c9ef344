//! A file on its way to a decoder: looked at, measured, and loaded or streamed.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use super::deadline::{Deadline, Timed};
use super::error::Trouble;
use super::format::{Format, HEAD, sniff};
use super::limits::PageLimits;

/// Read ahead of a streamed file.
const BUFFER: usize = 64 << 10;

/// An open file of a known kind within the limits.
#[derive(Debug)]
pub struct Source {
    file: File,
    pub length: u64,
    pub format: Format,
}

impl Source {
    /// Opens a file, if it is one: a named pipe, a socket or a device is never opened, for that may hang or act.
    pub fn open(path: &Path, limits: &PageLimits) -> Result<Self, Trouble> {
        let refuse_others = |kind: std::fs::FileType| {
            if kind.is_file() { Ok(()) } else { Err(Trouble::NotAFile(describe(kind))) }
        };
        refuse_others(std::fs::metadata(path)?.file_type())?;
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        refuse_others(metadata.file_type())?;
        let length = metadata.len();
        if length == 0 {
            return Err(Trouble::Empty);
        }
        let mut head = Vec::with_capacity(HEAD);
        file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        let format = sniff(&head).map_err(Trouble::Foreign)?;
        let (limit, setting) = if format.is_streamed() {
            (limits.max_file_bytes, "max_file_bytes")
        } else {
            (limits.max_loaded_bytes.min(limits.max_file_bytes), "max_loaded_bytes")
        };
        if length > limit {
            return Err(Trouble::TooLarge {
                what: format!("the {format} file has {length} bytes"),
                limit,
                setting,
            });
        }
        Ok(Self { file, length, format })
    }

    /// The whole file. Its length was checked; a file that grows meanwhile is read to the old length.
    pub fn load(mut self, deadline: Deadline) -> Result<Arc<Vec<u8>>, Trouble> {
        let mut bytes = Vec::with_capacity(usize::try_from(self.length).map_err(|_| Trouble::Truncated)?);
        self.file.seek(SeekFrom::Start(0))?;
        Timed::new(&mut self.file, deadline).take(self.length).read_to_end(&mut bytes)?;
        Ok(Arc::new(bytes))
    }

    /// A few bytes from anywhere.
    pub fn bytes_at<const N: usize>(&mut self, offset: u64) -> Result<[u8; N], Trouble> {
        let mut bytes = [0; N];
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.read_exact(&mut bytes).map_err(Trouble::from_io)?;
        Ok(bytes)
    }

    /// `length` bytes from `offset`, which the file must have: nothing is reserved for what it only claims.
    pub fn range(&mut self, offset: u64, length: u64) -> Result<Vec<u8>, Trouble> {
        if offset.checked_add(length).is_none_or(|end| end > self.length) {
            return Err(Trouble::Truncated);
        }
        let mut bytes = vec![0; usize::try_from(length).map_err(|_| Trouble::Truncated)?];
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.read_exact(&mut bytes).map_err(Trouble::from_io)?;
        Ok(bytes)
    }

    /// The file from its beginning, to be walked through.
    pub fn stream(&mut self, deadline: Deadline) -> Result<BufReader<Timed<&File>>, Trouble> {
        self.file.seek(SeekFrom::Start(0))?;
        Ok(BufReader::with_capacity(BUFFER, Timed::new(&self.file, deadline)))
    }
}

fn describe(kind: std::fs::FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_block_device() || kind.is_char_device() {
            return "a device";
        }
    }
    if kind.is_dir() { "a folder" } else { "something else" }
}
