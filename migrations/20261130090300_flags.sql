-- Flags of pages (diagram_id NULL) and of diagrams, as rows, so that users can filter by their codes.
--
-- `about` names the other diagram of a duplicate_position; such flags are kept by the store itself and follow
-- the collection, all others come from the current reading and are replaced with it.

CREATE TABLE flags (
    id          INTEGER PRIMARY KEY,
    page_id     INTEGER NOT NULL REFERENCES pages (id),
    diagram_id  INTEGER REFERENCES diagrams (id),
    code        TEXT NOT NULL,
    severity    TEXT NOT NULL CHECK (severity IN ('note', 'doubt', 'impossible')),
    squares     TEXT NOT NULL,
    message     TEXT NOT NULL,
    about       INTEGER REFERENCES diagrams (id)
) STRICT;

CREATE INDEX flags_of_diagram ON flags (diagram_id) WHERE diagram_id IS NOT NULL;
CREATE INDEX flags_of_page ON flags (page_id);
CREATE INDEX flags_by_code ON flags (code);
CREATE INDEX flags_about ON flags (about) WHERE about IS NOT NULL;
