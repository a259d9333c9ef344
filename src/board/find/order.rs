//! The order in which a person reads the boards of a page.
//!
//! The left page of a spread comes before the right one. Boards that stand in rows are read row by row;
//! boards in columns of text, at unrelated heights, column by column.

use crate::board::{BoardRegion, Quad};

/// A picture wider than this ratio to its height may be two pages side by side.
const SPREAD: f32 = 1.15;
/// Boards whose middles differ in height by less than this share of a side stand in one row.
const SAME_ROW: f32 = 0.4;

/// Sorts boards by the page's layout; `width` and `height` of the page in pixels.
pub fn reading_order(mut regions: Vec<BoardRegion>, width: f32, height: f32) -> Vec<BoardRegion> {
    let quads: Vec<Quad> = regions.iter().map(|r| r.quad).collect();
    let order = order_of(&quads, width, height);
    let mut slots: Vec<Option<BoardRegion>> = regions.drain(..).map(Some).collect();
    order.into_iter().filter_map(|i| slots[i].take()).collect()
}

/// Indices of the quads in reading order.
pub fn order_of(quads: &[Quad], width: f32, height: f32) -> Vec<usize> {
    let all: Vec<usize> = (0..quads.len()).collect();
    if width > SPREAD * height {
        let middle = width / 2.0;
        let (left, right): (Vec<usize>, Vec<usize>) =
            all.iter().partition(|&&i| quads[i].center().x < middle);
        // A board across the middle, or a single row: one page.
        let crossed = quads.iter().any(|q| q.bounds().0 < middle && q.bounds().2 > middle);
        let rows = rows(quads, &all).len();
        if !crossed && rows > 1 && !left.is_empty() && !right.is_empty() {
            return [page_order(quads, &left), page_order(quads, &right)].concat();
        }
    }
    page_order(quads, &all)
}

/// Column by column, whatever the layout: for pages whose numbers run so.
pub fn column_order(quads: &[Quad]) -> Vec<usize> {
    columns(quads, &(0..quads.len()).collect::<Vec<_>>()).concat()
}

/// Row by row, whatever the layout.
pub fn row_order(quads: &[Quad]) -> Vec<usize> {
    rows(quads, &(0..quads.len()).collect::<Vec<_>>()).concat()
}

fn page_order(quads: &[Quad], of: &[usize]) -> Vec<usize> {
    let columns = columns(quads, of);
    if columns.len() > 1 && stands_in_columns(quads, &columns) {
        return columns.concat();
    }
    rows(quads, of).concat()
}

/// From top to bottom, each from left to right.
fn rows(quads: &[Quad], of: &[usize]) -> Vec<Vec<usize>> {
    let center = |i: usize| quads[i].center();
    let mut sorted = of.to_vec();
    sorted.sort_by(|&a, &b| center(a).y.total_cmp(&center(b).y));
    let mut out: Vec<Vec<usize>> = Vec::new();
    for i in sorted {
        let fits = |row: &Vec<usize>| center(i).y - center(row[0]).y <= SAME_ROW * side(&quads[row[0]]);
        match out.last_mut() {
            Some(row) if fits(row) => row.push(i),
            _ => out.push(vec![i]),
        }
    }
    out.iter_mut().for_each(|row| row.sort_by(|&a, &b| center(a).x.total_cmp(&center(b).x)));
    out
}

/// From left to right, each from top to bottom: boards of a column overlap from left to right by more than half.
fn columns(quads: &[Quad], of: &[usize]) -> Vec<Vec<usize>> {
    let center = |i: usize| quads[i].center();
    let mut sorted = of.to_vec();
    sorted.sort_by(|&a, &b| center(a).x.total_cmp(&center(b).x));
    let mut out: Vec<Vec<usize>> = Vec::new();
    for i in sorted {
        let fits = |column: &Vec<usize>| center(i).x - center(column[0]).x <= 0.5 * side(&quads[column[0]]);
        match out.last_mut() {
            Some(column) if fits(column) => column.push(i),
            _ => out.push(vec![i]),
        }
    }
    out.iter_mut().for_each(|column| column.sort_by(|&a, &b| center(a).y.total_cmp(&center(b).y)));
    out
}

/// Whether most boards of the shorter columns stand beside one of the longest column and not at its height. Boards beside
/// which there is none, left and right in turn with text around, follow each other down the page.
fn stands_in_columns(quads: &[Quad], columns: &[Vec<usize>]) -> bool {
    let Some(longest) = (0..columns.len()).max_by_key(|&i| columns[i].len()) else { return false };
    let (mut askew, mut all) = (0, 0);
    for (k, column) in columns.iter().enumerate() {
        for &i in column.iter().filter(|_| k != longest) {
            let away = |j: usize| (quads[i].center().y - quads[j].center().y).abs() / side(&quads[i]);
            let nearest = columns[longest].iter().map(|&j| away(j)).fold(f32::MAX, f32::min);
            askew += usize::from((0.5 * SAME_ROW..0.9).contains(&nearest));
            all += 1;
        }
    }
    2 * askew > all
}

fn side(quad: &Quad) -> f32 {
    8.0 * quad.square_size()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards of side 100 with these top left corners.
    fn boards(corners: &[(f32, f32)]) -> Vec<Quad> {
        corners.iter().map(|&(x, y)| Quad::from_bounds(x, y, x + 100.0, y + 100.0)).collect()
    }

    #[test]
    fn a_grid_is_read_row_by_row_also_when_a_little_askew() {
        let quads = boards(&[(220.0, 60.0), (50.0, 50.0), (55.0, 250.0), (225.0, 262.0)]);
        assert_eq!(order_of(&quads, 400.0, 600.0), [1, 0, 2, 3]);
        assert_eq!(column_order(&quads), [1, 2, 0, 3]);
    }

    #[test]
    fn columns_of_text_are_read_one_after_the_other() {
        let quads = boards(&[(50.0, 50.0), (220.0, 110.0), (50.0, 250.0), (220.0, 330.0)]);
        assert_eq!(order_of(&quads, 400.0, 600.0), [0, 2, 1, 3]);
    }

    #[test]
    fn the_left_page_of_a_spread_comes_first() {
        let quads = boards(&[(50.0, 50.0), (250.0, 50.0), (450.0, 50.0), (50.0, 200.0), (450.0, 200.0)]);
        assert_eq!(order_of(&quads, 750.0, 500.0), [0, 1, 3, 2, 4]);
        // a single row, or a board across the middle, is one page
        let row = boards(&[(50.0, 50.0), (250.0, 50.0), (450.0, 50.0)]);
        assert_eq!(order_of(&row, 750.0, 500.0), [0, 1, 2]);
    }

    #[test]
    fn boards_left_and_right_in_turn_follow_each_other_down_the_page() {
        let quads = boards(&[(250.0, 50.0), (50.0, 180.0), (250.0, 310.0)]);
        assert_eq!(order_of(&quads, 400.0, 600.0), [0, 1, 2]);
    }

    #[test]
    fn three_in_a_column_and_one_beside_the_second() {
        let quads = boards(&[(50.0, 50.0), (50.0, 250.0), (50.0, 450.0), (250.0, 255.0)]);
        assert_eq!(order_of(&quads, 400.0, 600.0), [0, 1, 3, 2]);
    }
}
