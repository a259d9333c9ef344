//! DjVu: books of bitonal pages, photographs, and both in layers.

use std::sync::Arc;

use djvu_rs::djvu_document::DocError;
use djvu_rs::djvu_render::{RenderError, RenderOptions, RenderRequest};
use djvu_rs::resource_limits::{ParseOptions, ResourceLimitAxis, ResourceLimits};
use djvu_rs::{DjVuDocument, DjVuPage, Rotation};
use image::metadata::Orientation;

use super::Page;
use super::deadline::Deadline;
use super::decode::{self, Pages, Picture};
use super::density::Density;
use super::error::Trouble;
use super::gray::luma;
use super::limits::PageLimits;

/// Bytes a pixel of a page in layers: the drawn page in four, wavelet coefficients of the background in up to six.
const BYTES_A_PIXEL: u64 = 8;

/// A DjVu file.
pub struct DjVuPages {
    document: DjVuDocument,
    limits: PageLimits,
    cut_short: bool,
}

impl DjVuPages {
    pub fn open(bytes: Arc<Vec<u8>>, limits: PageLimits) -> Result<Self, Trouble> {
        let cut_short = ends_early(&bytes);
        // The sizes of pages are checked page by page, so that one monster does not cost the book.
        let caps = ResourceLimits {
            max_pages: Some(limits.max_pages.into()),
            max_components: Some(u64::from(limits.max_pages) * 4 + 64),
            max_render_pixels: Some(limits.max_pixels),
            ..ResourceLimits::default()
        };
        let document = DjVuDocument::parse_with_options(&bytes, &ParseOptions { limits: Some(caps) });
        let document = document.map_err(|error| {
            if cut_short && !is_limit(&error) { Trouble::Truncated } else { trouble(error) }
        })?;
        Ok(Self { document, limits, cut_short })
    }
}

impl Pages for DjVuPages {
    fn count(&self) -> u32 {
        u32::try_from(self.document.page_count()).unwrap_or(u32::MAX)
    }

    fn is_cut_short(&mut self, _: Deadline) -> Result<bool, Trouble> {
        Ok(self.cut_short)
    }

    fn read(&mut self, index: u32, deadline: Deadline) -> Result<Page, Trouble> {
        let page = self.document.page(index as usize).map_err(trouble)?;
        let (width, height) = (u32::from(page.width()), u32::from(page.height()));
        let has = |id: &[u8; 4]| page.find_chunk(id).is_some();
        let bitonal = (has(b"Sjbz") || has(b"Smmr"))
            && ![b"BG44", b"FG44", b"FGbz", b"BGjp", b"FGjp", b"BG2k", b"FG2k"].into_iter().any(has);
        self.limits.check_size(width, height, if bitonal { 1 } else { BYTES_A_PIXEL })?;
        deadline.check()?;
        let picture = if bitonal { mask(page, width, height)? } else { None };
        let picture = match picture {
            Some(picture) => picture,
            None => layers(page, width, height)?,
        };
        // Decoded layers would pile up from page to page.
        page.evict_render_cache();
        picture.into_page()
    }
}

/// A page of ink alone, without a detour over colours. Nothing when it is damaged or does not fit.
fn mask(page: &DjVuPage, width: u32, height: u32) -> Result<Option<Picture>, Trouble> {
    let Ok(Some(mask)) = page.extract_mask() else { return Ok(None) };
    if (mask.width, mask.height) != (width, height) {
        return Ok(None);
    }
    let mut gray = decode::white(width, height);
    for (y, row) in gray.chunks_exact_mut(width as usize).enumerate() {
        for (x, value) in row.iter_mut().enumerate() {
            if mask.get(x as u32, y as u32) {
                *value = 0;
            }
        }
    }
    let orientation = Some(match page.rotation() {
        Rotation::None => Orientation::NoTransforms,
        Rotation::Ccw90 => Orientation::Rotate270,
        Rotation::Rot180 => Orientation::Rotate180,
        Rotation::Cw90 => Orientation::Rotate90,
    });
    Ok(Some(Picture { width, height, gray, orientation, density: density(page), warnings: Vec::new() }))
}

/// A page drawn from all its layers at its own size; the drawing turns it upright.
fn layers(page: &DjVuPage, width: u32, height: u32) -> Result<Picture, Trouble> {
    let strict = RenderOptions { width, height, ..RenderOptions::default() };
    let (drawn, warnings) = match RenderRequest::new(strict.clone()).pixmap(page) {
        Ok(drawn) => (drawn, Vec::new()),
        Err(_) => {
            let tolerant = RenderRequest::new(RenderOptions { permissive: true, ..strict });
            let (drawn, report) = tolerant.pixmap_with_report(page).map_err(render_trouble)?;
            let warnings = report
                .recoveries
                .iter()
                .map(|lost| {
                    format!("the page is damaged, its layer {:?} is incomplete: {}", lost.layer, lost.detail)
                })
                .collect();
            (drawn, warnings)
        }
    };
    let gray = drawn.data.chunks_exact(4).map(|pixel| luma(pixel[0], pixel[1], pixel[2])).collect();
    Ok(Picture {
        width: drawn.width,
        height: drawn.height,
        gray,
        orientation: None,
        density: density(page),
        warnings,
    })
}

fn density(page: &DjVuPage) -> Density {
    let dpi = f32::from(page.dpi());
    Density::per_inch(dpi, dpi)
}

/// Whether the outermost form is longer than the file.
fn ends_early(bytes: &[u8]) -> bool {
    let form = if bytes.starts_with(b"AT&T") { 4 } else { 0 };
    match bytes.get(form + 4..form + 8) {
        Some(four) => {
            let length = u64::from(u32::from_be_bytes([four[0], four[1], four[2], four[3]]));
            length + form as u64 + 8 > bytes.len() as u64
        }
        None => true,
    }
}

fn is_limit(error: &DocError) -> bool {
    matches!(error, DocError::ResourceLimit(_))
}

fn trouble(error: DocError) -> Trouble {
    match error {
        DocError::NoResolver | DocError::IndirectResolve(_) | DocError::ComponentResolve(_) => {
            Trouble::Unsupported(
                "a DjVu index whose pages are files of their own (djvmcvt -b bundles them)".into(),
            )
        }
        DocError::ResourceLimit(limit) if limit.axis == ResourceLimitAxis::PageCount => Trouble::TooLarge {
            what: format!("the file has {} pages", limit.found),
            limit: limit.limit,
            setting: "max_pages",
        },
        other => Trouble::Damaged(other.to_string()),
    }
}

fn render_trouble(error: RenderError) -> Trouble {
    match error {
        RenderError::ResourceLimit(limit) => Trouble::TooLarge {
            what: format!("the page has {} pixels", limit.found),
            limit: limit.limit,
            setting: "max_pixels",
        },
        RenderError::Doc(error) => trouble(error),
        other => Trouble::Damaged(other.to_string()),
    }
}
