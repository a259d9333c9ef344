-- Pictures kept for the reviewer (crops of boards and captions, a small picture of the page), so that nobody needs the
-- original to judge a reading. In the database rather than in files, because they must come and go with their page
-- in one transaction.

CREATE TABLE pictures (
    id          INTEGER PRIMARY KEY,
    page_id     INTEGER NOT NULL REFERENCES pages (id),
    diagram_id  INTEGER REFERENCES diagrams (id),
    kind        TEXT NOT NULL CHECK (kind IN ('board', 'squares', 'caption', 'page')),
    media_type  TEXT NOT NULL,
    width       INTEGER NOT NULL,
    height      INTEGER NOT NULL,
    area        TEXT,
    data        BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX pictures_of_diagram ON pictures (diagram_id, kind) WHERE diagram_id IS NOT NULL;
CREATE UNIQUE INDEX pictures_of_page ON pictures (page_id, kind) WHERE diagram_id IS NULL;
