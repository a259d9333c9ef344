-- Diagrams and what was read of them.
--
-- `readings` is what the program said, one row a reading; older ones stay as a summary (without the square
-- probabilities) so that it can be told how a diagram changed. `diagrams` is what the collection says now: its
-- columns are derived from the current reading and the current decision, in the same transaction, so that lists,
-- filters and exports need no decoding. A diagram that a later reading no longer finds is retired, not deleted.

CREATE TABLE diagrams (
    id           INTEGER PRIMARY KEY,
    page_id      INTEGER NOT NULL REFERENCES pages (id),
    ordinal      INTEGER NOT NULL,
    version      INTEGER NOT NULL DEFAULT 1,
    state        TEXT NOT NULL CHECK (state IN ('accepted', 'needs_review', 'approved', 'corrected', 'rejected')),
    seen         INTEGER NOT NULL DEFAULT 1 CHECK (seen IN (0, 1)),
    retired_at   INTEGER,
    fen          TEXT NOT NULL,
    placement    TEXT NOT NULL,
    side         TEXT NOT NULL CHECK (side IN ('w', 'b')),
    side_source  TEXT NOT NULL,
    number       TEXT,
    number_key   BLOB,
    players      TEXT,
    stipulation  TEXT,
    caption      TEXT,
    search       TEXT NOT NULL,
    created_at   INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX diagrams_in_order ON diagrams (page_id, ordinal) WHERE retired_at IS NULL;
CREATE INDEX diagrams_by_state ON diagrams (state) WHERE retired_at IS NULL;
CREATE INDEX diagrams_by_position ON diagrams (placement, side);

CREATE TABLE readings (
    id                  INTEGER PRIMARY KEY,
    diagram_id          INTEGER NOT NULL REFERENCES diagrams (id),
    is_current          INTEGER NOT NULL CHECK (is_current IN (0, 1)),
    origin              TEXT NOT NULL CHECK (origin IN ('program', 'human')),
    model_version       TEXT NOT NULL,
    read_at             INTEGER NOT NULL,
    quad                TEXT NOT NULL,
    page_width          INTEGER NOT NULL,
    page_height         INTEGER NOT NULL,
    squares             BLOB,
    raw                 TEXT NOT NULL,
    legal               TEXT,
    placement           TEXT NOT NULL,
    orientation         TEXT NOT NULL,
    orientation_reason  TEXT NOT NULL,
    fen                 TEXT NOT NULL,
    sources             TEXT NOT NULL,
    caption             TEXT NOT NULL,
    confidence          REAL NOT NULL,
    status              TEXT NOT NULL CHECK (status IN ('accepted', 'needs_review')),
    flags               TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX current_reading ON readings (diagram_id) WHERE is_current = 1;
CREATE INDEX readings_of_diagram ON readings (diagram_id);
