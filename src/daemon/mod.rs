//! Runs intake, workers and review; start, stop, health.
