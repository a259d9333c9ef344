-- Headings stay in their file where it has several pages, and those of files that are gone count no more: every book is looked at again.

UPDATE books SET unsettled = 1;
