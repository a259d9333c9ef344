//! Runs intake, workers and review; start, stop, health.

mod params;

pub use params::WorkerParams;
