//! Files of a book that are the same scans as files of another one: they are read once, and their diagrams belong to that one.

use serde::Serialize;
use sqlx::FromRow;

use super::{BookId, Queue, Result};

/// How many files of a book lie in another book's readings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, FromRow)]
pub struct SharedFiles {
    /// The book that has the readings.
    pub with: String,
    pub files: u32,
}

impl Queue {
    /// The books that hold readings of this book's files, in the order of the books.
    pub async fn shared_files(&self, book: BookId) -> Result<Vec<SharedFiles>> {
        Ok(sqlx::query_as(
            "SELECT b.name AS \"with\", COUNT(*) AS files FROM source_paths p JOIN sources s ON s.id = p.source_id
                 JOIN books b ON b.id = s.book_id
             WHERE p.book_id = ? AND s.book_id <> p.book_id AND p.gone_at IS NULL GROUP BY b.id ORDER BY b.sort_key",
        )
        .bind(book)
        .fetch_all(&self.inner.read)
        .await?)
    }
}

impl std::fmt::Display for SharedFiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let files = if self.files == 1 {
            "1 file of it is the same scan".to_owned()
        } else {
            format!("{} files of it are the same scans", self.files)
        };
        write!(f, "{files} as in book {:?}, where the diagrams are", self.with)
    }
}
