//! A reader that finds its language: one Tesseract engine a language, started when it is first needed.
//!
//! Captions of all Latin alphabets are understood well enough in English; another language is worth its
//! engine for the accents of names and for other scripts. [`super::language`] decides, this room only
//! switches. Each page begins at home again: which page a reader had before must not show in what it reads.

use image::GrayImage;

use super::TextLine;
use super::ocr::{OcrError, TesseractReader, TextReader, TextShape, installed_languages};

/// The setting that asks for this reader.
pub const AUTO: &str = "auto";

/// Engines kept in memory; each takes some 20 to 60 MB.
const MOST_ENGINES: usize = 4;

/// Reads in whichever installed language the captions turn out to be in.
pub struct PolyglotReader {
    installed: Vec<String>,
    /// The latest used last.
    engines: Vec<(String, TesseractReader)>,
    active: Vec<String>,
    /// Where each page begins.
    home: String,
}

impl PolyglotReader {
    /// Begins with English, else with the first installed language.
    pub fn new() -> Result<PolyglotReader, OcrError> {
        let installed: Vec<String> =
            installed_languages()?.into_iter().filter(|name| !name.ends_with("_vert")).collect();
        let first = installed.iter().find(|name| *name == "eng").or(installed.first());
        let Some(first) = first.cloned() else { return Err(OcrError::NoLanguage) };
        let mut reader = PolyglotReader { installed, engines: Vec::new(), active: Vec::new(), home: first };
        reader.go_home()?;
        Ok(reader)
    }
}

impl TextReader for PolyglotReader {
    fn read(&mut self, crop: &GrayImage, shape: TextShape) -> Result<Vec<TextLine>, OcrError> {
        match self.engines.last_mut() {
            Some((_, engine)) => engine.read(crop, shape),
            None => Err(OcrError::NoLanguage),
        }
    }

    fn languages(&self) -> &[String] {
        &self.active
    }

    fn others(&self) -> Vec<String> {
        self.installed.iter().filter(|name| !self.active.contains(name)).cloned().collect()
    }

    fn switch(&mut self, language: &str) -> Result<(), OcrError> {
        let engine = match self.engines.iter().position(|(name, _)| name == language) {
            Some(at) => self.engines.remove(at),
            None => (language.to_owned(), TesseractReader::new(language)?),
        };
        if self.engines.len() >= MOST_ENGINES {
            self.engines.remove(0);
        }
        self.engines.push(engine);
        self.active = vec![language.to_owned()];
        Ok(())
    }

    fn go_home(&mut self) -> Result<(), OcrError> {
        let home = self.home.clone();
        self.switch(&home)
    }
}
