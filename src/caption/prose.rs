//! Running text among the lines around a board.

use super::lines::InkLine;

/// Which lines are running text: three or more in a row with one pitch and one left or right edge, most of
/// them as wide as their column; and the ones that go on with the same pitch and the same edge.
pub fn prose_lines(lines: &[InkLine], square: f32) -> Vec<bool> {
    let mut prose = vec![false; lines.len()];
    let tolerance = 0.12 * square;
    let near = |a: u32, b: u32| (a as f32 - b as f32).abs() < tolerance.max(3.0);
    for i in 0..lines.len() {
        let first = &lines[i].bounds;
        let mut members = vec![i];
        for (j, line) in lines.iter().enumerate().skip(i + 1) {
            let last = &lines[members[members.len() - 1]];
            let step = line.bounds.y1.saturating_sub(last.bounds.y1) as f32;
            let fits = near(line.bounds.x0, first.x0) && near(line.bounds.x1, first.x1);
            if fits && step > 0.0 && step < 3.5 * last.capital_height.max(4.0) {
                members.push(j);
            }
        }
        // Two lines are enough where they are wider than a board with its frame: no caption is justified so.
        let wide = first.width() as f32 > 8.6 * square;
        if (members.len() >= 3 && first.width() as f32 > 3.0 * square) || (members.len() == 2 && wide) {
            for &j in &members {
                prose[j] = true;
            }
        }
    }
    // First and last lines of paragraphs: they share one edge and the pitch with a full line.
    let full = prose.clone();
    for i in 0..lines.len() {
        if full[i] {
            continue;
        }
        let b = &lines[i].bounds;
        prose[i] = (0..lines.len()).any(|j| {
            let f = &lines[j].bounds;
            let step = (b.y1 as f32 - f.y1 as f32).abs();
            let pitch = 2.4 * lines[j].capital_height;
            let inside = b.x0 + 3 >= f.x0 && b.x1 <= f.x1 + 3;
            full[j] && step < pitch && inside && (near(b.x0, f.x0) || near(b.x1, f.x1))
        });
    }
    prose
}
