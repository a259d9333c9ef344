//! The time that one page may take.

use std::io::{self, Read, Seek, SeekFrom};
use std::time::{Duration, Instant};

use super::error::Trouble;

/// A moment at which the decoding of a page ends as an error. Asked between the steps of a decoder.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    at: Instant,
    seconds: u32,
}

impl Deadline {
    pub fn after(seconds: u32) -> Self {
        Self { at: Instant::now() + Duration::from_secs(seconds.into()), seconds }
    }

    pub fn is_over(&self) -> bool {
        Instant::now() >= self.at
    }

    pub fn check(&self) -> Result<(), Trouble> {
        if self.is_over() { Err(Trouble::TimedOut(self.seconds)) } else { Ok(()) }
    }
}

/// What unwinds out of a library when the time is over.
pub struct TimeIsOver;

impl Deadline {
    /// Leaves a library that can be interrupted in no other way, from a callback in its midst: unwinds without a panic's message.
    /// The decoding thread catches it; all that the library held is thrown away.
    pub fn check_or_unwind(&self) {
        if self.is_over() {
            std::panic::resume_unwind(Box::new(TimeIsOver));
        }
    }
}

/// A reader that fails when the time is over: it interrupts decoders that know of no deadline.
#[derive(Debug)]
pub struct Timed<R> {
    inner: R,
    deadline: Deadline,
}

impl<R> Timed<R> {
    pub fn new(inner: R, deadline: Deadline) -> Self {
        Self { inner, deadline }
    }
}

impl<R: Read> Read for Timed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.deadline.is_over() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.inner.read(buffer)
    }
}

impl<R: Seek> Seek for Timed<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}
