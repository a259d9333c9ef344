//! Fax codes (CCITT T.4 and T.6) into gray rows.

use hayro_ccitt::{DecodeSettings, Decoder, DecoderContext};

pub use hayro_ccitt::EncodingMode;

/// Rows that came of a fax-coded block.
pub struct Fax {
    /// `width` bytes a row, 0 ink and 255 paper; only whole rows.
    pub gray: Vec<u8>,
    /// The codes broke rules: rows may be wrong.
    pub faulty: bool,
}

/// Decodes up to `rows` rows; damaged codes end it early.
pub fn decode(data: &[u8], width: u32, rows: u32, encoding: EncodingMode, byte_aligned: bool) -> Fax {
    let mut settings = DecodeSettings {
        columns: width,
        rows,
        end_of_block: true,
        end_of_line: false,
        rows_are_byte_aligned: byte_aligned,
        encoding,
        strict: true,
    };
    let mut sheet = Sheet { gray: Vec::new(), width: width as usize, rows: rows as usize };
    let faulty = hayro_ccitt::decode(data, &mut sheet, &mut DecoderContext::new(settings)).is_err();
    if faulty {
        settings.strict = false;
        sheet.gray.clear();
        // The rows before the fault are kept whatever it says now.
        let _ = hayro_ccitt::decode(data, &mut sheet, &mut DecoderContext::new(settings));
    }
    Fax { gray: sheet.gray, faulty }
}

struct Sheet {
    gray: Vec<u8>,
    width: usize,
    rows: usize,
}

impl Decoder for Sheet {
    fn push_row(&mut self, changes: &[u32]) {
        let start = self.gray.len();
        if start >= self.width * self.rows {
            return;
        }
        self.gray.resize(start + self.width, 255);
        let row = &mut self.gray[start..];
        for run in changes.chunks(2) {
            let from = (run[0] as usize).min(row.len());
            let to = run.get(1).map_or(row.len(), |to| (*to as usize).min(row.len()));
            if from < to {
                row[from..to].fill(0);
            }
        }
    }
}
