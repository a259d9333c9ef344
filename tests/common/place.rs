//! Where a read board lies against its label.

use fenwatch::board::Quad;

/// Intersection over union of a label's box (left, top, right, bottom) and a quad's bounds.
pub fn overlap(a: &[f32; 4], quad: &Quad) -> f32 {
    let b = quad.bounds();
    let w = (a[2].min(b.2) - a[0].max(b.0)).max(0.0);
    let h = (a[3].min(b.3) - a[1].max(b.1)).max(0.0);
    let both = (a[2] - a[0]) * (a[3] - a[1]) + (b.2 - b.0) * (b.3 - b.1) - w * h;
    w * h / both
}
