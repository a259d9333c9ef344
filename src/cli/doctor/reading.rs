//! What reading pages needs: ONNX Runtime, the net, Tesseract with its languages.

use std::process::Command;

use image::GrayImage;

use super::Check;
use crate::board::model::{BOARD_SIDE, Model};
use crate::board::onnx::{OnnxModel, library_path};
use crate::caption::ocr::{TesseractReader, debian_package, installed_languages};
use crate::caption::polyglot::AUTO;
use crate::reading::ReadingParams;

pub(super) fn checks(params: &ReadingParams) -> Vec<Check> {
    let mut out = vec![net(params)];
    if params.captions {
        out.extend(text(params));
    } else {
        out.push(Check::note(
            "captions",
            "are not read: every side to move is assumed",
            "set reading.captions = true to read them",
        ));
    }
    out.push(heic());
    out
}

/// Loads the library and the net, and lets it read an empty board.
fn net(params: &ReadingParams) -> Check {
    const WHAT: &str = "ONNX Runtime and net";
    let library = library_path(&params.model.library);
    let tried = OnnxModel::open(&params.model).and_then(|mut model| {
        let blank = GrayImage::from_pixel(BOARD_SIDE, BOARD_SIDE, image::Luma([255]));
        model.read(&[blank])?;
        Ok(model)
    });
    match tried {
        Ok(model) => {
            let card = model.card();
            let found = format!("{} with {} (sha256 {})", library.display(), card.version, card.sha256);
            Check::ok(WHAT, found)
        }
        Err(error) => Check::missing(
            WHAT,
            error.to_string(),
            "make setup, or put libonnxruntime.so 1.32 at the place of the setting reading.model.library",
        ),
    }
}

fn text(params: &ReadingParams) -> Vec<Check> {
    let mut out = Vec::new();
    let version = Command::new("tesseract").arg("--version").output();
    let version = version.ok().map(|output| {
        // version 3 printed it on standard error
        let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
        String::from_utf8_lossy(&text).lines().next().unwrap_or_default().trim().to_owned()
    });
    let installed = match installed_languages() {
        Ok(installed) => {
            let version = version.unwrap_or_else(|| "library only, no tesseract command".to_owned());
            out.push(Check::ok("Tesseract", format!("{version}; languages {}", installed.join(", "))));
            installed
        }
        Err(error) => {
            out.push(Check::missing("Tesseract", error.to_string(), "apt-get install tesseract-ocr"));
            return out;
        }
    };
    let named = params.languages.split('+').map(str::trim);
    for language in named.filter(|language| !language.is_empty() && *language != AUTO) {
        let what = format!("caption language {language}");
        if !installed.iter().any(|name| name == language) {
            let mend = format!(
                "apt-get install {}, or take it out of the setting reading.languages",
                debian_package(language)
            );
            out.push(Check::missing(&what, "its data is not installed", mend));
            continue;
        }
        out.push(match TesseractReader::new(language) {
            Ok(_) => Check::ok(&what, "loads"),
            Err(error) => {
                let mend = format!("apt-get install --reinstall {}", debian_package(language));
                Check::missing(&what, error.to_string(), mend)
            }
        });
    }
    out
}

fn heic() -> Check {
    let there = Command::new("heif-convert").arg("--version").output().is_ok();
    if there {
        Check::ok("heif-convert", "is there, for photos of telephones (HEIC)")
    } else {
        Check::note(
            "heif-convert",
            "is not installed; only needed to convert photos of telephones (HEIC)",
            "apt-get install libheif-examples",
        )
    }
}
