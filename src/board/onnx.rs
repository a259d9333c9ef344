//! The net of the squares through ONNX Runtime: one session a worker, one thread each.
//!
//! The weights are part of the binary; a setting can name others. ONNX Runtime itself is a shared
//! library that is loaded at run time (`runtime/libonnxruntime.so`, see `make setup`).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use image::GrayImage;
use ndarray::Array4;
use ort::environment::Environment;
use ort::session::{Session, builder::GraphOptimizationLevel};
use ort::value::TensorRef;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::card::ModelCard;
use super::model::{BOARD_SIDE, BoardScores, Model, ModelError};
use super::scores::SquareScores;

/// The net that is part of the binary.
const WEIGHTS: &[u8] = include_bytes!("../../models/squares.onnx");
const CARD: &str = include_str!("../../models/squares.json");
const BUILT_IN: &str = "the built-in model";

/// Boards that go through the net at once: the boards of a page, few enough to keep memory flat.
const BATCH: usize = 8;

/// Where the net and its library are.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelParams {
    /// Weights (`.onnx`) with their card (`.json`) beside them; empty: the built-in ones.
    pub weights: PathBuf,
    /// ONNX Runtime's shared library; empty: `ORT_DYLIB_PATH` of the environment, else
    /// `runtime/libonnxruntime.so` in the working folder, beside the binary or above it, else the system's.
    pub library: PathBuf,
}

/// A net in a session of its own.
#[derive(Debug)]
pub struct OnnxModel {
    session: Session,
    card: ModelCard,
}

impl OnnxModel {
    /// Loads the library (once a process) and the weights, and checks the weights against their card.
    ///
    /// # Errors
    /// When one of them is missing, damaged or of another kind.
    pub fn open(params: &ModelParams) -> Result<OnnxModel, ModelError> {
        let environment = environment(&params.library)?;
        if params.weights.as_os_str().is_empty() {
            return OnnxModel::from_memory(&environment, WEIGHTS, CARD, BUILT_IN);
        }
        let path = params.weights.display().to_string();
        let read = |path: &Path| {
            fs::read(path).map_err(|error| ModelError::Load {
                path: path.display().to_string(),
                reason: error.to_string(),
            })
        };
        let weights = read(&params.weights)?;
        let card = read(&params.weights.with_extension("json"))?;
        OnnxModel::from_memory(&environment, &weights, &String::from_utf8_lossy(&card), &path)
    }

    fn from_memory(
        environment: &Environment,
        weights: &[u8],
        card: &str,
        path: &str,
    ) -> Result<OnnxModel, ModelError> {
        let card = ModelCard::parse(card, path)?;
        let sum = Sha256::digest(weights).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        if sum != card.sha256 {
            let reason = format!("the weights' checksum is {sum}, their card says {}", card.sha256);
            return Err(ModelError::Load { path: path.to_owned(), reason });
        }
        let session = session(environment, weights)
            .map_err(|error| ModelError::Load { path: path.to_owned(), reason: error.to_string() })?;
        Ok(OnnxModel { session, card })
    }

    pub fn card(&self) -> &ModelCard {
        &self.card
    }

    fn run(&mut self, boards: &[GrayImage]) -> Result<Vec<BoardScores>, ModelError> {
        let side = BOARD_SIDE as usize;
        let mut pixels = Vec::with_capacity(boards.len() * side * side);
        for board in boards {
            let (width, height) = board.dimensions();
            if (width, height) != (BOARD_SIDE, BOARD_SIDE) {
                return Err(ModelError::Shape { want: BOARD_SIDE, width, height });
            }
            pixels.extend(board.as_raw().iter().map(|&gray| f32::from(gray)));
        }
        let failed = |error: &dyn std::fmt::Display| ModelError::Run(error.to_string());
        let input = Array4::from_shape_vec((boards.len(), 1, side, side), pixels).map_err(|e| failed(&e))?;
        let input = TensorRef::from_array_view(&input).map_err(|e| failed(&e))?;
        let outputs = self.session.run(ort::inputs!["board" => input]).map_err(|e| failed(&e))?;
        let (_, logits) = outputs["logits"].try_extract_tensor::<f32>().map_err(|e| failed(&e))?;
        let (_, features) = outputs["features"].try_extract_tensor::<f32>().map_err(|e| failed(&e))?;
        if logits.len() != boards.len() * 64 * 13 || logits.iter().any(|x| !x.is_finite()) {
            return Err(ModelError::Run("the net's answer is of another shape or not finite".to_owned()));
        }
        let width = features.len() / boards.len();
        Ok(logits
            .chunks_exact(64 * 13)
            .zip(features.chunks_exact(width.max(1)))
            .map(|(logits, features)| BoardScores {
                squares: probabilities(logits, self.card.temperature),
                outlier: self.card.outlier.measure(features).unwrap_or(f32::INFINITY),
            })
            .collect())
    }
}

