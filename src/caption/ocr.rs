//! Reading text out of small crops: a trait, so that tests can swap a fake, and Tesseract behind it.

use std::path::{Path, PathBuf};

use image::{GrayImage, Luma};
use tesseract::{PageSegMode, Tesseract};

use super::{PixelRect, TextLine};

/// How the text of a crop is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextShape {
    /// One line, be it a single letter.
    Line,
    /// One word or number.
    Word,
    /// One letter, which readers of lines like to pass over or to read twice.
    Letter,
    /// A few lines in one column.
    Block,
}

/// A reader of text. One a worker thread.
pub trait TextReader: Send {
    /// Reads an upright crop, dark ink on light paper, with some paper around the text; letters best
    /// about 30 pixels high. Areas of the lines are in pixels of the crop. No text is no error.
    fn read(&mut self, crop: &GrayImage, shape: TextShape) -> Result<Vec<TextLine>, OcrError>;

    /// Languages it reads now, by Tesseract's names ("eng", "deu"), the likeliest first.
    fn languages(&self) -> &[String];

    /// Further languages that it could read instead; none where the languages are given.
    fn others(&self) -> Vec<String> {
        Vec::new()
    }

    /// Reads from now on in this language, one of [`others`](Self::others).
    fn switch(&mut self, _language: &str) -> Result<(), OcrError> {
        Ok(())
    }

    /// Goes back to the language it was made with, whatever was read since: pages must not depend on those before them.
    fn go_home(&mut self) -> Result<(), OcrError> {
        Ok(())
    }
}

#[derive(Debug, thiserror::Error)]
pub enum OcrError {
    #[error("no language for reading captions was given")]
    NoLanguage,
    #[error(
        "language data for {language:?} is missing in {directory}; install the Debian package {package} \
         or take {language:?} out of the caption languages"
    )]
    MissingLanguage { language: String, directory: String, package: String },
    #[error(
        "no Tesseract language data found (looked in {looked_in}); install the Debian package tesseract-ocr"
    )]
    NoData { looked_in: String },
    #[error("cannot start Tesseract for {languages:?}: {reason}")]
    Start { languages: String, reason: String },
    #[error("Tesseract failed on a crop of {width} x {height} pixels: {reason}")]
    Run { width: u32, height: u32, reason: String },
}

/// Where Tesseract's language data lies: `TESSDATA_PREFIX`, else the places of Debian's packages (5, 4)
/// and of builds from source.
pub fn data_directory() -> Result<PathBuf, OcrError> {
    let mut places: Vec<PathBuf> = Vec::new();
    if let Some(prefix) = std::env::var_os("TESSDATA_PREFIX") {
        places.push(PathBuf::from(&prefix));
        places.push(Path::new(&prefix).join("tessdata"));
    }
    for base in ["tesseract-ocr/5/tessdata", "tesseract-ocr/4.00/tessdata", "tessdata"] {
        places.push(Path::new("/usr/share").join(base));
        places.push(Path::new("/usr/local/share").join(base));
    }
    let has_data = |place: &PathBuf| {
        std::fs::read_dir(place).is_ok_and(|mut entries| {
            entries.any(|e| e.is_ok_and(|e| e.path().extension().is_some_and(|x| x == "traineddata")))
        })
    };
    match places.iter().find(|place| has_data(place)) {
        Some(place) => Ok(place.clone()),
        None => {
            let looked_in: Vec<String> = places.iter().map(|p| p.display().to_string()).collect();
            Err(OcrError::NoData { looked_in: looked_in.join(", ") })
        }
    }
}

/// The languages whose data is installed, by Tesseract's names, sorted.
pub fn installed_languages() -> Result<Vec<String>, OcrError> {
    let directory = data_directory()?;
    let mut names: Vec<String> = std::fs::read_dir(&directory)
        .map_err(|e| OcrError::NoData { looked_in: format!("{}: {e}", directory.display()) })?
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            (path.extension()? == "traineddata").then(|| path.file_stem()?.to_str().map(str::to_owned))?
        })
        .filter(|name| name != "osd" && name != "equ")
        .collect();
    names.sort();
    Ok(names)
}

/// The Debian package with the data of a language.
pub fn debian_package(language: &str) -> String {
    format!("tesseract-ocr-{}", language.to_lowercase().replace('_', "-"))
}

/// Tesseract with its LSTM reader. The language data (4 to 15 MB a language) is loaded once.
///
/// Tesseract may run its own threads; set `OMP_THREAD_LIMIT=1` in the environment before the first use,
/// since one engine a worker already fills the processors and its threads cost more than they gain on crops
/// this small.
pub struct TesseractReader {
    /// Empty only after a failed run; refilled at the next.
    engine: Option<Tesseract>,
    directory: PathBuf,
    languages: Vec<String>,
}

