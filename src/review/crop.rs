//! Where a board lies in the pictures that were cut out for the reviewer.

use serde::Serialize;

use crate::board::{Point, Quad, QuarterTurn};
use crate::queue::PictureFrame;

/// A picture cut out of a page and turned upright, as the page is told of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct CropFrame {
    #[serde(flatten)]
    frame: PictureFrame,
    /// The board's corners in pixels of this picture, clockwise from the top left as printed; they may lie outside of it. `None` for a
    /// picture that is no part of a page.
    corners: Option<[[f32; 2]; 4]>,
}

impl CropFrame {
    /// `quad`: the board in page pixels.
    pub fn of(frame: PictureFrame, quad: &Quad) -> CropFrame {
        let corners = frame.area.map(|area| {
            let turn = QuarterTurn::of_quad(quad);
            // `area` is a part of the page as it was scanned; the picture shows it upright
            quad.0.map(|p| {
                let inside = Point::new(p.x - area.x as f32, p.y - area.y as f32);
                let upright = turn.to_upright(inside, area.width as f32, area.height as f32);
                [upright.x, upright.y]
            })
        });
        CropFrame { frame, corners }
    }
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, Luma};

    use super::*;
    use crate::caption::PixelRect;
    use crate::reading::crops::{Crop, cut_crops};

    /// Dark pixels of a crop: exactly where the corners are said to be.
    fn has_corners(crop: &Crop, quad: &Quad) {
        let picture = image::load_from_memory(&crop.png).unwrap().to_luma8();
        let frame = PictureFrame { width: crop.size.0, height: crop.size.1, area: Some(crop.area) };
        let corners = CropFrame::of(frame, quad).corners.unwrap();
        for (index, [x, y]) in corners.into_iter().enumerate() {
            let inside = x >= 0.0 && y >= 0.0 && x < crop.size.0 as f32 && y < crop.size.1 as f32;
            if inside {
                assert_eq!(picture.get_pixel(x as u32, y as u32), &Luma([index as u8]), "corner {index}");
            }
        }
        // upright: the first corner is left of the second one and above the fourth
        assert!(corners[0][0] < corners[1][0] && corners[0][1] < corners[3][1], "{corners:?}");
    }

    #[test]
    fn corners_are_found_in_crops_of_turned_pages() {
        let (width, height) = (300, 200);
        let upright = Quad([(40.5, 30.5), (120.5, 32.5), (118.5, 110.5), (38.5, 108.5)].map(point));
        for turn in QuarterTurn::ALL {
            let (w, h) = match turn {
                QuarterTurn::Upright | QuarterTurn::Over => (width, height),
                QuarterTurn::Right | QuarterTurn::Left => (height, width),
            };
            let quad = turn.quad_from_upright(&upright, w as f32, h as f32);
            let mut page = GrayImage::from_pixel(w, h, Luma([255]));
            for (index, corner) in quad.0.iter().enumerate() {
                page.put_pixel(corner.x as u32, corner.y as u32, Luma([index as u8]));
            }
            // a caption around the whole board
            let caption = PixelRect { x: 10, y: 10, width: w - 20, height: h - 20 };
            let crops = cut_crops(&page, &quad, Some(caption)).unwrap();
            has_corners(&crops.board, &quad);
            has_corners(&crops.caption.unwrap(), &quad);
        }
    }

    fn point((x, y): (f32, f32)) -> Point {
        Point::new(x, y)
    }
}
