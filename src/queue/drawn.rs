//! Boards that a person drew or whose corners a person moved.

use super::duplicates::{self, Position};
use super::event::{EventDraft, EventKind};
use super::insert::{self, Origin};
use super::pictures::{self, NewPicture};
use super::{Crops, DiagramId, Facts, PageId, Queue, QueueError, Result, effective, settle};
use crate::reading::DiagramReading;

impl Queue {
    /// Adds a board that the program had missed, read on corners that a person drew, at `reading.ordinal` of its page; those
    /// from there on move up by one. Later re-reads keep it.
    pub async fn add_drawn(
        &self,
        page: PageId,
        reading: &DiagramReading,
        page_size: (u32, u32),
        crops: &Crops,
        who: &str,
    ) -> Result<DiagramId> {
        let mut write = self.begin().await?;
        let there: Vec<(DiagramId, u32)> = sqlx::query_as(
            "SELECT id, ordinal FROM diagrams WHERE page_id = ? AND retired_at IS NULL ORDER BY ordinal DESC",
        )
        .bind(page)
        .fetch_all(write.conn())
        .await?;
        let ordinal = reading.ordinal.clamp(1, there.first().map_or(1, |last| last.1 + 1));
        for (id, at) in there.into_iter().filter(|(_, at)| *at >= ordinal) {
            sqlx::query("UPDATE diagrams SET ordinal = ? WHERE id = ?")
                .bind(at + 1)
                .bind(id)
                .execute(write.conn())
                .await?;
        }
        let new = [(ordinal, reading)];
        let ids = insert::diagrams(&mut write, page, &new, page_size, Origin::Human).await?;
        let id =
            *ids.first().ok_or_else(|| QueueError::Corrupt("a drawn board was not inserted".to_owned()))?;
        insert::diagram_flags(&mut write, page, Vec::new(), &[(id, &reading.flags)]).await?;
        let pictures: Vec<NewPicture> = crops.pictures(id).collect();
        pictures::put(write.conn(), page, &pictures).await?;
        duplicates::refresh(&mut write, [(id, Position::of(&Facts::of(reading)))]).await?;
        settle::unsettle_page(&mut write, page).await?;
        write.log(EventDraft::new(EventKind::Drawn).page(page).diagram(id).who(who)).await?;
        write.commit().await?;
        Ok(id)
    }

    /// Replaces the reading of a diagram by one on corners that a person moved. Decisions stay. Later re-reads do not replace it.
    pub async fn redraw(
        &self,
        diagram: DiagramId,
        expected_version: i64,
        reading: &DiagramReading,
        page_size: (u32, u32),
        crops: &Crops,
        who: &str,
    ) -> Result<()> {
        let mut write = self.begin().await?;
        let page = super::decide::check_version(&mut write, diagram, expected_version).await?;
        insert::supersede(&mut write, diagram).await?;
        insert::readings(&mut write, &[(diagram, reading)], page_size, Origin::Human, true).await?;
        insert::diagram_flags(&mut write, page, Vec::new(), &[(diagram, &reading.flags)]).await?;
        let pictures: Vec<NewPicture> = crops.pictures(diagram).collect();
        pictures::put(write.conn(), page, &pictures).await?;
        let positions = effective::refresh(&mut write, diagram).await?;
        duplicates::refresh(&mut write, positions.map(|position| (diagram, position))).await?;
        settle::unsettle_page(&mut write, page).await?;
        write.log(EventDraft::new(EventKind::Drawn).page(page).diagram(diagram).who(who)).await?;
        write.commit().await
    }
}
