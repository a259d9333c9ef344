//! How well labelled scans are read: what was found, what is right, what is silently wrong, and whether the probabilities
//! mean what they say.
//!
//! Pure functions from labels and readings to figures; the command `fenwatch evaluate` reads the pages. The
//! labels' format is described in `docs/labels.md`.

mod calibration;
mod compare;
mod figures;
mod labels;
mod report;

#[cfg(test)]
mod tests;

pub use calibration::{Bin, Calibration, Reliability};
pub use compare::{Compared, Found, ReadDiagram, compare};
pub use figures::{Confusion, Evaluation, Figures, Shares, UnreadPage, WrongDiagram};
pub use labels::{Label, LabelError, LabelledPage, Labels};
pub use report::text;
