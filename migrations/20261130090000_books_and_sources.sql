-- Books, the files (sources) in them and the paths under which a file was seen.
--
-- A source is identified by the hash of its content, so that a copy, a rename or a second drop of the
-- same scan is the same source and is never read twice. Paths live in a table of their own because one
-- source may lie under several of them; sources.root and sources.path repeat the one to read from.
-- sources.search is the path in folded case, since SQLite folds ASCII only.
-- sort_key columns hold natural-order keys (see src/queue/natural.rs): a plain byte comparison sorts them.

CREATE TABLE books (
    id                INTEGER PRIMARY KEY,
    name              TEXT NOT NULL UNIQUE,
    sort_key          BLOB NOT NULL,
    title             TEXT,
    author            TEXT,
    default_side      TEXT CHECK (default_side IN ('w', 'b')),
    language          TEXT,
    marks_black_only  INTEGER NOT NULL DEFAULT 0 CHECK (marks_black_only IN (0, 1)),
    version           INTEGER NOT NULL DEFAULT 1,
    created_at        INTEGER NOT NULL
) STRICT;

CREATE TABLE sources (
    id           INTEGER PRIMARY KEY,
    book_id      INTEGER NOT NULL REFERENCES books (id),
    hash         TEXT NOT NULL UNIQUE,
    bytes        INTEGER NOT NULL,
    format       TEXT NOT NULL,
    root         TEXT NOT NULL,
    path         TEXT NOT NULL,
    sort_key     BLOB NOT NULL,
    search       TEXT NOT NULL,
    gone         INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1)),
    enrolled_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX sources_of_book ON sources (book_id, sort_key);

CREATE TABLE source_paths (
    id           INTEGER PRIMARY KEY,
    root         TEXT NOT NULL,
    path         TEXT NOT NULL,
    source_id    INTEGER NOT NULL REFERENCES sources (id),
    book_id      INTEGER NOT NULL REFERENCES books (id),
    bytes        INTEGER NOT NULL,
    modified_ns  INTEGER,
    seen_at      INTEGER NOT NULL,
    gone_at      INTEGER,
    UNIQUE (root, path)
) STRICT;

CREATE INDEX paths_of_source ON source_paths (source_id);
