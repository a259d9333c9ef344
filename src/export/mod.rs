//! PGN, EPD, FEN, CSV and JSON from queue rows.
