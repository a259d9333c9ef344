use std::path::Path;

use super::*;

async fn tamper(path: &Path, sql: &'static str) {
    use sqlx::{ConnectOptions, Connection};
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).create_if_missing(true);
    let mut connection = options.connect().await.unwrap();
    sqlx::query(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn what_was_written_is_there_after_closing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/er/q.db");
    let queue = Queue::open(&path).await.unwrap();
    let id = read_page(&queue, "A/1.png", vec![diagram(MATE, 0, vec![])]).await[0];
    let copy = folder.path().join("copy.db");
    queue.backup(&copy).await.unwrap();
    queue.close().await;
    for path in [&path, &copy] {
        let queue = Queue::open_existing(path).await.unwrap();
        assert_eq!(queue.diagram_row(id).await.unwrap().state, DiagramState::Accepted);
        sound(&queue).await;
        queue.close().await;
    }
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::open(&folder.path().join("q.db")).await.unwrap();
    queue.enroll(&file("A/1.png", "1", 1)).await.unwrap();
    for name in ["q.db", "q.db-wal", "q.db-shm"] {
        let mode = folder.path().join(name).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[tokio::test]
async fn a_schema_from_the_future_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("q.db");
    Queue::open(&path).await.unwrap().close().await;
    tamper(
        &path,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (29990101000000, 'later', 1, x'00', 0)",
    )
    .await;
    let error = Queue::open(&path).await.unwrap_err();
    assert!(matches!(error, QueueError::SchemaNewer { found: 29990101000000, .. }), "{error}");
    assert!(error.to_string().contains("update the program"), "{error}");
}

#[tokio::test]
async fn other_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.db");
    tamper(&path, "CREATE TABLE theirs (x)").await;
    assert!(matches!(Queue::open(&path).await, Err(QueueError::Foreign(_))));
    let text = folder.path().join("text.db");
    std::fs::write(&text, "This is a letter and no database at all. ".repeat(30)).unwrap();
    let before = std::fs::read(&text).unwrap();
    assert!(matches!(Queue::open(&text).await, Err(QueueError::Foreign(_))));
    assert_eq!(std::fs::read(&text).unwrap(), before);
    assert!(matches!(Queue::open(folder.path()).await, Err(QueueError::Open { .. })));
    let none = folder.path().join("none.db");
    assert!(matches!(Queue::open_existing(&none).await, Err(QueueError::Missing(_))));
    assert!(!none.exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_programs_may_open_a_new_database_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("q.db");
    let mut opening = tokio::task::JoinSet::new();
    for _ in 0..6 {
        let path = path.clone();
        opening.spawn(async move { Queue::open(&path).await.map(drop) });
    }
    while let Some(opened) = opening.join_next().await {
        opened.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_writer_that_stays_is_a_transient_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("q.db");
    let patient = Queue::open(&path).await.unwrap();
    let options = QueueOptions { busy_timeout: Duration::from_millis(50), ..QueueOptions::default() };
    let hasty = Queue::open_with(&path, options, false).await.unwrap();
    let held = patient.begin().await.unwrap();
    let error = hasty.enroll(&file("A/1.png", "1", 1)).await.unwrap_err();
    assert!(error.is_transient(), "{error}");
    // reading goes on meanwhile
    assert_eq!(hasty.counts().await.unwrap().pages, 0);
    drop(held);
    hasty.enroll(&file("A/1.png", "1", 1)).await.unwrap();
}

/// SQLite takes such a transaction back by itself, and the connection used to count it for ever.
#[tokio::test]
async fn a_full_disk_stops_nothing_that_comes_after() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::open(&folder.path().join("queue.sqlite")).await.unwrap();
    queue.enroll(&file("tal/1.png", "one", 1)).await.unwrap();
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&queue.inner.write).await.unwrap();
    sqlx::query(sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {pages}")))
        .execute(&queue.inner.write)
        .await
        .unwrap();
    let mut full = None;
    for at in 0..500 {
        if let Err(error) = queue.enroll(&file(&format!("tal/{at}.png"), &format!("{at}"), 50)).await {
            full = Some(error);
            break;
        }
    }
    assert!(matches!(full, Some(QueueError::Storage(_))), "{full:?}");
    // there is room again: the limit was the connection's own
    queue.enroll(&file("tal/next.png", "next", 1)).await.unwrap();
}
