//! Which values settings may have, all in one table. A number that makes no sense must not quietly make the program doubt nothing,
//! or read nothing.

use std::ops::Bound::{self, Excluded, Included, Unbounded};

use figment::Figment;

use super::{ConfigError, Settings};

type Range = (Bound<f64>, Bound<f64>);

/// Above 0, for probabilities: a threshold of 0 would mean that nothing is ever doubted.
const PROBABILITY: Range = (Excluded(0.0), Included(1.0));
/// Odds under 1 would turn the comparison round.
const ODDS: Range = (Included(1.0), Unbounded);
const POSITIVE: Range = (Excluded(0.0), Unbounded);
const NOT_NEGATIVE: Range = (Included(0.0), Unbounded);
/// What is compared with correlations, scores and shares.
const SHARE: Range = (Included(0.0), Included(1.0));
const COUNT: Range = (Included(1.0), Unbounded);

pub(super) const RANGES: &[(&str, Range)] = &[
    ("watch.poll_seconds", POSITIVE),
    ("watch.rescan_seconds", POSITIVE),
    ("watch.settle_seconds", NOT_NEGATIVE),
    ("watch.patience_seconds", NOT_NEGATIVE),
    ("pages.max_file_bytes", COUNT),
    ("pages.max_loaded_bytes", COUNT),
    ("pages.max_pixels", COUNT),
    ("pages.max_decode_bytes", COUNT),
    ("pages.max_pages", COUNT),
    ("pages.max_seconds", COUNT),
    ("pages.vector_dpi", COUNT),
    // the drawing code stops there
    ("pages.max_side", (Included(1.0), Included(65_535.0))),
    ("reading.squares.accept_threshold", PROBABILITY),
    ("reading.squares.max_repair_odds", ODDS),
    ("reading.squares.max_king_odds", ODDS),
    ("reading.squares.material.queen", ODDS),
    ("reading.squares.material.other", ODDS),
    // at 0 and 1 no evidence could ever tell anything else
    ("reading.orientation.prior_white_bottom", (Excluded(0.0), Excluded(1.0))),
    ("reading.orientation.told", PROBABILITY),
    ("reading.orientation.doubt", PROBABILITY),
    ("reading.orientation.contradicted", PROBABILITY),
    ("reading.orientation.printed", NOT_NEGATIVE),
    ("reading.orientation.labels", NOT_NEGATIVE),
    // smaller squares cannot be told from grain, and looking for them takes hours
    ("reading.find.smallest_square", (Included(4.0), Unbounded)),
    ("reading.find.squares_along_page", (Included(8.0), Unbounded)),
    // at 1 the search would never end
    ("reading.find.size_step", (Included(1.01), Included(2.0))),
    ("reading.find.least_correlation", SHARE),
    ("reading.find.least_contrast", NOT_NEGATIVE),
    ("reading.find.texture_correlation", SHARE),
    ("reading.find.least_right", SHARE),
    // Above 1 finds nothing: whoever wants to draw all boards may.
    ("reading.find.least_score", NOT_NEGATIVE),
    ("reading.find.sure_correlation", SHARE),
    ("reading.find.sure_score", SHARE),
    ("reading.turn.boards", COUNT),
    ("reading.quality.min_square_pixels", NOT_NEGATIVE),
    ("reading.quality.max_lattice_residual", POSITIVE),
    ("reading.quality.max_outlier", POSITIVE),
    ("reading.odd.least_empty", COUNT),
    ("reading.odd.least_spread", POSITIVE),
    ("reading.odd.least_contrast", POSITIVE),
    ("reading.odd.brightness", POSITIVE),
    ("reading.odd.busy", POSITIVE),
    ("reading.odd.blank", POSITIVE),
    ("reading.odd.light_spot", POSITIVE),
    ("reading.odd.named", (Excluded(0.0), Included(1.0))),
    ("workers.threads", (Included(0.0), Included(256.0))),
    ("workers.lease_seconds", (Included(1.0), Included(86_400.0))),
    ("workers.max_attempts", COUNT),
    ("workers.retry_seconds", NOT_NEGATIVE),
];

/// Checks what was put together; `figment` tells where a value comes from.
///
/// # Errors
/// The first value out of its range, with its key, its origin and the range.
pub(super) fn check(settings: &Settings, figment: &Figment) -> Result<(), ConfigError> {
    let refuse = |key: &str, message: String| {
        let origin = figment.find_metadata(key).map_or("settings", |metadata| metadata.name.as_ref());
        Err(ConfigError::Value { key: key.to_owned(), origin: origin.to_owned(), message })
    };
    for (key, range) in RANGES {
        // what is no number here is an optional setting that nobody set: kinds were checked before
        let Some(value) = figment.find_value(key).ok().and_then(|value| value.deserialize::<f64>().ok())
        else {
            continue;
        };
        // NaN lies in no range, but in one without bounds
        if value.is_nan() || !std::ops::RangeBounds::contains(range, &value) {
            return refuse(key, format!("{value} is out of range: it must be {}", words(*range)));
        }
    }
    let folders = &settings.watch.folders;
    if folders.is_empty() || folders.iter().any(|folder| folder.as_os_str().is_empty()) {
        return refuse("watch.folders", "it must name at least one folder, and none may be empty".to_owned());
    }
    Ok(())
}

/// "above 0 and at most 1".
fn words((low, high): Range) -> String {
    let low = match low {
        Included(low) => Some(format!("at least {low}")),
        Excluded(low) => Some(format!("above {low}")),
        Unbounded => None,
    };
    let high = match high {
        Included(high) => Some(format!("at most {high}")),
        Excluded(high) => Some(format!("below {high}")),
        Unbounded => None,
    };
    low.into_iter().chain(high).collect::<Vec<_>>().join(" and ")
}
