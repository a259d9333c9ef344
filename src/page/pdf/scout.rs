//! A walk through a page that paints nothing: which pictures lie where, and whether anything else is to be seen.

use hayro::hayro_interpret::font::GlyphRun;
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, SoftMask, TransformExt, interpret_page,
};
use hayro::hayro_syntax::page::Page;
use hayro::kurbo::{Affine, BezPath, Rect, Shape};
use image::metadata::Orientation;

use super::guard;
use super::text::Drawn;
use crate::page::deadline::Deadline;
use crate::page::error::Trouble;
use crate::page::limits::PageLimits;

/// How far a scan may miss or pass the page's edges, as a share of the page's side: rounding of programs that make PDFs.
const EDGE_TOLERANCE: f64 = 0.01;

/// How much the densities of a scan across and down may differ before its pixels are no longer taken for square.
const SQUARE_TOLERANCE: f64 = 1.03;

/// Lines, areas, runs of text and pictures on one page. Maps have some 100,000; what draws millions is made to choke a reader,
/// for the drawing itself cannot be interrupted.
const MAX_DRAWN: usize = 1_000_000;

/// What a page consists of.
#[derive(Debug, Default)]
pub struct Found {
    /// The page is this one picture.
    pub scan: Option<Scan>,
    /// All pictures on the page.
    pub pictures: Vec<Placed>,
    /// Text or drawings are to be seen besides pictures.
    pub has_marks: bool,
    /// Text that is to be seen.
    pub text: Drawn,
    pub warnings: Vec<String>,
}

/// A picture that is the whole page.
#[derive(Debug, Clone, Copy)]
pub struct Scan {
    /// Which picture of the page, in the order of drawing.
    pub ordinal: usize,
    /// How its pixels must be turned to stand upright.
    pub turn: Orientation,
    pub dpi: f64,
}

/// A picture on the page.
#[derive(Debug, Clone, Copy)]
pub struct Placed {
    /// Pixels a point, the larger of both directions.
    pub density: f64,
    /// Share of the page that it covers.
    pub share: f64,
}

/// The placement on the page, in points from the top left: what both walks over a page start with.
pub fn start<'a>(
    page: &'a Page<'a>,
    cache: &InterpreterCache<'a>,
    settings: &InterpreterSettings,
) -> (Context<'a>, Rect) {
    let (width, height) = page.render_dimensions();
    let area = Rect::new(0.0, 0.0, width.into(), height.into());
    let transform = page.initial_transform(true).to_kurbo();
    (Context::new(transform, area, cache, page.xref(), settings.clone()), area)
}

/// Walks through the page. Pictures beyond the limits are an error before they are decoded.
pub fn look<'a>(
    page: &'a Page<'a>,
    settings: &InterpreterSettings,
    limits: &PageLimits,
    deadline: Deadline,
) -> Result<Found, Trouble> {
    let cache = InterpreterCache::new();
    let (mut context, area) = start(page, &cache, settings);
    let mut scout = Scout {
        area,
        limits,
        deadline,
        drawn: 0,
        found: Found::default(),
        ordinal: 0,
        clips: Vec::new(),
        groups: Vec::new(),
        trouble: None,
    };
    interpret_page(page, &mut context, &mut scout);
    match scout.trouble {
        Some(trouble) => Err(trouble),
        None => Ok(scout.found),
    }
}

struct Scout<'l> {
    area: Rect,
    limits: &'l PageLimits,
    deadline: Deadline,
    /// Things drawn so far.
    drawn: usize,
    found: Found,
    ordinal: usize,
    /// For each open clip: whether it cuts into the page.
    clips: Vec<bool>,
    /// For each open group: whether it changes what is drawn.
    groups: Vec<bool>,
    trouble: Option<Trouble>,
}

