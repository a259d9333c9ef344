//! The reader of squares against what ONNX Runtime gives in Python for the same boards.
//! Needs the runtime library (`make run` or `make test` installs it).

use fenwatch::board::onnx::library_path;
use fenwatch::board::{Model, ModelParams, OnnxModel};
use std::path::Path;

use serde_json::Value;

#[test]
fn agrees_with_the_reference_boards() {
    if !library_path(Path::new("")).is_file() {
        // Without the library nothing can be compared; `fenwatch doctor` names what is missing.
        eprintln!("skipped: ONNX Runtime is not installed");
        return;
    }
    let mut model = OnnxModel::open(&ModelParams::default()).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/train/reference");
    let mut boards = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "json") {
            continue;
        }
        let reference: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let picture = image::open(path.with_extension("png")).unwrap().to_luma8();
        let scores = model.read(&[picture]).unwrap().remove(0);
        assert!(scores.outlier.is_finite());
        for (square, row) in reference["logits"].as_array().unwrap().iter().enumerate() {
            let want: Vec<f64> = row.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
            // Probabilities are the logits over one temperature: differences of logarithms keep their ratios.
            let got: Vec<f64> = scores.squares.0[square].iter().map(|p| f64::from(*p).ln()).collect();
            let spread = |v: &[f64]| {
                let mean = v.iter().sum::<f64>() / 13.0;
                v.iter().map(|x| x - mean).collect::<Vec<f64>>()
            };
            let (want, got) = (spread(&want), spread(&got));
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            let temperature = dot(&want, &want) / dot(&want, &got);
            for (w, g) in want.iter().zip(&got) {
                let apart = (w - g * temperature).abs();
                assert!(apart < 0.01, "{} square {square}: {apart}", path.display());
            }
        }
        boards += 1;
    }
    assert!(boards > 0);
}

#[test]
fn a_picture_of_another_size_is_refused() {
    if !library_path(Path::new("")).is_file() {
        return;
    }
    let mut model = OnnxModel::open(&ModelParams::default()).unwrap();
    let error = model.read(&[image::GrayImage::new(64, 64)]).unwrap_err().to_string();
    assert!(error.contains("288"), "{error}");
}
