//! Looks at sizes before anything is unpacked, for the PDF library itself knows no limits.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::read::ZlibDecoder;
use hayro::hayro_interpret::Image;
use hayro::hayro_syntax::Filter;
use hayro::hayro_syntax::object::dict::keys::{
    CONTENTS, MASK, RESOURCES, SMASK, SMASK_IN_DATA, SUBTYPE, XOBJECT,
};
use hayro::hayro_syntax::object::{Array, Dict, Name, Stream};
use hayro::hayro_syntax::page::Page;

use crate::page::error::Trouble;
use crate::page::jp2::codestream_size;
use crate::page::limits::PageLimits;
use crate::page::{jpeg_codes, jpeg_marks};

/// A deflated byte becomes at most 1,032.
const MAX_DEFLATE_RATIO: u64 = 1032;

/// Bytes a pixel that the drawing of a picture takes: its colours and a copy with alpha.
const BYTES_A_PIXEL: u64 = 7;

/// Depth and number of forms within forms that are looked into.
const MAX_FORM_DEPTH: usize = 4;
const MAX_FORMS: usize = 1000;

/// Refuses pages whose instructions unpack to more than the limit.
pub fn check_contents(page: &Page<'_>, limits: &PageLimits) -> Result<(), Trouble> {
    if let Some(stream) = page.raw().get::<Stream<'_>>(CONTENTS) {
        check_unpacked(&stream, limits)?;
    } else if let Some(parts) = page.raw().get::<Array<'_>>(CONTENTS) {
        for stream in parts.iter::<Stream<'_>>() {
            check_unpacked(&stream, limits)?;
        }
    }
    let mut left = MAX_FORMS;
    check_forms(&page.resources().x_objects, limits, MAX_FORM_DEPTH, &mut left)
}

fn check_forms(
    objects: &Dict<'_>,
    limits: &PageLimits,
    depth: usize,
    left: &mut usize,
) -> Result<(), Trouble> {
    for name in objects.keys() {
        let Some(stream) = objects.get::<Stream<'_>>(name) else { continue };
        if stream.dict().get::<Name<'_>>(SUBTYPE).is_none_or(|kind| kind.as_ref() != b"Form") || *left == 0 {
            continue;
        }
        *left -= 1;
        check_unpacked(&stream, limits)?;
        let inner =
            stream.dict().get::<Dict<'_>>(RESOURCES).and_then(|resources| resources.get::<Dict<'_>>(XOBJECT));
        if let Some(inner) = inner.filter(|_| depth > 0) {
            check_forms(&inner, limits, depth - 1, left)?;
        }
    }
    Ok(())
}

/// Refuses pictures beyond the limits; gives a warning when one is cut.
pub fn check_picture(image: &Image<'_, '_>, limits: &PageLimits) -> Result<Option<String>, Trouble> {
    let stream = stream(image);
    let (width, height) = (image.width(), image.height());
    limits.check_size(width, height, if is_bilevel(stream) { 3 } else { BYTES_A_PIXEL })?;
    check_unpacked(stream, limits)?;
    for mask in [SMASK, MASK].into_iter().filter_map(|key| stream.dict().get::<Stream<'_>>(key)) {
        let side = |key: &[u8]| mask.dict().get::<u32>(key).unwrap_or(1).max(1);
        limits.check_size(side(b"Width"), side(b"Height"), 2)?;
        check_unpacked(&mask, limits)?;
    }
    match stream.filters().last() {
        Some(Filter::JpxDecode) => {
            if let Some(size) = codestream_size(&innermost(stream)) {
                size.check(limits)?;
            }
        }
        Some(Filter::Jbig2Decode) => {
            if let Some((width, height)) = jbig2_size(&innermost(stream)) {
                limits.check_size(width, height, 2)?;
            }
        }
        Some(Filter::DctDecode) => {
            let bytes = innermost(stream);
            if !jpeg_marks::read(&bytes).complete {
                return Ok(Some("a JPEG picture on the page ends early: parts of it may be missing".into()));
            }
            if jpeg_codes::damaged_row(&bytes).is_some() {
                return Ok(Some("a JPEG picture on the page is damaged: parts of it may be wrong".into()));
            }
        }
        _ => {}
    }
    Ok(None)
}

