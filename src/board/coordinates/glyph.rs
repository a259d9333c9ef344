//! One glyph beside a board: normalised and read by a small net (`models/coordinates.bin`, trained by
//! `models/train/coordinates.py`).

use std::sync::LazyLock;

/// Side of a normalised glyph, in pixels, and the longer side of its ink.
pub const SIDE: usize = 16;
const FILL: f32 = 14.0;
/// Answers: a to h in either case, 1 to 8, anything else.
pub const CLASSES: usize = 17;

static WEIGHTS: &[u8] = include_bytes!("../../../models/coordinates.bin");
static NET: LazyLock<Option<Net>> = LazyLock::new(|| Net::parse(WEIGHTS, CLASSES));

/// Probabilities of the glyph's meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meaning(pub [f32; CLASSES]);

impl Meaning {
    /// Probability of the file's letter; 0 is the a-file.
    pub fn file(&self, file: usize) -> f32 {
        self.0[file]
    }

    /// Probability of the rank's digit; 0 is rank 1.
    pub fn rank(&self, rank: usize) -> f32 {
        self.0[8 + rank]
    }
}

/// The ink's bounding box in a picture of ink values (0 paper to 1 ink), `value` giving that of a pixel: 16 x 16 values, row by row.
pub fn normalise(
    x0: f32,
    y0: f32,
    x1: f32,
    y1: f32,
    value: impl Fn(isize, isize) -> f32,
) -> [f32; SIDE * SIDE] {
    let step = (x1 - x0).max(y1 - y0) / FILL;
    let (cx, cy) = ((x0 + x1) / 2.0, (y0 + y1) / 2.0);
    let half = SIDE as f32 / 2.0;
    std::array::from_fn(|i| {
        let x = cx + ((i % SIDE) as f32 + 0.5 - half) * step - 0.5;
        let y = cy + ((i / SIDE) as f32 + 0.5 - half) * step - 0.5;
        let (fx, fy) = (x - x.floor(), y - y.floor());
        let (x, y) = (x.floor() as isize, y.floor() as isize);
        let top = value(x, y) * (1.0 - fx) + value(x + 1, y) * fx;
        let bottom = value(x, y + 1) * (1.0 - fx) + value(x + 1, y + 1) * fx;
        (top * (1.0 - fy) + bottom * fy).clamp(0.0, 1.0)
    })
}

/// Reads a normalised glyph. `None` when the net is not there: its file is damaged.
pub fn read(glyph: &[f32; SIDE * SIDE]) -> Option<Meaning> {
    let answers = NET.as_ref()?.read(glyph);
    Some(Meaning(std::array::from_fn(|i| answers[i])))
}

/// Two layers; each row holds the weights of one unit and its bias last.
pub struct Net {
    hidden: Layer,
    answers: Layer,
}

struct Layer {
    columns: usize,
    values: Vec<f32>,
}

impl Net {
    /// A net of the trainers' file with so many answers.
    pub fn parse(bytes: &[u8], classes: usize) -> Option<Net> {
        let mut rest = bytes.strip_prefix(b"FWC1")?;
        let hidden = Layer::parse(&mut rest)?;
        let answers = Layer::parse(&mut rest)?;
        let units = hidden.values.len() / hidden.columns;
        let fits = hidden.columns == SIDE * SIDE + 1
            && answers.columns == units + 1
            && answers.values.len() == classes * answers.columns;
        fits.then_some(Net { hidden, answers })
    }

    /// Probabilities of the answers for a normalised glyph.
    pub fn read(&self, glyph: &[f32; SIDE * SIDE]) -> Vec<f32> {
        let hidden: Vec<f32> = self.hidden.apply(glyph).map(|v| v.max(0.0)).collect();
        let logits: Vec<f32> = self.answers.apply(&hidden).collect();
        let top = logits.iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = logits.iter().map(|v| (v - top).exp()).sum();
        logits.iter().map(|v| (v - top).exp() / sum).collect()
    }
}

impl Layer {
    fn parse(rest: &mut &[u8]) -> Option<Layer> {
        let rows = number(rest)? as usize;
        let columns = number(rest)? as usize;
        let size = rows.checked_mul(columns)?.checked_mul(4)?;
        if size == 0 || rest.len() < size {
            return None;
        }
        let (mine, after) = rest.split_at(size);
        *rest = after;
        let values = mine.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        Some(Layer { columns, values })
    }

    fn apply<'a>(&'a self, input: &'a [f32]) -> impl Iterator<Item = f32> + 'a {
        self.values.chunks_exact(self.columns).map(move |row| {
            let (weights, bias) = row.split_at(self.columns - 1);
            weights.iter().zip(input).map(|(w, v)| w * v).sum::<f32>() + bias[0]
        })
    }
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    let (four, after) = rest.split_at_checked(4)?;
    *rest = after;
    Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_net_has_its_shape() {
        assert!(NET.is_some());
        assert!(Net::parse(&WEIGHTS[..WEIGHTS.len() - 1], CLASSES).is_none());
    }

    #[test]
    fn a_stem_with_flag_and_foot_is_a_one() {
        let one = |x: isize, y: isize| {
            let stem = (10..13).contains(&x) && (4..22).contains(&y);
            let foot = (7..16).contains(&x) && (20..22).contains(&y);
            let flag = (7..10).contains(&x) && (6..8).contains(&y);
            f32::from(u8::from(stem || foot || flag))
        };
        let glyph = normalise(7.0, 4.0, 16.0, 22.0, one);
        // the ink is 14 pixels high, in the middle
        let column: f32 = (0..SIDE).map(|y| glyph[y * SIDE + 8]).sum();
        assert!((13.0..15.0).contains(&column), "{column}");
        let said = read(&glyph).unwrap();
        assert!(said.rank(0) > 0.5, "{said:?}");
    }
}
