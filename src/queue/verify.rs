//! Does the database agree with itself? For `doctor` and for tests.

use serde::Serialize;

use super::{Queue, Result};

/// Something that should not be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Which rule is broken.
    pub rule: &'static str,
    /// Where, as ids or as SQLite's words.
    pub what: String,
}

/// Rules over rows; each query lists the ids that break it.
const RULES: [(&str, &str); 9] = [
    (
        "a diagram has exactly one current reading",
        "SELECT d.id FROM diagrams d WHERE (SELECT COUNT(*) FROM readings r WHERE r.diagram_id = d.id AND r.is_current = 1) <> 1",
    ),
    (
        "a current reading has its probabilities",
        "SELECT diagram_id FROM readings WHERE is_current = 1 AND squares IS NULL",
    ),
    (
        "a diagram's state is its decision's verdict, or its reading's status",
        "SELECT d.id FROM diagrams d JOIN readings r ON r.diagram_id = d.id AND r.is_current = 1 WHERE d.state <> COALESCE(
             (SELECT x.verdict FROM decisions x WHERE x.diagram_id = d.id AND x.undone_by_event IS NULL ORDER BY x.id DESC LIMIT 1),
             r.status)",
    ),
    (
        "a diagram's position is its decision's, or its reading's",
        "SELECT d.id FROM diagrams d JOIN readings r ON r.diagram_id = d.id AND r.is_current = 1 WHERE d.fen <> COALESCE(
             (SELECT x.after ->> '$.fen' FROM decisions x WHERE x.diagram_id = d.id AND x.undone_by_event IS NULL
                 ORDER BY x.id DESC LIMIT 1), r.fen)",
    ),
    (
        "an accepted diagram has no doubt",
        "SELECT d.id FROM diagrams d WHERE d.state = 'accepted' AND EXISTS
             (SELECT 1 FROM flags f WHERE f.diagram_id = d.id AND f.severity <> 'note')",
    ),
    (
        "a decided diagram is not retired",
        "SELECT d.id FROM diagrams d WHERE d.retired_at IS NOT NULL AND EXISTS
             (SELECT 1 FROM decisions x WHERE x.diagram_id = d.id AND x.undone_by_event IS NULL)",
    ),
    (
        "the diagrams of a page are numbered from 1",
        "SELECT page_id FROM diagrams WHERE retired_at IS NULL GROUP BY page_id HAVING MIN(ordinal) <> 1 OR MAX(ordinal) <> COUNT(*)",
    ),
    (
        "a flag of a diagram names the diagram's page",
        "SELECT f.id FROM flags f JOIN diagrams d ON d.id = f.diagram_id WHERE d.page_id <> f.page_id",
    ),
    (
        "only a page that was read has diagrams",
        "SELECT p.id FROM pages p WHERE p.times_read = 0 AND EXISTS
             (SELECT 1 FROM diagrams d JOIN readings r ON r.diagram_id = d.id WHERE d.page_id = p.id AND r.origin = 'program')",
    ),
];

impl Queue {
    /// SQLite's own checks and the rules of this room. Empty: all is well. Reads the whole database.
    pub async fn verify(&self) -> Result<Vec<Fault>> {
        let mut connection = self.inner.read.acquire().await?;
        let mut faults = Vec::new();
        let lines: Vec<String> =
            sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&mut *connection).await?;
        let bad = lines.into_iter().filter(|line| line != "ok");
        faults.extend(bad.map(|what| Fault { rule: "the file is sound", what }));
        let rows: Vec<(String, Option<i64>, String, i64)> =
            sqlx::query_as("PRAGMA foreign_key_check").fetch_all(&mut *connection).await?;
        faults.extend(rows.into_iter().map(|(table, row, parent, _)| Fault {
            rule: "every reference has its row",
            what: format!("{table} {} without its {parent}", row.unwrap_or_default()),
        }));
        for (rule, sql) in RULES {
            let ids: Vec<i64> = sqlx::query_scalar(sql).fetch_all(&mut *connection).await?;
            faults.extend(ids.into_iter().map(|id| Fault { rule, what: id.to_string() }));
        }
        Ok(faults)
    }
}
