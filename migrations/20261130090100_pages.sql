-- Pages with their state and their lease.
--
-- A claim is a lease in the row itself (owner, token, end), so that a killed worker's page returns to the
-- queue without anybody's help. `claims` counts all claims ever made and is the token: a worker whose
-- lease ran out and was given away cannot finish the page. `attempts` counts claims since the last success
-- and stops a page that kills the program from being tried for ever; `setback` is 1 after the first failure,
-- so that such a page waits behind all others. `sort_key` is the place of the file (book, then path);
-- the page's place in it is `idx`, from 0.

CREATE TABLE pages (
    id             INTEGER PRIMARY KEY,
    source_id      INTEGER NOT NULL REFERENCES sources (id),
    idx            INTEGER NOT NULL CHECK (idx >= 0),
    sort_key       BLOB NOT NULL,
    state          TEXT NOT NULL CHECK (state IN ('pending', 'reading', 'read', 'failed')),
    setback        INTEGER NOT NULL DEFAULT 0 CHECK (setback IN (0, 1)),
    attempts       INTEGER NOT NULL DEFAULT 0,
    claims         INTEGER NOT NULL DEFAULT 0,
    lease_owner    TEXT,
    lease_until    INTEGER,
    not_before     INTEGER NOT NULL DEFAULT 0,
    failure        TEXT,
    failure_kind   TEXT CHECK (failure_kind IN ('permanent', 'transient', 'crash', 'gone')),
    width          INTEGER,
    height         INTEGER,
    model_version  TEXT,
    read_at        INTEGER,
    read_ms        INTEGER,
    times_read     INTEGER NOT NULL DEFAULT 0,
    version        INTEGER NOT NULL DEFAULT 1,
    UNIQUE (source_id, idx),
    CHECK ((state = 'reading') = (lease_owner IS NOT NULL)),
    CHECK ((state = 'reading') = (lease_until IS NOT NULL)),
    CHECK (state <> 'failed' OR (failure IS NOT NULL AND failure_kind IS NOT NULL))
) STRICT;

CREATE INDEX pages_pending ON pages (setback, sort_key, idx) WHERE state = 'pending';
CREATE INDEX pages_reading ON pages (lease_until) WHERE state = 'reading';
CREATE INDEX pages_in_order ON pages (sort_key, idx, id);