impl Scout<'_> {
    /// Counts a thing drawn, and looks at the clock now and then.
    fn count(&mut self) {
        self.drawn += 1;
        if self.drawn.is_multiple_of(256) {
            self.deadline.check_or_unwind();
        }
        if self.drawn == MAX_DRAWN {
            let what = "the page draws too many things".into();
            self.trouble.get_or_insert(Trouble::Damaged(what));
        }
    }

    fn mark(&mut self, area: Rect, mode: &DrawMode) {
        self.count();
        if !matches!(mode, DrawMode::Invisible) && self.area.overlaps(area) {
            self.found.has_marks = true;
            self.found.scan = None;
        }
    }

    fn clip(&mut self, area: Rect) {
        self.count();
        let slack = (self.area.width() * EDGE_TOLERANCE, self.area.height() * EDGE_TOLERANCE);
        self.clips.push(!area.inflate(slack.0, slack.1).contains_rect(self.area));
    }

    fn picture(&mut self, image: &Image<'_, '_>, transform: Affine) {
        self.count();
        let ordinal = self.ordinal;
        self.ordinal += 1;
        let (width, height) = (f64::from(image.width()), f64::from(image.height()));
        let area = transform.transform_rect_bbox(Rect::new(0.0, 0.0, width, height));
        let seen = area.intersect(self.area);
        if seen.is_zero_area() || !area.is_finite() {
            return;
        }
        match guard::check_picture(image, self.limits) {
            Ok(warning) => self.found.warnings.extend(warning),
            Err(trouble) => {
                self.trouble.get_or_insert(trouble);
                return;
            }
        }
        let [a, b, c, d, _, _] = transform.as_coeffs();
        let (across, down) = (1.0 / a.hypot(b), 1.0 / c.hypot(d));
        if !across.is_finite() || !down.is_finite() {
            return;
        }
        if guard::is_opaque(image) {
            self.found.text.cover(seen);
        }
        let share = seen.area() / self.area.area();
        self.found.pictures.push(Placed { density: across.max(down), share });

        self.found.scan = None;
        let plain = !self.clips.contains(&true) && !self.groups.contains(&true) && guard::is_opaque(image);
        let square = (across / down).max(down / across) <= SQUARE_TOLERANCE;
        if plain
            && square
            && self.fills_page(area)
            && let Some(turn) = turn([a, b, c, d])
        {
            self.found.scan = Some(Scan { ordinal, turn, dpi: across.max(down) * 72.0 });
        }
    }

    fn fills_page(&self, area: Rect) -> bool {
        let near = |a: f64, b: f64, side: f64| (a - b).abs() <= side * EDGE_TOLERANCE;
        let (width, height) = (self.area.width(), self.area.height());
        near(area.x0, self.area.x0, width)
            && near(area.x1, self.area.x1, width)
            && near(area.y0, self.area.y0, height)
            && near(area.y1, self.area.y1, height)
    }
}

/// The turn that a matrix does, when it is one of the eight that keep the axes.
fn turn([a, b, c, d]: [f64; 4]) -> Option<Orientation> {
    // A scan of 10,000 pixels may be sheared by a pixel.
    let tiny = |off: f64, on: f64| off.abs() <= on.abs() * 1e-4;
    if tiny(b, a) && tiny(c, d) {
        Some(match (a > 0.0, d > 0.0) {
            (true, true) => Orientation::NoTransforms,
            (false, false) => Orientation::Rotate180,
            (false, true) => Orientation::FlipHorizontal,
            (true, false) => Orientation::FlipVertical,
        })
    } else if tiny(a, b) && tiny(d, c) {
        Some(match (b > 0.0, c > 0.0) {
            (true, false) => Orientation::Rotate90,
            (false, true) => Orientation::Rotate270,
            (true, true) => Orientation::Rotate90FlipH,
            (false, false) => Orientation::Rotate270FlipH,
        })
    } else {
        None
    }
}

impl<'a> Device<'a> for Scout<'_> {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.mark(props.transform.transform_rect_bbox(path.bounding_box()).inflate(0.5, 0.5), mode);
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.clip(if is_rectangle(&clip.path) { clip.path.bounding_box() } else { Rect::ZERO });
    }

    fn push_clip_rect(&mut self, rect: &Rect) {
        self.clip(*rect);
    }

    fn push_transparency_group(&mut self, opacity: f32, mask: Option<SoftMask<'a>>, blend: BlendMode) {
        self.groups.push(opacity < 1.0 || mask.is_some() || !matches!(blend, BlendMode::Normal));
    }

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        let area = self.area;
        self.mark(area, mode);
        if !matches!(mode, DrawMode::Invisible) {
            self.found.text.add(run, props.transform);
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        self.picture(&image, props.transform);
    }

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn pop_transparency_group(&mut self) {
        self.groups.pop();
    }
}

/// Whether a path is its own bounding box.
fn is_rectangle(path: &BezPath) -> bool {
    let area = path.bounding_box().area();
    (path.area().abs() - area).abs() <= area * 1e-6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eight_turns_match_the_pictures() {
        // Where the pixel right of the origin and the one below it go, checked against the image crate on a 2 x 2 picture.
        for exif in 1..=8 {
            let orientation = Orientation::from_exif(exif).unwrap();
            let mut picture =
                image::DynamicImage::ImageLuma8(image::GrayImage::from_raw(2, 2, vec![1, 2, 3, 4]).unwrap());
            picture.apply_orientation(orientation);
            let turned = picture.into_luma8();
            let place = |value: u8| {
                let at = turned.iter().position(|found| *found == value).unwrap();
                ((at % 2) as f64, (at / 2) as f64)
            };
            let (origin, right, below) = (place(1), place(2), place(3));
            let matrix = [right.0 - origin.0, right.1 - origin.1, below.0 - origin.0, below.1 - origin.1];
            assert_eq!(turn(matrix), Some(orientation), "{exif}");
        }
    }

    #[test]
    fn a_skewed_scan_is_no_turn() {
        assert_eq!(turn([1.0, 0.01, -0.01, 1.0]), None);
    }
}
