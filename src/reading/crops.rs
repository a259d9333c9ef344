//! Pictures of a diagram that are kept, so that a reviewer needs no original.

use std::io::Cursor;

use image::{GrayImage, ImageFormat, imageops};

use crate::board::{Quad, QuarterTurn};
use crate::caption::PixelRect;

/// A PNG with the place on the page that it shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Crop {
    pub area: PixelRect,
    /// The picture's own width and height: those of the place, exchanged on a page that lies on its side.
    pub size: (u32, u32),
    pub png: Vec<u8>,
}

/// Pictures of one diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct DiagramCrops {
    /// The board with a margin of half a square, unwarped.
    pub board: Crop,
    /// The caption's place, when there is a caption.
    pub caption: Option<Crop>,
}

/// Cuts the pictures of one diagram out of its page and turns them upright.
///
/// # Errors
/// When a PNG cannot be encoded.
pub fn cut_crops(
    gray: &GrayImage,
    quad: &Quad,
    caption: Option<PixelRect>,
) -> image::ImageResult<DiagramCrops> {
    let (x0, y0, x1, y1) = quad.bounds();
    let margin = quad.square_size() / 2.0;
    let turn = QuarterTurn::of_quad(quad);
    let board = cut(gray, turn, clamp(gray, x0 - margin, y0 - margin, x1 + margin, y1 + margin))?;
    let caption = caption
        .map(|a| {
            let (x, y) = (a.x as f32, a.y as f32);
            // a little air around the letters
            let air = 6.0;
            clamp(gray, x - air, y - air, x + a.width as f32 + air, y + a.height as f32 + air)
        })
        .filter(|area| area.width > 0 && area.height > 0)
        .map(|area| cut(gray, turn, area))
        .transpose()?;
    Ok(DiagramCrops { board, caption })
}

fn clamp(gray: &GrayImage, x0: f32, y0: f32, x1: f32, y1: f32) -> PixelRect {
    let (w, h) = (gray.width() as f32, gray.height() as f32);
    let (x, y) = (x0.floor().clamp(0.0, w), y0.floor().clamp(0.0, h));
    PixelRect {
        x: x as u32,
        y: y as u32,
        width: (x1.ceil().clamp(x, w) - x) as u32,
        height: (y1.ceil().clamp(y, h) - y) as u32,
    }
}

fn cut(gray: &GrayImage, turn: QuarterTurn, area: PixelRect) -> image::ImageResult<Crop> {
    let view = imageops::crop_imm(gray, area.x, area.y, area.width.max(1), area.height.max(1)).to_image();
    let view = turn.undo(&view);
    let mut png = Vec::new();
    view.write_to(&mut Cursor::new(&mut png), ImageFormat::Png)?;
    Ok(Crop { area, size: view.dimensions(), png })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crops_stay_on_the_page() {
        let gray = GrayImage::from_fn(100, 80, |x, y| image::Luma([(x + y) as u8]));
        let caption = PixelRect { x: 90, y: 70, width: 50, height: 50 };
        let crops = cut_crops(&gray, &Quad::from_bounds(2.0, 3.0, 82.0, 83.0), Some(caption)).unwrap();
        assert_eq!(crops.board.area, PixelRect { x: 0, y: 0, width: 87, height: 80 });
        let board = image::load_from_memory(&crops.board.png).unwrap().to_luma8();
        assert_eq!(board.dimensions(), (87, 80));
        assert_eq!(board.get_pixel(10, 20), gray.get_pixel(10, 20));
        assert_eq!(crops.caption.unwrap().area, PixelRect { x: 84, y: 64, width: 16, height: 16 });
    }
}
