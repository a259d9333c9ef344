//! Opening the database: pragmas, permissions, migrations.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Connection, SqliteConnection};

use super::event::Event;
use super::{Clock, QueueError, Result};

static MIGRATIONS: Migrator = sqlx::migrate!();

/// Marks the file as this program's ("FENW"), so that another program's database is never migrated by mistake.
const APPLICATION_ID: i64 = 0x4645_4e57;

/// How the queue behaves.
#[derive(Debug, Clone)]
pub struct QueueOptions {
    /// A page on which the program died, or which failed transiently, so many times becomes `failed`. Three: once may
    /// be somebody else's fault, twice is suspicious.
    pub max_attempts: u32,
    /// Wait before the second attempt at a page that failed transiently; doubles with each attempt. Half a minute: long enough
    /// for a copy or a burst of load to end, short enough to watch.
    pub retry_after: Duration,
    /// How long to wait for another process that is writing. Its transactions last milliseconds; ten seconds is a stuck disk.
    pub busy_timeout: Duration,
    /// Connections for reading: the review page's few requests at once.
    pub readers: u32,
    pub clock: Clock,
}

impl Default for QueueOptions {
    fn default() -> Self {
        QueueOptions {
            max_attempts: 3,
            retry_after: Duration::from_secs(30),
            busy_timeout: Duration::from_secs(10),
            readers: 4,
            clock: Clock::System,
        }
    }
}

/// The store. Cheap to clone; all clones share the connections.
#[derive(Debug, Clone)]
pub struct Queue {
    pub(super) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(super) struct Inner {
    /// One connection: SQLite has one writer, and waiting in the pool is cheaper than waiting for its lock.
    pub write: SqlitePool,
    pub read: SqlitePool,
    pub events: tokio::sync::broadcast::Sender<Event>,
    pub options: QueueOptions,
    pub path: Option<PathBuf>,
}

impl Queue {
    /// Opens the database at `path`, makes it (and its folder) when it is not there, and brings its schema up to date.
    pub async fn open(path: &Path) -> Result<Queue> {
        Queue::open_with(path, QueueOptions::default(), true).await
    }

    /// Opens a database that must exist: for commands that have no business with an empty one.
    pub async fn open_existing(path: &Path) -> Result<Queue> {
        Queue::open_with(path, QueueOptions::default(), false).await
    }

    /// See [`Queue::open`]; `create` says whether to make a database that is not there.
    pub async fn open_with(path: &Path, options: QueueOptions, create: bool) -> Result<Queue> {
        if path.try_exists().map_err(|error| open_error(path, error))? {
            if path.is_dir() {
                return Err(open_error(path, "it is a folder"));
            }
        } else if create {
            create_private(path)?;
        } else {
            return Err(QueueError::Missing(path.to_owned()));
        }
        let connect = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(false)
            // most of the file are pictures of tens of kilobytes; takes effect when the file is new
            .page_size(8192)
            .journal_mode(SqliteJournalMode::Wal)
            // a person's decision must survive a power cut, and the few writes a page cost little beside reading it
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(options.busy_timeout)
            // gives the room of a large WAL back after a burst of pictures
            .pragma("journal_size_limit", "67108864")
            .optimize_on_close(true, 400);
        // SQLite answers "locked" at once, without its own patience, while another process turns the write-ahead log on,
        // recovers it or, being the last to close, folds it in
        let deadline = Instant::now() + options.busy_timeout;
        loop {
            match Queue::connect(path, &connect, &options).await {
                Err(QueueError::Busy(_)) if Instant::now() < deadline => tokio::time::sleep(BUSY_PAUSE).await,
                other => return other,
            }
        }
    }

    async fn connect(path: &Path, connect: &SqliteConnectOptions, options: &QueueOptions) -> Result<Queue> {
        // SQLite ends a transaction by itself when the disk is full. The connection goes on counting it, so that none can begin on it any
        // more: it is replaced. The ping waits for a rollback that is still on its way.
        let fresh = pool(1).before_acquire(|connection, _| {
            Box::pin(async move {
                connection.ping().await?;
                Ok(!connection.is_in_transaction())
            })
        });
        let write = fresh.connect_with(connect.clone()).await.map_err(|error| at_opening(path, error))?;
        migrate(&write, path).await?;
        let read = pool(options.readers.max(1))
            .connect_with(connect.clone().pragma("query_only", "on").optimize_on_close(false, None))
            .await
            .map_err(|error| at_opening(path, error))?;
        Ok(Queue::of(write, read, options.clone(), Some(path.to_owned())))
    }

    /// A database in memory, for tests.
    pub async fn in_memory() -> Result<Queue> {
        Queue::in_memory_with(QueueOptions::default()).await
    }

    pub async fn in_memory_with(options: QueueOptions) -> Result<Queue> {
        let connect = SqliteConnectOptions::new().in_memory(true).foreign_keys(true);
        // one connection for all: another one would see another, empty database
        let pool = pool(1).connect_with(connect).await?;
        migrate(&pool, Path::new(":memory:")).await?;
        Ok(Queue::of(pool.clone(), pool, options, None))
    }

