//! The store: books, pages, diagrams, flags and human decisions in SQLite.
