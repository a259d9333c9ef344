//! Pages that are typeset, mixed or made of several pictures: drawn.

use hayro::hayro_interpret::{InterpreterSettings, TransformExt};
use hayro::hayro_syntax::page::Page;
use hayro::kurbo::Affine;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::{Pixmap, RasterizerSettings, RenderContext, Resources, TargetInit};
use hayro::{RenderCache, RenderSettings, render_into};

use super::scout::Found;
use crate::page::decode::Picture;
use crate::page::density::Density;
use crate::page::error::Trouble;
use crate::page::gray::luma;
use crate::page::limits::PageLimits;

/// Bytes a pixel of the canvas: four of its own, and as much for pictures and masks on their way to it.
const BYTES_A_PIXEL: u64 = 12;

/// Share of a page that pictures of one density must cover to count: below that they are ornaments.
const MIN_SHARE: f64 = 0.1;

/// Share from which on a page is a scan in pieces and not a typeset page with pictures.
const SCAN_SHARE: f64 = 0.6;

/// A typeset page with sharp pictures is drawn at up to this multiple of the usual density.
const MAX_MIXED: f64 = 1.6;

/// Draws a page. Its size is chosen from its pictures and held within the limits.
pub fn draw<'a>(
    page: &'a Page<'a>,
    found: &Found,
    settings: &InterpreterSettings,
    limits: &PageLimits,
) -> Result<Picture, Trouble> {
    let (points_across, points_down) = page.render_dimensions();
    let (points_across, points_down) = (f64::from(points_across), f64::from(points_down));
    if !(points_across.is_finite() && points_down.is_finite() && points_across > 0.0 && points_down > 0.0) {
        return Err(Trouble::Damaged(format!("the page measures {points_across} x {points_down} points")));
    }
    let wished = density(found, limits);
    let scale = within(wished, points_across, points_down, limits);
    let side = |points: f64| (points * scale).round().clamp(1.0, f64::from(u16::MAX - 1)) as u16;
    let (width, height) = (side(points_across), side(points_down));
    limits.check_size(width.into(), height.into(), BYTES_A_PIXEL)?;

    let transform =
        Affine::scale_non_uniform(f64::from(width) / points_across, f64::from(height) / points_down)
            * page.initial_transform(true).to_kurbo();
    let mut context = RenderContext::new(width, height);
    // A cache for one page only: kept longer it would grow with the book.
    let cache = RenderCache::new();
    render_into(page, &cache, settings, &RenderSettings::default(), &mut context, transform);
    context.flush();
    let mut canvas = Pixmap::new(width, height);
    let paper = RasterizerSettings { target_init: TargetInit::Clear(WHITE), ..RasterizerSettings::default() };
    context.render_with(&mut canvas, &mut Resources::default(), paper);
    drop(context);

    let gray = canvas.data().iter().map(|pixel| luma(pixel.r, pixel.g, pixel.b)).collect();
    let mut warnings = Vec::new();
    if scale < wished * 0.75 && scale * 72.0 < f64::from(limits.vector_dpi) {
        warnings
            .push(format!("the page is so large that it was drawn at {:.0} dots an inch only", scale * 72.0));
    }
    let dpi = (scale * 72.0) as f32;
    Ok(Picture {
        width: width.into(),
        height: height.into(),
        gray,
        orientation: None,
        density: Density::per_inch(dpi, dpi),
        warnings,
    })
}

/// Pixels a point that do justice to what is on the page.
fn density(found: &Found, limits: &PageLimits) -> f64 {
    let typeset = f64::from(limits.vector_dpi) / 72.0;
    // Pictures of nearly one density are pieces of one scan: strips, or layers of ink on paper.
    let share_of = |density: f64| {
        let alike = found
            .pictures
            .iter()
            .filter(|other| (other.density / density).max(density / other.density) < 1.03);
        alike.map(|other| other.share).sum::<f64>()
    };
    let own = found
        .pictures
        .iter()
        .map(|picture| picture.density)
        .filter(|density| share_of(*density) >= MIN_SHARE);
    let own = own.fold(0.0, f64::max);
    let covered: f64 = found.pictures.iter().map(|picture| picture.share).sum();
    match own {
        0.0 => typeset,
        own if covered >= SCAN_SHARE && !found.has_marks => own,
        // Text or a stamp over a scan: its pixels still rule, but text is not drawn coarse.
        own if covered >= SCAN_SHARE => own.max(typeset.min(own * 2.0)),
        own => own.clamp(typeset, typeset * MAX_MIXED),
    }
}

/// The scale, or the largest one that the limits allow.
fn within(wished: f64, points_across: f64, points_down: f64, limits: &PageLimits) -> f64 {
    let longest = f64::from(limits.max_side.min(u32::from(u16::MAX) - 1)) / points_across.max(points_down);
    let pixels = limits.max_pixels.min(limits.max_decode_bytes / BYTES_A_PIXEL) as f64;
    // A little less, for both sides are rounded.
    let largest = (pixels / (points_across * points_down)).sqrt() * 0.999;
    wished.min(longest).min(largest)
}

#[cfg(test)]
mod tests {
    use super::super::scout::Placed;
    use super::*;

    fn dpi(pictures: &[(f64, f64)], has_marks: bool) -> f64 {
        let pictures =
            pictures.iter().map(|(dpi, share)| Placed { density: dpi / 72.0, share: *share }).collect();
        let found = Found { pictures, has_marks, ..Found::default() };
        (density(&found, &PageLimits::default()) * 72.0).round()
    }

    #[test]
    fn pictures_choose_the_density() {
        // Typeset; with ornaments only.
        assert_eq!(dpi(&[], true), 250.0);
        assert_eq!(dpi(&[(600.0, 0.02)], true), 250.0);
        // Coarse paper under sharp ink: the ink.
        assert_eq!(dpi(&[(100.0, 1.0), (400.0, 1.0)], false), 400.0);
        // A scan in ten strips.
        assert_eq!(dpi(&[(300.0, 0.1); 10], false), 300.0);
        // Diagrams as pictures in a typeset page.
        assert_eq!(dpi(&[(96.0, 0.08); 4], true), 250.0);
        assert_eq!(dpi(&[(1200.0, 0.08); 4], true), 400.0);
        assert_eq!(dpi(&[(300.0, 0.08); 4], true), 300.0);
        // A stamp on a scan.
        assert_eq!(dpi(&[(200.0, 1.0)], true), 250.0);
        assert_eq!(dpi(&[(300.0, 1.0)], true), 300.0);
    }

    #[test]
    fn huge_pages_are_drawn_smaller() {
        let limits = PageLimits::default();
        let scale = within(4.0, 14_400.0, 14_400.0, &limits);
        assert!(14_400.0 * scale <= f64::from(limits.max_side));
        assert!((14_400.0 * scale).powi(2) * 12.0 <= limits.max_decode_bytes as f64);
    }
}
