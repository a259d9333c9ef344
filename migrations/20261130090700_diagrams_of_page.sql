-- All diagrams of a page, retired ones too: a re-read looks for them, and their count names a diagram in exports
-- (retired ones are counted, so that a name is never given twice).

CREATE INDEX diagrams_of_page ON diagrams (page_id, id);