impl TesseractReader {
    /// Starts an engine for languages joined by `+` ("eng", "deu+eng"). Each must be installed: Tesseract
    /// itself passes over a missing one as long as another loads, which would be a silent loss.
    pub fn new(languages: &str) -> Result<TesseractReader, OcrError> {
        let names: Vec<String> =
            languages.split('+').map(str::trim).filter(|n| !n.is_empty()).map(str::to_owned).collect();
        if names.is_empty() {
            return Err(OcrError::NoLanguage);
        }
        let directory = data_directory()?;
        for name in &names {
            if !directory.join(format!("{name}.traineddata")).is_file() {
                return Err(OcrError::MissingLanguage {
                    language: name.clone(),
                    directory: directory.display().to_string(),
                    package: debian_package(name),
                });
            }
        }
        let mut reader = TesseractReader { engine: None, directory, languages: names };
        reader.engine = Some(reader.start()?);
        Ok(reader)
    }

    fn start(&self) -> Result<Tesseract, OcrError> {
        let languages = self.languages.join("+");
        let fail = |reason: String| OcrError::Start { languages: languages.clone(), reason };
        let directory = self.directory.to_str().ok_or_else(|| fail("path is no UTF-8".into()))?;
        Tesseract::new(Some(directory), Some(&languages))
            .map_err(|e| fail(e.to_string()))?
            // Tesseract writes remarks on every crop to standard error otherwise.
            .set_variable("debug_file", "/dev/null")
            .map_err(|e| fail(e.to_string()))
    }

    fn run(&mut self, crop: &GrayImage, shape: TextShape) -> Result<String, OcrError> {
        let (width, height) = crop.dimensions();
        let fail = |reason: String| OcrError::Run { width, height, reason };
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.start()?,
        };
        engine.set_page_seg_mode(match shape {
            TextShape::Line => PageSegMode::PsmSingleLine,
            TextShape::Word => PageSegMode::PsmSingleWord,
            TextShape::Letter => PageSegMode::PsmSingleChar,
            TextShape::Block => PageSegMode::PsmSingleBlock,
        });
        let mut engine = engine
            .set_frame(crop.as_raw(), width as i32, height as i32, 1, width as i32)
            .map_err(|e| fail(e.to_string()))?
            // 30 pixels of capital height are 10 point type at 300 dpi; the crop itself does not say.
            .set_source_resolution(300)
            .recognize()
            .map_err(|e| fail(e.to_string()))?;
        let table = engine.get_tsv_text(0).map_err(|e| fail(e.to_string()))?;
        self.engine = Some(engine);
        Ok(table)
    }
}

impl TextReader for TesseractReader {
    fn read(&mut self, crop: &GrayImage, shape: TextShape) -> Result<Vec<TextLine>, OcrError> {
        // Tesseract refuses pictures under three pixels and finds nothing in them.
        if crop.width() < 3 || crop.height() < 3 {
            return Ok(Vec::new());
        }
        Ok(lines_of_tsv(&self.run(crop, shape)?))
    }

    fn languages(&self) -> &[String] {
        &self.languages
    }
}

/// Words of Tesseract's TSV table (level 5), joined to lines by its block, paragraph and line numbers.
/// Columns: level page block par line word left top width height conf text.
fn lines_of_tsv(table: &str) -> Vec<TextLine> {
    struct Open {
        key: (u32, u32, u32),
        words: Vec<(String, f32)>,
        bounds: (u32, u32, u32, u32),
        confidence: f32,
        letters: f32,
    }
    let mut lines: Vec<Open> = Vec::new();
    for row in table.lines() {
        let cells: Vec<&str> = row.splitn(12, '\t').collect();
        if cells.len() < 12 || cells[0] != "5" || cells[11].trim().is_empty() {
            continue;
        }
        let number = |i: usize| cells[i].parse::<u32>().unwrap_or(0);
        let key = (number(2), number(3), number(4));
        let (x0, y0) = (number(6), number(7));
        let (x1, y1) = (x0 + number(8), y0 + number(9));
        let word = cells[11].trim().to_owned();
        let letters = word.chars().count() as f32;
        let confidence = cells[10].parse::<f32>().unwrap_or(0.0).clamp(0.0, 100.0) / 100.0;
        match lines.last_mut().filter(|line| line.key == key) {
            Some(line) => {
                let b = line.bounds;
                line.bounds = (b.0.min(x0), b.1.min(y0), b.2.max(x1), b.3.max(y1));
                line.words.push((word, confidence));
                line.confidence += confidence * letters;
                line.letters += letters;
            }
            None => lines.push(Open {
                key,
                words: vec![(word, confidence)],
                bounds: (x0, y0, x1, y1),
                confidence: confidence * letters,
                letters,
            }),
        }
    }
    lines
        .into_iter()
        .map(|line| TextLine {
            text: line.words.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" "),
            area: PixelRect {
                x: line.bounds.0,
                y: line.bounds.1,
                width: line.bounds.2 - line.bounds.0,
                height: line.bounds.3 - line.bounds.1,
            },
            confidence: line.confidence / line.letters.max(1.0),
            words: line.words,
        })
        .collect()
}

