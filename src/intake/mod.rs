//! Watching folders, settling, hashing, book and page identity.