impl Model for OnnxModel {
    fn read(&mut self, boards: &[GrayImage]) -> Result<Vec<BoardScores>, ModelError> {
        let mut out = Vec::with_capacity(boards.len());
        for batch in boards.chunks(BATCH) {
            out.extend(self.run(batch)?);
        }
        Ok(out)
    }

    fn version(&self) -> &str {
        &self.card.version
    }

    fn accept_threshold(&self) -> f32 {
        self.card.accept_threshold
    }

    fn view_insets(&self) -> &[f32] {
        &self.card.view_insets
    }
}

fn session(environment: &Environment, weights: &[u8]) -> Result<Session, ort::Error> {
    Session::builder(environment)?
        .with_optimization_level(GraphOptimizationLevel::All)?
        // so small a net gains nothing from a second thread; workers run side by side instead
        .with_intra_threads(1)?
        .with_inter_threads(1)?
        .commit_from_memory(weights)
}

/// Softmax with temperature, row by row of 13.
fn probabilities(logits: &[f32], temperature: f32) -> SquareScores {
    let mut rows = Box::new([[0.0f32; 13]; 64]);
    for (row, logits) in rows.iter_mut().zip(logits.chunks_exact(13)) {
        let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for (p, logit) in row.iter_mut().zip(logits) {
            *p = ((logit - top) / temperature).exp();
            sum += *p;
        }
        row.iter_mut().for_each(|p| *p /= sum);
    }
    SquareScores(rows)
}

/// Loads ONNX Runtime once a process; after a failure the next caller tries again.
fn environment(named: &Path) -> Result<Environment, ModelError> {
    static LOADED: Mutex<Option<Environment>> = Mutex::new(None);
    // a poisoned lock only means that another thread panicked while loading: try again
    let mut loaded = LOADED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(environment) = &*loaded {
        return Ok(environment.clone());
    }
    let path = library_path(named);
    let fail = |error: &dyn std::fmt::Display| ModelError::Load {
        path: path.display().to_string(),
        reason: format!("ONNX Runtime cannot be loaded ({error}); `make setup` fetches it into runtime/"),
    };
    let builder = ort::init_from(&path).map_err(|error| fail(&error))?;
    let environment = builder.with_name("fenwatch").build().map_err(|error| fail(&error))?;
    Ok(loaded.insert(environment).clone())
}

/// The first of the places that [`ModelParams::library`] names which is there.
pub fn library_path(named: &Path) -> PathBuf {
    const FILE: &str = "runtime/libonnxruntime.so";
    if !named.as_os_str().is_empty() {
        return named.to_owned();
    }
    if let Some(path) = std::env::var_os("ORT_DYLIB_PATH").filter(|path| !path.is_empty()) {
        return path.into();
    }
    let here = std::env::current_dir().ok();
    let binary = std::env::current_exe().ok();
    // beside an installed binary, or in the project above target/release/deps
    let above = binary.iter().flat_map(|b| b.ancestors().skip(1).take(4));
    here.iter()
        .map(PathBuf::as_path)
        .chain(above)
        .map(|folder| folder.join(FILE))
        .find(|path| path.is_file())
        // the system's loader then looks in its own places
        .unwrap_or_else(|| PathBuf::from("libonnxruntime.so"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn softmax_with_temperature() {
        let mut logits = vec![0.0f32; 64 * 13];
        logits[0] = 2.0f32.ln();
        let cold = probabilities(&logits, 1.0);
        assert!((cold.0[0][0] - 2.0 / 14.0).abs() < 1e-6);
        assert!((cold.0[63][12] - 1.0 / 13.0).abs() < 1e-6);
        let warm = probabilities(&logits, 0.5);
        assert!((warm.0[0][0] - 4.0 / 16.0).abs() < 1e-6);
    }

    #[test]
    fn a_missing_library_is_named() {
        let params =
            ModelParams { library: PathBuf::from("nowhere/libonnxruntime.so"), ..ModelParams::default() };
        // another test may have loaded the real one already
        if let Err(error) = OnnxModel::open(&params) {
            assert!(error.to_string().contains("nowhere/libonnxruntime.so"), "{error}");
        }
    }
}
