//! A PDF page with a board, drawn by commands, and text beside it.

use std::fmt::Write;

/// A page of 400 x 500 points with the kings, a pawn and a rook on a board of 256 points, its lower edge at 120; `commands` draw the rest.
/// Fonts: `/F1` is Helvetica, `/F2` the same with a table of characters that turns "White" and "Black" round.
pub fn board_page(commands: &str) -> Vec<u8> {
    let content = format!("{}{commands}", board());
    let helvetica = "/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding";
    // One code a letter: what is drawn as W means B, h l, i a, t c, e k, and the other way round.
    let pairs = [('W', 'B'), ('h', 'l'), ('i', 'a'), ('t', 'c'), ('e', 'k')];
    let mut table = String::new();
    for (one, other) in pairs.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]) {
        // writing to a string does not fail
        let _ = writeln!(table, "<{:02X}> <{:04X}>", one as u8, other as u32);
    }
    let rest: Vec<char> = " .mov0123456789".chars().collect();
    for c in &rest {
        let _ = writeln!(table, "<{:02X}> <{:04X}>", *c as u8, *c as u32);
    }
    let cmap = format!(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n\
         1 begincodespacerange <00> <FF> endcodespacerange\n{} beginbfchar\n{table}endbfchar\n\
         endcmap CMapName currentdict /CMap defineresource pop end end",
        2 * pairs.len() + rest.len()
    );
    document(&[
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 500] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>"
            .to_owned(),
        stream(&content),
        format!("<< {helvetica} >>"),
        format!("<< {helvetica} /ToUnicode 7 0 R >>"),
        stream(&cmap),
    ])
}

fn board() -> String {
    let (left, bottom, square) = (72.0, 120.0, 32.0);
    let mut out = String::from("0.6 g\n");
    for (file, rank) in (0..64).map(|i| (i % 8, i / 8)).filter(|(file, rank)| (file + rank) % 2 == 0) {
        let (x, y) = (left + square * f64::from(file), bottom + square * f64::from(rank));
        let _ = writeln!(out, "{x} {y} {square} {square} re f");
    }
    let _ = writeln!(out, "0 G 2 w {left} {bottom} 256 256 re S 0 g");
    // Men of paths: a foot, a body and a head; White's are outlined. Whatever they are read as, nobody is in check: that would tell the side.
    for (file, rank, paint, head) in
        [(6, 0, "B", 9.0), (1, 7, "f", 9.0), (0, 0, "B", 12.0), (2, 6, "f", 5.0), (6, 1, "B", 5.0)]
    {
        let (x, y) = (left + square * f64::from(file) + 16.0, bottom + square * f64::from(rank) + 4.0);
        let fill = if paint == "B" { "1 g 1.5 w" } else { "0 g" };
        let _ = writeln!(
            out,
            "{fill} {} {y} 18 4 re {paint} {} {} m {} {} l {} {} l {} {} l h {paint}",
            x - 9.0,
            x - 7.0,
            y + 5.0,
            x + 7.0,
            y + 5.0,
            x + head / 2.0,
            y + 22.0,
            x - head / 2.0,
            y + 22.0
        );
    }
    out + "0 g\n"
}

fn stream(content: &str) -> String {
    format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len())
}

fn document(objects: &[String]) -> Vec<u8> {
    let mut out = String::from("%PDF-1.4\n");
    let mut starts = Vec::new();
    for (number, object) in (1..).zip(objects) {
        starts.push(out.len());
        let _ = write!(out, "{number} 0 obj\n{object}\nendobj\n");
    }
    let table = out.len();
    let _ = write!(out, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for start in starts {
        let _ = writeln!(out, "{start:010} 00000 n ");
    }
    let _ =
        write!(out, "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1);
    out.into_bytes()
}
