//! Pictures kept for the reviewer.

use serde::Serialize;
use sqlx::{FromRow, QueryBuilder, Sqlite, SqliteConnection};

use super::effective::to_json;
use super::insert::ROWS;
use super::{DiagramId, PageId, Queue, QueueError, Result};
use crate::caption::PixelRect;

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(rename_all = "snake_case")]
pub enum PictureKind {
    /// The board as on the page, with a margin that shows its coordinates and marks.
    Board,
    /// The board warped square, the 64 squares exactly filling the picture, as printed (not turned).
    Squares,
    /// The caption.
    Caption,
    /// The whole page, small.
    Page,
}

impl PictureKind {
    pub fn as_str(self) -> &'static str {
        match self {
            PictureKind::Board => "board",
            PictureKind::Squares => "squares",
            PictureKind::Caption => "caption",
            PictureKind::Page => "page",
        }
    }
}

/// An encoded picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Picture {
    /// "image/png", "image/jpeg", "image/webp".
    pub media_type: String,
    pub width: u32,
    pub height: u32,
    /// Which part of the page it shows, in page pixels; `None` for a warped board.
    pub area: Option<PixelRect>,
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// What is known of a picture without looking at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PictureFrame {
    pub width: u32,
    pub height: u32,
    /// See [`Picture::area`].
    pub area: Option<PixelRect>,
}

/// The usual ending of a file with a picture of this media type.
pub fn extension(media_type: &str) -> &'static str {
    match media_type {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/webp" => "webp",
        _ => "bin",
    }
}

#[derive(FromRow)]
struct Row {
    media_type: String,
    width: u32,
    height: u32,
    area: Option<String>,
    data: Vec<u8>,
}

impl TryFrom<Row> for Picture {
    type Error = QueueError;

    fn try_from(row: Row) -> Result<Picture> {
        let area = row
            .area
            .map(|text| serde_json::from_str(&text))
            .transpose()
            .map_err(|error| QueueError::Corrupt(format!("the area of a picture: {error}")))?;
        Ok(Picture { media_type: row.media_type, width: row.width, height: row.height, area, data: row.data })
    }
}

/// A picture on its way into the store: of a diagram, or of the page as a whole.
pub(super) type NewPicture<'a> = (Option<DiagramId>, PictureKind, &'a Picture);

/// Puts pictures in the place of those of the same kinds.
pub(super) async fn put(
    conn: &mut SqliteConnection,
    page: PageId,
    pictures: &[NewPicture<'_>],
) -> Result<()> {
    for part in pictures.chunks(ROWS) {
        let mut areas = Vec::with_capacity(part.len());
        for (_, _, picture) in part {
            areas.push(picture.area.map(|area| to_json(&area)).transpose()?);
        }
        // the unique indexes make it take the old one's place
        let mut sql = QueryBuilder::<Sqlite>::new(
            "INSERT OR REPLACE INTO pictures (page_id, diagram_id, kind, media_type, width, height, area, data) ",
        );
        sql.push_values(part.iter().zip(areas), |mut row, ((diagram, kind, picture), area)| {
            row.push_bind(page).push_bind(*diagram).push_bind(*kind).push_bind(&picture.media_type);
            row.push_bind(picture.width).push_bind(picture.height).push_bind(area).push_bind(&picture.data);
        });
        sql.build().persistent(false).execute(&mut *conn).await?;
    }
    Ok(())
}

impl Queue {
    /// A picture of a diagram, if it was kept.
    pub async fn picture(&self, diagram: DiagramId, kind: PictureKind) -> Result<Option<Picture>> {
        let row: Option<Row> = sqlx::query_as(
            "SELECT media_type, width, height, area, data FROM pictures WHERE diagram_id = ? AND kind = ?",
        )
        .bind(diagram)
        .bind(kind)
        .fetch_optional(&self.inner.read)
        .await?;
        row.map(Picture::try_from).transpose()
    }

    /// Size and place on the page of a picture of a diagram, without the picture.
    pub async fn picture_frame(&self, diagram: DiagramId, kind: PictureKind) -> Result<Option<PictureFrame>> {
        let row: Option<(u32, u32, Option<String>)> =
            sqlx::query_as("SELECT width, height, area FROM pictures WHERE diagram_id = ? AND kind = ?")
                .bind(diagram)
                .bind(kind)
                .fetch_optional(&self.inner.read)
                .await?;
        row.map(|(width, height, area)| {
            let area = area.map(|text| super::effective::json(&text, "area")).transpose()?;
            Ok(PictureFrame { width, height, area })
        })
        .transpose()
    }

    /// The small picture of a page, if it was kept.
    pub async fn page_picture(&self, page: PageId) -> Result<Option<Picture>> {
        let row: Option<Row> = sqlx::query_as(
            "SELECT media_type, width, height, area, data FROM pictures
             WHERE page_id = ? AND diagram_id IS NULL AND kind = 'page'",
        )
        .bind(page)
        .fetch_optional(&self.inner.read)
        .await?;
        row.map(Picture::try_from).transpose()
    }
}
