//! The model's card (`models/squares.json`): what calibration found, kept beside the weights.

use serde::Deserialize;

use super::model::{BOARD_SIDE, MARGIN, ModelError, SQUARE};
use crate::chess::CLASSES;

/// What the program needs to know of a net besides its weights. Further keys are for people.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ModelCard {
    pub version: String,
    pub input: InputCard,
    /// Letters of the classes in the order of the net's outputs.
    pub classes: String,
    /// Divides the logits; found in calibration.
    pub temperature: f32,
    /// A square whose likeliest class is less probable asks for a person's eye.
    pub accept_threshold: f32,
    /// Looks at a board whose mean was calibrated: how far the corners move inwards, in squares.
    #[serde(default = "one_look")]
    pub view_insets: Vec<f32>,
    /// SHA-256 of the weights, lower-case hexadecimal.
    pub sha256: String,
    /// The outlier measure.
    #[serde(flatten)]
    pub outlier: OutlierCard,
}

/// Shape of the net's input in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct InputCard {
    pub size: u32,
    pub square: u32,
    pub margin: u32,
}

/// How far a board's features lie from those of training: root mean square of (feature - mean) /
/// scale over the dimensions, over `limit`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct OutlierCard {
    #[serde(rename = "feature_mean")]
    pub mean: Vec<f32>,
    #[serde(rename = "feature_scale")]
    pub scale: Vec<f32>,
    /// The distance beyond which the net's word is no longer trusted.
    #[serde(rename = "feature_threshold")]
    pub limit: f32,
}

impl ModelCard {
    /// Reads a card and holds it against what this program feeds and expects.
    ///
    /// # Errors
    /// When it is no card, or the card of another kind of net.
    pub fn parse(text: &str, path: &str) -> Result<ModelCard, ModelError> {
        let fail = |reason: String| ModelError::Load { path: path.to_owned(), reason };
        let card: ModelCard = serde_json::from_str(text).map_err(|error| fail(error.to_string()))?;
        let input = InputCard { size: BOARD_SIDE, square: SQUARE, margin: MARGIN };
        if card.input != input {
            return Err(fail(format!("the net wants {:?}, this program gives {input:?}", card.input)));
        }
        if !card.classes.chars().eq(CLASSES) {
            return Err(fail(format!("the net's classes are {:?}", card.classes)));
        }
        if !(card.temperature > 0.0 && (0.0..=1.0).contains(&card.accept_threshold)) {
            return Err(fail("temperature or accept_threshold is out of range".to_owned()));
        }
        if card.view_insets.first() != Some(&0.0) || !card.view_insets.iter().all(|inset| inset.abs() < 1.0) {
            return Err(fail("view_insets must be 0, then numbers under one square".to_owned()));
        }
        Ok(card)
    }
}

fn one_look() -> Vec<f32> {
    vec![0.0]
}

impl OutlierCard {
    /// Distance of `features` in units of the limit; `None` when they are of another length.
    pub fn measure(&self, features: &[f32]) -> Option<f32> {
        let n = features.len();
        if n == 0 || self.mean.len() != n || self.scale.len() != n {
            return None;
        }
        let sum: f32 = features
            .iter()
            .zip(self.mean.iter().zip(&self.scale))
            .map(|(x, (mean, scale))| ((x - mean) / scale.max(1e-6)).powi(2))
            .sum();
        Some((sum / n as f32).sqrt() / self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARD: &str = r#"{"version": "squares-1", "input": {"size": 288, "square": 32, "margin": 16},
        "classes": ".PNBRQKpnbrqk", "temperature": 0.9, "accept_threshold": 0.98, "sha256": "00",
        "feature_mean": [1, 2], "feature_scale": [1, 2], "feature_threshold": 2, "note": "for people"}"#;

    #[test]
    fn reads_its_own_kind() {
        let card = ModelCard::parse(CARD, "card").unwrap();
        assert_eq!((card.temperature, card.accept_threshold), (0.9, 0.98));
        assert_eq!(card.view_insets, [0.0], "one plain look where the card names none");
        let outlier = card.outlier;
        assert_eq!(outlier.measure(&[1.0, 2.0]), Some(0.0));
        assert_eq!(outlier.measure(&[3.0, 6.0]), Some(1.0));
        assert_eq!(outlier.measure(&[3.0]), None);
    }

    #[test]
    fn refuses_other_kinds() {
        let looks = r#""temperature": 0.9, "view_insets": [0, 0.1],"#;
        let card = ModelCard::parse(&CARD.replacen("\"temperature\": 0.9,", looks, 1), "card").unwrap();
        assert_eq!(card.view_insets, [0.0, 0.1]);
        let none = CARD.replacen("\"temperature\"", "\"view_insets\": [], \"temperature\"", 1);
        assert!(ModelCard::parse(&none, "card").is_err());
        for (from, to) in [("288", "320"), (".PNBRQKpnbrqk", "PNBRQKpnbrqk."), ("0.98", "98"), ("{", "[")] {
            let text = CARD.replacen(from, to, 1);
            assert!(ModelCard::parse(&text, "card").is_err(), "{text}");
        }
    }
}