/// Height in pixels to which the capitals of a crop are scaled: Tesseract's LSTM reader works on lines of
/// 36 pixels; its errors are fewest for capitals of about 30.
pub const CAPITAL_HEIGHT: f32 = 30.0;
/// White border in pixels around a prepared crop; without one, edge letters get lost.
pub const PADDING: u32 = 16;

/// Prepares a line for the reader: scales it so that capitals of `capital_height` pixels become
/// [`CAPITAL_HEIGHT`], stretches the levels so that `paper` becomes white and `ink` black, pads with white.
pub fn prepare(line: &GrayImage, capital_height: f32, ink: u8, paper: u8) -> GrayImage {
    // A tiny line gains nothing from more than five-fold scaling, a large title is shrunk.
    let scale = (CAPITAL_HEIGHT / capital_height.max(1.0)).clamp(0.1, 5.0);
    let width = ((line.width() as f32 * scale).round() as u32).clamp(1, 6000);
    let height = ((line.height() as f32 * scale).round() as u32).clamp(1, 400);
    let span = f32::from(paper.max(ink.saturating_add(1)) - ink);
    let scaled = image::imageops::resize(line, width, height, image::imageops::FilterType::CatmullRom);
    let mut out = GrayImage::from_pixel(width + 2 * PADDING, height + 2 * PADDING, Luma([255]));
    for (x, y, pixel) in scaled.enumerate_pixels() {
        let level = (f32::from(pixel.0[0]) - f32::from(ink)) / span * 255.0;
        out.put_pixel(x + PADDING, y + PADDING, Luma([level.clamp(0.0, 255.0) as u8]));
    }
    out
}

/// A reader for tests: a function from crop to text.
#[cfg(test)]
pub struct FakeReader<F> {
    pub answer: F,
    pub languages: Vec<String>,
}

#[cfg(test)]
impl<F: FnMut(&GrayImage) -> String + Send> TextReader for FakeReader<F> {
    fn read(&mut self, crop: &GrayImage, _: TextShape) -> Result<Vec<TextLine>, OcrError> {
        let text = (self.answer)(crop);
        let area = PixelRect { x: 0, y: 0, width: crop.width(), height: crop.height() };
        let words = |l: &str| l.split_whitespace().map(|w| (w.to_owned(), 0.9)).collect();
        let line = |l: &str| TextLine { text: l.to_owned(), area, confidence: 0.9, words: words(l) };
        Ok(text.lines().map(line).collect())
    }

    fn languages(&self) -> &[String] {
        &self.languages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_lines() {
        let table = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n\
                     4\t1\t1\t1\t1\t0\t10\t20\t90\t30\t-1\t\n\
                     5\t1\t1\t1\t1\t1\t10\t22\t40\t20\t90\tWhite\n\
                     5\t1\t1\t1\t1\t2\t60\t20\t30\t25\t60\tto\n\
                     5\t1\t1\t1\t2\t1\t10\t60\t30\t25\t50\tmove\n\
                     5\t1\t1\t1\t2\t2\t10\t60\t30\t25\t50\t \n";
        let lines = lines_of_tsv(table);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].text, "White to");
        assert_eq!(lines[0].area, PixelRect { x: 10, y: 20, width: 80, height: 25 });
        assert!((lines[0].confidence - (0.9 * 5.0 + 0.6 * 2.0) / 7.0).abs() < 1e-6);
        assert_eq!(lines[1].text, "move");
    }

    #[test]
    fn missing_language_names_its_package() {
        match TesseractReader::new("eng+xyz") {
            Err(OcrError::MissingLanguage { language, package, .. }) => {
                assert_eq!((language.as_str(), package.as_str()), ("xyz", "tesseract-ocr-xyz"));
            }
            // A machine without any language data says so instead.
            Err(OcrError::NoData { .. }) => {}
            Ok(_) => panic!("an engine for a language that does not exist"),
            Err(other) => panic!("{other}"),
        }
        assert!(matches!(TesseractReader::new(" + "), Err(OcrError::NoLanguage)));
        assert_eq!(debian_package("chi_sim"), "tesseract-ocr-chi-sim");
    }

    #[test]
    fn prepared_lines_are_scaled_stretched_and_padded() {
        let line = GrayImage::from_fn(40, 15, |x, _| Luma([if x < 20 { 80 } else { 200 }]));
        let out = prepare(&line, 10.0, 80, 200);
        assert_eq!(out.dimensions(), (120 + 2 * PADDING, 45 + 2 * PADDING));
        assert_eq!(out.get_pixel(0, 0).0, [255]);
        assert!(out.get_pixel(PADDING + 10, PADDING + 20).0[0] < 10);
        assert!(out.get_pixel(PADDING + 110, PADDING + 20).0[0] > 245);
    }
}
