//! Whether probabilities mean what they say: of what is believed with 0.9, nine in ten should be right.

use serde::Serialize;

/// Bounds of the bins. Nearly all squares are believed with more than 0.999 and the thresholds of doubt lie there too, so the bins grow finer
/// towards 1; equal bins would show one bar.
const EDGES: [f64; 12] = [0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999, 1.0];
const BINS: usize = EDGES.len() - 1;

/// Gathers pairs of a probability and whether it came true.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reliability {
    count: [u64; BINS],
    right: [u64; BINS],
    sum: [f64; BINS],
}

/// A table of reliability.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibration {
    /// Bins with anything in them, least sure first.
    pub bins: Vec<Bin>,
    /// Expected calibration error: the mean distance between what was believed and what came true, bins weighted by their counts (Naeini,
    /// Cooper, Hauskrecht: Obtaining Well Calibrated Probabilities Using Bayesian Binning, 2015). `None` of nothing.
    pub expected_error: Option<f64>,
}

/// One bin of a table of reliability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// Probabilities from here on ...
    pub from: f64,
    /// ... to here, this one not in it (but for 1).
    pub to: f64,
    pub count: u64,
    pub mean_probability: f64,
    pub share_right: f64,
}

impl Reliability {
    pub fn add(&mut self, probability: f64, right: bool) {
        let probability = if probability.is_nan() { 0.0 } else { probability.clamp(0.0, 1.0) };
        let bin = (0..BINS).rev().find(|&bin| probability >= EDGES[bin]).unwrap_or(0);
        self.count[bin] += 1;
        self.right[bin] += u64::from(right);
        self.sum[bin] += probability;
    }

    pub fn table(&self) -> Calibration {
        let bins: Vec<Bin> = (0..BINS)
            .filter(|&bin| self.count[bin] > 0)
            .map(|bin| {
                let count = self.count[bin] as f64;
                Bin {
                    from: EDGES[bin],
                    to: EDGES[bin + 1],
                    count: self.count[bin],
                    mean_probability: self.sum[bin] / count,
                    share_right: self.right[bin] as f64 / count,
                }
            })
            .collect();
        let all: u64 = bins.iter().map(|bin| bin.count).sum();
        let distance = |bin: &Bin| (bin.mean_probability - bin.share_right).abs() * bin.count as f64;
        let expected_error = (all > 0).then(|| bins.iter().map(distance).sum::<f64>() / all as f64);
        Calibration { bins, expected_error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_the_distance_between_belief_and_truth() {
        let mut reliability = Reliability::default();
        for round in 0..10 {
            reliability.add(0.75, round < 5);
            reliability.add(1.0, true);
        }
        let table = reliability.table();
        let bounds: Vec<(f64, f64, u64)> =
            table.bins.iter().map(|bin| (bin.from, bin.to, bin.count)).collect();
        assert_eq!(bounds, [(0.7, 0.8, 10), (0.9999, 1.0, 10)]);
        assert_eq!((table.bins[0].mean_probability, table.bins[0].share_right), (0.75, 0.5));
        assert!((table.expected_error.unwrap() - 0.125).abs() < 1e-12);
    }

    #[test]
    fn nothing_has_no_error_and_no_number_falls_out() {
        assert_eq!(Reliability::default().table(), Calibration { bins: vec![], expected_error: None });
        let mut odd = Reliability::default();
        for probability in [f64::NAN, -1.0, 2.0, 0.9999] {
            odd.add(probability, false);
        }
        assert_eq!(odd.table().bins.iter().map(|bin| bin.count).sum::<u64>(), 4);
    }
}
