//! What the segments of a JPEG say that its decoder does not pass on.

use super::density::Density;

/// Facts from the segments.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Marks {
    /// From the JFIF segment.
    pub density: Density,
    /// There is an Adobe segment: CMYK is stored inverted.
    pub adobe: bool,
    pub progressive: bool,
    /// The end mark follows the picture's data.
    pub complete: bool,
}

/// Walks over the segments; stops where they make no sense.
pub fn read(bytes: &[u8]) -> Marks {
    let mut marks = Marks::default();
    let mut at = 2;
    while let Some((mark, body)) = segment(bytes, at) {
        match mark {
            0xe0 if body.starts_with(b"JFIF\0") && body.len() >= 12 => marks.density = jfif_density(body),
            0xee if body.starts_with(b"Adobe") => marks.adobe = true,
            0xc2 | 0xc6 | 0xca | 0xce => marks.progressive = true,
            0xda => {
                marks.complete = ends(&bytes[at..]);
                break;
            }
            _ => {}
        }
        at += 4 + body.len();
        // Fill bytes may stand before a mark.
        while bytes.get(at) == Some(&0xff) && bytes.get(at + 1) == Some(&0xff) {
            at += 1;
        }
    }
    marks
}

fn segment(bytes: &[u8], at: usize) -> Option<(u8, &[u8])> {
    let [0xff, mark, high, low] = *bytes.get(at..at + 4)? else { return None };
    let length = usize::from(u16::from_be_bytes([high, low]));
    Some((mark, bytes.get(at + 4..at + 2 + length.max(2))?))
}

fn jfif_density(body: &[u8]) -> Density {
    let x = f32::from(u16::from_be_bytes([body[8], body[9]]));
    let y = f32::from(u16::from_be_bytes([body[10], body[11]]));
    match body[7] {
        1 => Density::per_inch(x, y),
        2 => Density::per_centimetre(x, y),
        _ => Density::UNKNOWN,
    }
}

/// Whether an end mark stands anywhere in the data. A plain search is exact: inside the data 0xff is always escaped.
fn ends(data: &[u8]) -> bool {
    data.windows(2).rev().any(|pair| pair == [0xff, 0xd9])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jfif(unit: u8, density: u16) -> Vec<u8> {
        let mut bytes = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01".to_vec();
        bytes.push(unit);
        bytes.extend(density.to_be_bytes());
        bytes.extend(density.to_be_bytes());
        bytes.extend(b"\0\0");
        bytes
    }

    #[test]
    fn densities() {
        assert_eq!(read(&jfif(1, 400)).density.dpi(), Some(400.0));
        assert_eq!(read(&jfif(2, 118)).density.dpi(), Some(299.72));
        assert_eq!(read(&jfif(0, 1)).density.dpi(), None);
    }

    #[test]
    fn end_mark() {
        let mut bytes = jfif(1, 300);
        bytes.extend(b"\xff\xda\0\x02data");
        assert!(!read(&bytes).complete);
        bytes.extend(b"\xff\xd9");
        assert!(read(&bytes).complete);
    }

    #[test]
    fn cut_segments_do_no_harm() {
        let bytes = [&jfif(1, 300)[..], b"\xff\xee\0\x0eAdobe\0\0\0\0\0\0\0"].concat();
        for length in 0..bytes.len() {
            read(&bytes[..length]);
        }
        assert!(read(&bytes).adobe);
    }
}
