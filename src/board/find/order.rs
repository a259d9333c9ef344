//! The order in which a person reads the boards of a page.

use crate::board::BoardRegion;

/// Sorts boards into rows from top to bottom and each row from left to right.
pub fn reading_order(mut regions: Vec<BoardRegion>) -> Vec<BoardRegion> {
    regions.sort_by(|a, b| a.quad.center().y.total_cmp(&b.quad.center().y));
    let mut out: Vec<BoardRegion> = Vec::with_capacity(regions.len());
    let mut row: Vec<BoardRegion> = Vec::new();
    for region in regions {
        let side = region.quad.square_size() * 8.0;
        if row.first().is_some_and(|f| region.quad.center().y - f.quad.center().y > 0.4 * side) {
            row.sort_by(|a, b| a.quad.center().x.total_cmp(&b.quad.center().x));
            out.append(&mut row);
        }
        row.push(region);
    }
    row.sort_by(|a, b| a.quad.center().x.total_cmp(&b.quad.center().x));
    out.append(&mut row);
    out
}