    fn of(write: SqlitePool, read: SqlitePool, options: QueueOptions, path: Option<PathBuf>) -> Queue {
        // a listener that is 1,024 events behind reads the log instead
        let (events, _) = tokio::sync::broadcast::channel(1024);
        Queue { inner: Arc::new(Inner { write, read, events, options, path }) }
    }

    /// Where the database lies; `None` in memory.
    pub fn path(&self) -> Option<&Path> {
        self.inner.path.as_deref()
    }

    /// The version of the schema, for `doctor`.
    pub async fn schema_version(&self) -> Result<i64> {
        Ok(sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations")
            .fetch_one(&self.inner.read)
            .await?)
    }

    /// Closes all connections after the transactions in progress; the WAL is folded into the database.
    pub async fn close(&self) {
        self.inner.read.close().await;
        self.inner.write.close().await;
    }

    /// Writes a consistent copy of the database to `to`, which must not exist, while work goes on.
    pub async fn backup(&self, to: &Path) -> Result<()> {
        let Some(target) = to.to_str() else {
            return Err(QueueError::Invalid(format!("{}: the name is not UTF-8", to.display())));
        };
        sqlx::query("VACUUM INTO ?").bind(target).execute(&self.inner.write).await?;
        Ok(())
    }
}

/// Between two tries to open a database that another process is busy with.
const BUSY_PAUSE: Duration = Duration::from_millis(20);

fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .min_connections(1)
        // a connection in memory must never be replaced; a file's gains nothing by it
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

/// Makes an empty file that only its owner can read, before SQLite would make it readable for all; SQLite gives the same rights
/// to the files it puts beside it.
fn create_private(path: &Path) -> Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| open_error(path, error))?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        // another process was first: as good
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(open_error(path, error)),
    }
}

fn open_error(path: &Path, reason: impl ToString) -> QueueError {
    QueueError::Open { path: path.to_owned(), reason: reason.to_string() }
}

fn at_opening(path: &Path, error: sqlx::Error) -> QueueError {
    match QueueError::from(error) {
        QueueError::Corrupt(reason) if reason.contains("not a database") => {
            QueueError::Foreign(path.to_owned())
        }
        error @ (QueueError::Busy(_) | QueueError::Storage(_) | QueueError::Corrupt(_)) => error,
        QueueError::Sql(sqlx::Error::Database(error)) => open_error(path, error.message()),
        other => open_error(path, other),
    }
}

/// All migrations in one transaction: two processes that open a new database at once do not run into each other, and a
/// failure in the middle changes nothing.
async fn migrate(pool: &SqlitePool, path: &Path) -> Result<()> {
    let failed = |reason: String| QueueError::Migrate { path: path.to_owned(), reason };
    let mut connection = pool.acquire().await?;
    if is_current(&mut connection, path).await? {
        return Ok(());
    }
    let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
    sqlx::query("PRAGMA application_id = 1178947159").execute(&mut *tx).await?;
    MIGRATIONS.run_direct(None, &mut *tx, false).await.map_err(|error| match error {
        MigrateError::VersionMissing(found) if found > known() => {
            QueueError::SchemaNewer { path: path.to_owned(), found, known: known() }
        }
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            match QueueError::from(error) {
                error if error.is_transient() => error,
                error => failed(error.to_string()),
            }
        }
        other => failed(other.to_string()),
    })?;
    tx.commit().await?;
    Ok(())
}

fn known() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// Whether the schema is this program's newest. Only reads, so that commands beside a busy daemon need no write lock.
async fn is_current(connection: &mut SqliteConnection, path: &Path) -> Result<bool> {
    let tables: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_schema").fetch_one(&mut *connection).await?;
    if tables == 0 {
        return Ok(false);
    }
    let application: i64 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *connection).await?;
    if application != APPLICATION_ID {
        return Err(QueueError::Foreign(path.to_owned()));
    }
    let found: Vec<(i64, Vec<u8>)> =
        sqlx::query_as("SELECT version, checksum FROM _sqlx_migrations ORDER BY version")
            .fetch_all(&mut *connection)
            .await?;
    match found.last() {
        Some(&(found, _)) if found > known() => {
            Err(QueueError::SchemaNewer { path: path.to_owned(), found, known: known() })
        }
        // anything else but the same list is the migrator's business: it brings up to date or says what was altered
        _ => Ok(MIGRATIONS
            .iter()
            .map(|migration| (migration.version, migration.checksum.as_ref()))
            .eq(found.iter().map(|(version, checksum)| (*version, checksum.as_slice())))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_the_word() {
        assert_eq!(APPLICATION_ID.to_be_bytes()[4..], *b"FENW");
        assert_eq!(APPLICATION_ID, 1_178_947_159);
    }
}
