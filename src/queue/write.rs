//! A write transaction: everything it does and its lines in the event log become true together.

use sqlx::{Sqlite, SqliteConnection, Transaction};

use super::event::{self, Event, EventDraft};
use super::{Queue, Result};

pub(super) struct Write {
    tx: Transaction<'static, Sqlite>,
    events: Vec<Event>,
    sender: tokio::sync::broadcast::Sender<Event>,
    /// The time of the transaction.
    pub now: i64,
}

impl Queue {
    /// Begins a write transaction; takes SQLite's write lock at once, so that nothing read in it is outdated when it writes.
    pub(super) async fn begin(&self) -> Result<Write> {
        let tx = self.inner.write.begin_with("BEGIN IMMEDIATE").await?;
        Ok(Write {
            tx,
            events: Vec::new(),
            sender: self.inner.events.clone(),
            now: self.inner.options.clock.now(),
        })
    }
}

impl Write {
    pub fn conn(&mut self) -> &mut SqliteConnection {
        &mut self.tx
    }

    /// Writes a line of the event log; listeners hear of it after the commit.
    pub async fn log(&mut self, draft: EventDraft) -> Result<i64> {
        let now = self.now;
        let event = event::insert(self.conn(), draft, now).await?;
        let id = event.id;
        self.events.push(event);
        Ok(id)
    }

    pub async fn commit(self) -> Result<()> {
        self.tx.commit().await?;
        for event in self.events {
            // nobody listening is no error
            let _ = self.sender.send(event);
        }
        Ok(())
    }
}
