-- What people decided. Apart from readings, and never overwritten: a decision can be taken back (undone_by_event is set),
-- the row stays. The triggers hold this against mistakes in the program too.

CREATE TABLE decisions (
    id               INTEGER PRIMARY KEY,
    diagram_id       INTEGER NOT NULL REFERENCES diagrams (id),
    reading_id       INTEGER NOT NULL REFERENCES readings (id),
    verdict          TEXT NOT NULL CHECK (verdict IN ('approved', 'corrected', 'rejected')),
    before           TEXT NOT NULL,
    after            TEXT NOT NULL,
    who              TEXT NOT NULL,
    at               INTEGER NOT NULL,
    reason           TEXT,
    acknowledged     TEXT NOT NULL,
    undone_by_event  INTEGER
) STRICT;

CREATE INDEX decisions_of_diagram ON decisions (diagram_id, id);

CREATE TRIGGER decisions_stay BEFORE DELETE ON decisions
BEGIN
    SELECT RAISE(ABORT, 'a human decision is never deleted');
END;

CREATE TRIGGER decisions_do_not_change
BEFORE UPDATE OF id, diagram_id, reading_id, verdict, before, after, who, at, reason, acknowledged ON decisions
BEGIN
    SELECT RAISE(ABORT, 'a human decision is never changed');
END;
