//! PDF: pages that are one scan are taken out as they are stored, all others are drawn.
//!
//! A page is first walked through without painting ([`scout`]). When it turns out to be one picture that fills the page,
//! with nothing over it but invisible text, the picture's own pixels become the page ([`scan`]): no resampling, little memory.
//! Else the page is drawn ([`draw`]) at the density of its pictures, or at a fixed one when it is typeset.

mod draw;
mod guard;
mod scan;
mod scout;
mod text;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use hayro::hayro_interpret::{InterpreterSettings, InterpreterWarning};
use hayro::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};

use super::Page;
use super::deadline::Deadline;
use super::decode::Pages;
use super::error::Trouble;
use super::limits::PageLimits;

/// A PDF file.
pub struct PdfPages {
    pdf: Pdf,
    limits: PageLimits,
    cut_short: bool,
}

impl PdfPages {
    pub fn open(bytes: Arc<Vec<u8>>, limits: PageLimits) -> Result<Self, Trouble> {
        let tail = &bytes[bytes.len().saturating_sub(4096)..];
        let cut_short = !tail.windows(5).any(|mark| mark == b"%%EOF");
        let pdf = Pdf::new(bytes).map_err(|error| match error {
            LoadPdfError::Decryption(DecryptionError::PasswordProtected) => Trouble::Encrypted,
            LoadPdfError::Decryption(_) => Trouble::Unsupported("a PDF encrypted in an unknown way".into()),
            LoadPdfError::Invalid if cut_short => Trouble::Truncated,
            LoadPdfError::Invalid => Trouble::Damaged("its list of pages cannot be found".into()),
        })?;
        Ok(Self { pdf, limits, cut_short })
    }
}

impl Pages for PdfPages {
    fn count(&self) -> u32 {
        u32::try_from(self.pdf.pages().len()).unwrap_or(u32::MAX)
    }

    fn is_cut_short(&mut self, _: Deadline) -> Result<bool, Trouble> {
        Ok(self.cut_short)
    }

    fn read(&mut self, index: u32, deadline: Deadline) -> Result<Page, Trouble> {
        let page = self.pdf.pages().get(index as usize).ok_or(Trouble::NoPages)?;
        let complaints = Complaints::default();
        let settings = complaints.settings();
        guard::check_contents(page, &self.limits)?;
        let found = scout::look(page, &settings, &self.limits, deadline)?;
        deadline.check()?;
        let is_scan = found.scan.is_some();
        let mut picture = match found.scan {
            Some(scan) => scan::take_out(page, scan, &settings, &self.limits, deadline)?,
            None => draw::draw(page, &found, &settings, &self.limits)?,
        };
        picture.warnings.extend(found.warnings);
        picture.warnings.extend(complaints.sentences());
        let mut read = picture.into_page()?;
        if !is_scan {
            let (points_across, points_down) = page.render_dimensions();
            let (across, down) =
                (read.gray.width() as f32 / points_across, read.gray.height() as f32 / points_down);
            read.text = found.text.on_page(across, down);
        }
        Ok(read)
    }
}

/// What the PDF library complains about while it works.
#[derive(Clone, Default)]
struct Complaints(Arc<Counts>);

#[derive(Default)]
struct Counts {
    pictures: AtomicUsize,
    fonts: AtomicUsize,
    others: Mutex<Option<String>>,
}

impl Complaints {
    fn settings(&self) -> InterpreterSettings {
        let counts = self.0.clone();
        InterpreterSettings {
            warning_sink: Arc::new(move |warning| {
                let counter = match warning {
                    InterpreterWarning::ImageDecodeFailure => &counts.pictures,
                    InterpreterWarning::UnsupportedFont => &counts.fonts,
                    // A form field or comment that shows nothing: nothing of a printed page.
                    InterpreterWarning::UnresolvedAnnotationAppearance => return,
                    other => {
                        if let Ok(mut others) = counts.others.lock() {
                            others.get_or_insert_with(|| format!("{other:?}"));
                        }
                        return;
                    }
                };
                counter.fetch_add(1, Ordering::Relaxed);
            }),
            ..InterpreterSettings::default()
        }
    }

    fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if self.0.pictures.load(Ordering::Relaxed) > 0 {
            sentences.push("a picture on the page is damaged and was left out".into());
        }
        if self.0.fonts.load(Ordering::Relaxed) > 0 {
            sentences.push("a font cannot be read: text or chess figures may be missing".into());
        }
        if let Ok(others) = self.0.others.lock()
            && let Some(other) = others.as_ref()
        {
            sentences.push(format!("the PDF has a fault: {other}"));
        }
        sentences
    }
}