/// Whether nothing can shine through the picture.
pub fn is_opaque(image: &Image<'_, '_>) -> bool {
    let dict = stream(image).dict();
    matches!(image, Image::Raster(_))
        && ![SMASK, MASK, SMASK_IN_DATA].into_iter().any(|key| dict.contains_key(key))
}

fn is_bilevel(stream: &Stream<'_>) -> bool {
    matches!(stream.filters().last(), Some(Filter::CcittFaxDecode | Filter::Jbig2Decode))
        || stream.dict().get::<u8>(b"BitsPerComponent" as &[u8]) == Some(1)
}

/// The packed bytes of a picture.
fn stream<'a>(image: &'a Image<'_, '_>) -> &'a Stream<'a> {
    match image {
        Image::Stencil(stencil) => stencil.stream(),
        Image::Raster(raster) => raster.stream(),
    }
}

/// The bytes of a stream whose only filter is that of its picture; nothing for those packed once more.
fn innermost<'a>(stream: &Stream<'a>) -> Cow<'a, [u8]> {
    if stream.filters().len() == 1 { stream.raw_data() } else { Cow::Borrowed(&[]) }
}

/// Inflates into nothing to see how much comes, when it could be too much.
fn check_unpacked(stream: &Stream<'_>, limits: &PageLimits) -> Result<(), Trouble> {
    let layers = stream.filters().iter().take_while(|filter| **filter == Filter::FlateDecode).count();
    if layers == 0 {
        return Ok(());
    }
    let raw = stream.raw_data();
    if layers == 1 && (raw.len() as u64).saturating_mul(MAX_DEFLATE_RATIO) <= limits.max_decode_bytes {
        return Ok(());
    }
    let mut reader: Box<dyn Read + '_> = Box::new(&raw[..]);
    for _ in 0..layers {
        reader = Box::new(ZlibDecoder::new(reader));
    }
    // Damage is the business of the library, which mends what it can.
    let most = limits.max_decode_bytes;
    let unpacked = count(&mut reader.take(most + 1));
    if unpacked > most {
        let what = "a stream of the page unpacks to too many bytes".into();
        return Err(Trouble::TooLarge { what, limit: most, setting: "max_decode_bytes" });
    }
    Ok(())
}

fn count(reader: &mut impl Read) -> u64 {
    let mut buffer = vec![0; 64 << 10];
    let mut total = 0;
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return total,
            Ok(length) => total += length as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return total,
        }
    }
}

/// Width and height of the page information segment (T.88, sections 7.2 and 7.4.8) among the first segments.
fn jbig2_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let mut at = 0;
    for _ in 0..64 {
        let segment = number(at)?;
        let flags = *bytes.get(at + 4)?;
        let count = usize::from(*bytes.get(at + 5)? >> 5);
        let mut after = at + 6;
        let references = if count == 7 {
            let long = (number(at + 5)? & 0x1fff_ffff) as usize;
            after = at + 9 + (long + 1).div_ceil(8);
            long
        } else {
            count
        };
        let size = if segment <= 256 {
            1
        } else if segment <= 65_536 {
            2
        } else {
            4
        };
        after += references.checked_mul(size)? + if flags & 0x40 == 0 { 1 } else { 4 };
        let length = number(after)? as usize;
        if flags & 0x3f == 48 {
            let height = number(after + 8)?;
            // An unknown height is told by the stripes, and bounded by the dictionary of the picture.
            return Some((number(after + 4)?, if height == u32::MAX { 1 } else { height }));
        }
        at = after.checked_add(4)?.checked_add(length)?;
    }
    None
}
