//! A page that is one picture: its own pixels.

use hayro::hayro_interpret::font::GlyphRun;
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageData, ImageDrawProps, InterpreterCache,
    InterpreterSettings, LumaData, RasterImage, SoftMask, interpret_page,
};
use hayro::hayro_syntax::Filter;
use hayro::hayro_syntax::object::dict::keys::{COLORSPACE, DECODE, DECODE_PARMS};
use hayro::hayro_syntax::object::{Array, Name};
use hayro::hayro_syntax::page::Page;
use hayro::kurbo::BezPath;

use super::scout::{self, Scan};
use crate::page::deadline::Deadline;
use crate::page::decode::{self, Picture};
use crate::page::density::Density;
use crate::page::error::Trouble;
use crate::page::gray::{Samples, over_white};
use crate::page::jp2::codestream_size;
use crate::page::jpeg;
use crate::page::limits::PageLimits;

/// Decodes the picture of a page as it is stored.
pub fn take_out<'a>(
    page: &'a Page<'a>,
    scan: Scan,
    settings: &InterpreterSettings,
    limits: &PageLimits,
    deadline: Deadline,
) -> Result<Picture, Trouble> {
    let cache = InterpreterCache::new();
    let (mut context, _) = scout::start(page, &cache, settings);
    let mut taker = Taker { scan, limits, deadline, ordinal: 0, taken: None };
    interpret_page(page, &mut context, &mut taker);
    let mut picture = taker
        .taken
        .unwrap_or_else(|| Err(Trouble::Damaged("the page's picture cannot be decoded".into())))?;
    picture.orientation = Some(scan.turn);
    picture.density = Density::per_inch(scan.dpi as f32, scan.dpi as f32);
    Ok(picture)
}

struct Taker<'l> {
    scan: Scan,
    limits: &'l PageLimits,
    deadline: Deadline,
    ordinal: usize,
    taken: Option<Result<Picture, Trouble>>,
}

impl<'a> Device<'a> for Taker<'_> {
    fn draw_image(&mut self, image: Image<'a, '_>, _: ImageDrawProps<'a>) {
        if self.ordinal == self.scan.ordinal
            && let Image::Raster(raster) = &image
        {
            self.taken = if is_plain_jpeg(raster) {
                Some(jpeg::picture(&raster.stream().raw_data(), self.limits, self.deadline))
            } else {
                decoded(raster, self.limits)
            };
        }
        self.ordinal += 1;
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn draw_glyph_run(&mut self, _: &GlyphRun<'_, 'a>, _: DrawProps<'a>, _: &DrawMode) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}

/// Whether the picture is a JPEG whose colours mean what they would in a file of its own. Our own decoder then sees damage that the
/// library paints gray without a word, and takes a third of the memory.
fn is_plain_jpeg(raster: &RasterImage<'_>) -> bool {
    let stream = raster.stream();
    let dict = stream.dict();
    let named = |name: &Name<'_>| {
        matches!(
            name.as_ref(),
            b"DeviceGray" | b"DeviceRGB" | b"CalGray" | b"CalRGB" | b"ICCBased" | b"G" | b"RGB"
        )
    };
    let colours = match (dict.get::<Name<'_>>(COLORSPACE), dict.get::<Array<'_>>(COLORSPACE)) {
        (Some(name), _) => named(&name),
        (None, Some(array)) => array.iter::<Name<'_>>().next().is_some_and(|name| named(&name)),
        (None, None) => false,
    };
    colours
        && stream.filters()[..] == [Filter::DctDecode]
        && !dict.contains_key(DECODE)
        && !dict.contains_key(DECODE_PARMS)
}

/// Lets the library decode the picture. Nothing when it cannot.
fn decoded(raster: &RasterImage<'_>, limits: &PageLimits) -> Option<Result<Picture, Trouble>> {
    let stream = raster.stream();
    let mut target = None;
    if stream.filters()[..] == [Filter::JpxDecode]
        && let Some(size) = codestream_size(&stream.raw_data())
        && let Ok(divisor @ 2..) = size.check(limits)
    {
        target = Some((size.width / divisor, size.height / divisor));
    }
    let mut taken = None;
    raster.with_rgba(|data, alpha| taken = Some(picture(data, alpha, limits)), target);
    let mut picture = taken?;
    if let Ok(picture) = &mut picture {
        let due = if target.is_some() { picture.height } else { raster.height() };
        if picture.height < due {
            let rows = picture.height;
            picture.warnings.push(decode::missing_rows(rows, due));
            picture.gray.resize(picture.width as usize * due as usize, 255);
            picture.height = due;
        }
        if target.is_some() {
            picture.warnings.push(format!(
                "the picture is so large that it was read at {} x {} pixels",
                picture.width, picture.height
            ));
        }
    }
    Some(picture)
}

fn picture(data: ImageData, alpha: Option<LumaData>, limits: &PageLimits) -> Result<Picture, Trouble> {
    let (width, height) = (data.width(), data.height());
    limits.check_size(width, height, 0)?;
    let mut gray = match data {
        ImageData::Luma(luma) => luma.data,
        ImageData::Rgb(rgb) => {
            let mut gray = decode::white(width, height);
            Samples::Rgb.to_gray(&rgb.data, &mut gray);
            gray
        }
    };
    if let Some(alpha) = alpha.filter(|alpha| (alpha.width, alpha.height) == (width, height)) {
        gray.iter_mut().zip(&alpha.data).for_each(|(value, alpha)| *value = over_white(*value, *alpha));
    }
    Ok(Picture { width, height, gray, orientation: None, density: Density::UNKNOWN, warnings: Vec::new() })
}
