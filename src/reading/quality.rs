//! Flags about the picture of a board: too small, cut off, badly fitting, unlike anything known, no chess.

use serde::{Deserialize, Serialize};

use super::Orientation;
use crate::board::warp::Homography;
use crate::board::{BoardRegion, Quad};
use crate::chess::placement::squares_in_fen_order;
use crate::chess::{Flag, FlagCode, Placement};

/// Limits under which a board's picture is in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QualityParams {
    /// Pixels a square under which `low_resolution` is raised. Of real diagrams shrunk on purpose
    /// the prototype net read 86 % at 16 px, 75 % at 12 px.
    pub min_square_pixels: f32,
    /// Root mean square misfit of the lattice, in squares, over which `grid_uncertain` is raised.
    /// The net was trained with corners wrong by up to 8 % of a square.
    pub max_lattice_residual: f32,
    /// Outlier measure over which `poor_print` is raised; 1 is the limit that calibration chose.
    pub max_outlier: f32,
}

impl Default for QualityParams {
    fn default() -> Self {
        QualityParams { min_square_pixels: 14.0, max_lattice_residual: 0.08, max_outlier: 1.0 }
    }
}

/// Squares whose middles lie outside a page of `width` x `height` pixels, counted from the picture's top left.
pub fn squares_outside(quad: &Quad, width: f32, height: f32) -> Vec<usize> {
    let Some(board) = Homography::of_board(quad) else { return Vec::new() };
    (0..64usize)
        .filter(|i| {
            let p = board.map((i % 8) as f32 + 0.5, (i / 8) as f32 + 0.5);
            p.x < 0.0 || p.y < 0.0 || p.x > width || p.y > height
        })
        .collect()
}

/// Names a board's squares outside the picture in its flag: what is read there means nothing.
pub fn name_squares_outside(flags: &mut [Flag], outside: &[usize], orientation: Orientation) {
    if outside.is_empty() {
        return;
    }
    for flag in flags.iter_mut().filter(|flag| flag.code == FlagCode::BoardCutOff) {
        let squares: Vec<_> = squares_in_fen_order().collect();
        let square = |&i: &usize| match orientation {
            Orientation::WhiteBottom => squares[i],
            Orientation::BlackBottom => squares[63 - i],
        };
        flag.message =
            format!("{} squares lie outside the picture: what stands there is unknown", outside.len());
        flag.squares = outside.iter().map(square).collect();
    }
}

/// Flags about the picture, of a board read as `placement`.
pub fn quality_flags(
    region: &BoardRegion,
    outlier: f32,
    placement: &Placement,
    params: &QualityParams,
) -> Vec<Flag> {
    let mut flags = Vec::new();
    let size = region.quad.square_size();
    if size < params.min_square_pixels {
        let message = format!("only {size:.0} pixels a square: scan it larger if you can");
        flags.push(Flag::new(FlagCode::LowResolution, message));
    }
    if region.cut_off {
        flags.push(Flag::new(FlagCode::BoardCutOff, "part of the board lies outside the picture"));
    }
    if region.lattice_residual > params.max_lattice_residual {
        let percent = region.lattice_residual * 100.0;
        let message = format!("the 8 x 8 lattice misses the seen lines by {percent:.0} % of a square");
        flags.push(Flag::new(FlagCode::GridUncertain, message));
    }
    // Whichever side is below, a1 is dark: a board misprinted so is rarer than a lattice that slid.
    if region.light_first == Some(false) {
        let message = "the bottom left square is light: the lattice lies one square off (a file or rank may be cut \
                       off), or the board is turned or misprinted";
        flags.push(Flag::new(FlagCode::GridUncertain, message));
    }
    if outlier > params.max_outlier {
        let message = format!("the print is unlike what the net knows ({outlier:.1} times the limit)");
        flags.push(Flag::new(FlagCode::PoorPrint, message));
    }
    if placement.men().next().is_none() {
        flags.push(Flag::new(FlagCode::NotChess, "a board without any man on it"));
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Quad;

    fn region(side: f32, residual: f32, cut_off: bool) -> BoardRegion {
        BoardRegion {
            quad: Quad::from_bounds(0.0, 0.0, side, side),
            lattice_residual: residual,
            score: 1.0,
            cut_off,
            light_first: Some(true),
        }
    }

    fn codes(region: BoardRegion, outlier: f32, placement: &str) -> Vec<FlagCode> {
        let placement = placement.parse().unwrap();
        quality_flags(&region, outlier, &placement, &QualityParams::default())
            .iter()
            .map(|f| f.code)
            .collect()
    }

    #[test]
    fn good_pictures_carry_no_flag() {
        assert_eq!(codes(region(400.0, 0.01, false), 0.4, "8/8/8/8/8/8/8/K6k"), []);
    }

    #[test]
    fn a_cut_boards_flag_names_the_squares_outside() {
        // the middles of the h-file lie on the page, then beyond its edge
        let outside = |width: f32| squares_outside(&Quad::from_bounds(100.0, 0.0, 180.0, 80.0), width, 300.0);
        assert!(outside(176.0).is_empty());
        assert_eq!(outside(173.0), [7, 15, 23, 31, 39, 47, 55, 63]);
        let mut flags = vec![Flag::new(FlagCode::BoardCutOff, "cut")];
        name_squares_outside(&mut flags, &outside(173.0), Orientation::BlackBottom);
        let names: Vec<String> = flags[0].squares.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"]);
    }

    #[test]
    fn each_fault_has_its_flag() {
        let men = "8/8/8/8/8/8/8/K6k";
        assert_eq!(codes(region(100.0, 0.01, false), 0.4, men), [FlagCode::LowResolution]);
        assert_eq!(codes(region(400.0, 0.01, true), 0.4, men), [FlagCode::BoardCutOff]);
        assert_eq!(codes(region(400.0, 0.2, false), 0.4, men), [FlagCode::GridUncertain]);
        let slid = BoardRegion { light_first: Some(false), ..region(400.0, 0.01, false) };
        assert_eq!(codes(slid, 0.4, men), [FlagCode::GridUncertain]);
        let blank = BoardRegion { light_first: None, ..region(400.0, 0.01, false) };
        assert_eq!(codes(blank, 0.4, men), []);
        assert_eq!(codes(region(400.0, 0.01, false), 1.4, men), [FlagCode::PoorPrint]);
        assert_eq!(codes(region(400.0, 0.01, false), 0.4, "8/8/8/8/8/8/8/8"), [FlagCode::NotChess]);
    }
}
