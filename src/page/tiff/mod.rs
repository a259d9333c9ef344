//! TIFF, all pages, chunk by chunk: of the file only one strip or tile is in memory.
//!
//! The directories and the pixels' layout are read here, the codecs are libraries. That way a strip that is cut or damaged costs
//! its own rows and no more, and palettes, fax codes of all groups, reversed bits and separate planes are read.

mod chunk;
mod convert;
mod layout;
mod tags;
mod unpack;

use self::layout::{Compression, Layout};
use self::tags::{Directory, tag};
use super::deadline::Deadline;
use super::decode::{self, Pages, Picture};
use super::error::Trouble;
use super::limits::PageLimits;
use super::source::Source;
use super::{Page, jpeg};

/// A TIFF file.
pub struct TiffPages {
    source: Source,
    limits: PageLimits,
    pages: Vec<Directory>,
    broken_chain: bool,
}

impl TiffPages {
    pub fn open(mut source: Source, limits: PageLimits) -> Result<Self, Trouble> {
        let chain = tags::directories(&mut source, limits.max_pages)?;
        let mut pages = Vec::with_capacity(chain.directories.len());
        for directory in &chain.directories {
            // Bit 0 marks a thumbnail of another page, bit 2 a transparency mask.
            if directory.number(&mut source, tag::SUBFILE_TYPE).unwrap_or(None).unwrap_or(0) & 0b101 == 0 {
                pages.push(directory.clone());
            }
        }
        if pages.is_empty() {
            pages = chain.directories;
        }
        Ok(Self { source, limits, pages, broken_chain: chain.broken })
    }
}

impl Pages for TiffPages {
    fn count(&self) -> u32 {
        u32::try_from(self.pages.len()).unwrap_or(u32::MAX)
    }

    fn is_cut_short(&mut self, deadline: Deadline) -> Result<bool, Trouble> {
        if self.broken_chain {
            return Ok(true);
        }
        for page in &self.pages {
            deadline.check()?;
            for (offsets, lengths) in
                [(tag::STRIP_OFFSETS, tag::STRIP_BYTES), (tag::TILE_OFFSETS, tag::TILE_BYTES)]
            {
                // A directory whose lists cannot be read is the business of its page.
                let offsets = page.numbers(&mut self.source, offsets).unwrap_or_default();
                let lengths = page.numbers(&mut self.source, lengths).unwrap_or_default();
                let end = self.source.length;
                if offsets.iter().zip(&lengths).any(|(offset, bytes)| offset.saturating_add(*bytes) > end) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn read(&mut self, index: u32, deadline: Deadline) -> Result<Page, Trouble> {
        let directory = self.pages.get(index as usize).ok_or(Trouble::NoPages)?;
        let layout = Layout::read(directory, &mut self.source, &self.limits)?;
        if let Compression::OldJpeg { offset, length } = layout.compression {
            let rest = self.source.length.saturating_sub(offset);
            let length = if length == 0 { rest } else { length.min(rest) };
            let bytes = self.source.range(offset, length.min(self.limits.max_loaded_bytes))?;
            let mut picture = jpeg::picture(&bytes, &self.limits, deadline)?;
            picture.orientation = layout.orientation;
            picture.density = layout.density.or(picture.density);
            return picture.into_page();
        }

        let mut gray = decode::white(layout.width, layout.height);
        let mut lost = Lost::default();
        let mut reader = chunk::Reader::new(&layout, &mut self.source, &self.limits)?;
        for row in 0..layout.chunks_down() {
            for column in 0..layout.chunks_across() {
                deadline.check()?;
                let came = reader.read(row, column, &mut gray)?;
                lost.add(came.rows < came.wanted, came.faulty, came.reason);
            }
        }
        let chunks = layout.chunks_down() * layout.chunks_across();
        if lost.cut == chunks && reader.came == 0 {
            return Err(lost.reason.unwrap_or(Trouble::Truncated));
        }
        let warnings = lost.warnings(chunks, self.broken_chain && index + 1 == self.count());
        Picture {
            width: layout.width,
            height: layout.height,
            gray,
            orientation: layout.orientation,
            density: layout.density,
            warnings,
        }
        .into_page()
    }
}

/// What is missing of a page.
#[derive(Default)]
struct Lost {
    /// Chunks of which rows are missing.
    cut: usize,
    faulty: usize,
    reason: Option<Trouble>,
}

impl Lost {
    fn add(&mut self, cut: bool, faulty: bool, reason: Option<Trouble>) {
        self.cut += usize::from(cut);
        self.faulty += usize::from(faulty && !cut);
        if self.reason.is_none() {
            self.reason = reason;
        }
    }

    fn warnings(self, chunks: usize, last_of_broken: bool) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.cut > 0 {
            let reason = self.reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
            warnings.push(format!(
                "the picture is damaged: {} of its {chunks} parts are incomplete{reason}",
                self.cut
            ));
        }
        if self.faulty > 0 {
            warnings.push(format!(
                "the picture is damaged: {} of its {chunks} parts hold faulty codes and may be wrong",
                self.faulty
            ));
        }
        if last_of_broken {
            warnings.push("the file is damaged after this page: further pages cannot be found".into());
        }
        warnings
    }
}
