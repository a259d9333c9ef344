-- The log of all that happened to files, pages and diagrams. The review page follows it live (ids only grow, hence
-- AUTOINCREMENT) and it answers "why does this diagram look as it does" long after.

CREATE TABLE events (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    at          INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    book_id     INTEGER,
    source_id   INTEGER,
    page_id     INTEGER,
    diagram_id  INTEGER,
    who         TEXT,
    detail      TEXT NOT NULL
) STRICT;

CREATE INDEX events_of_diagram ON events (diagram_id) WHERE diagram_id IS NOT NULL;
CREATE INDEX events_of_page ON events (page_id) WHERE page_id IS NOT NULL;
