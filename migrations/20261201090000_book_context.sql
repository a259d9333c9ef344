-- What the pages of a book say for each other. `headings` are the headings of a page that name a side (JSON, NULL on pages read
-- before there was this column). `unsettled`: pages were read, or its settings changed, since the book was last walked through in order.

ALTER TABLE pages ADD COLUMN headings TEXT;
ALTER TABLE books ADD COLUMN unsettled INTEGER NOT NULL DEFAULT 0 CHECK (unsettled IN (0, 1));
