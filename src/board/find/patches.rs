//! Connected patches of one value, by edges: runs along the rows, joined from row to row (union-find over runs).

/// A patch's bounding box in pixels; `x1` and `y1` are one beyond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    pub x0: usize,
    pub y0: usize,
    pub x1: usize,
    pub y1: usize,
}

/// Each pixel's patch, and the patches' boxes.
pub struct Patches {
    pub of: Vec<u32>,
    pub boxes: Vec<Bounds>,
}

struct Run {
    x0: usize,
    x1: usize,
    parent: usize,
}

/// Finds the patches of a picture of `width` pixels a row.
pub fn patches(pixels: &[u8], width: usize) -> Patches {
    let mut runs: Vec<Run> = Vec::new();
    let mut rows = Vec::with_capacity(pixels.len() / width.max(1) + 1);
    for row in pixels.chunks_exact(width) {
        let above = rows.last().copied().unwrap_or(0)..runs.len();
        rows.push(runs.len());
        let before = &pixels[(rows.len() - 1).saturating_sub(1) * width..];
        let mut next = above.start;
        let mut x0 = 0;
        while x0 < width {
            let value = row[x0];
            let x1 = row[x0..].iter().position(|&v| v != value).map_or(width, |n| x0 + n);
            let own = runs.len();
            runs.push(Run { x0, x1, parent: own });
            while next < above.end && runs[next].x1 <= x0 {
                next += 1;
            }
            let mut touching = next;
            while touching < above.end && runs[touching].x0 < x1 {
                if before[runs[touching].x0] == value {
                    join(&mut runs, own, touching);
                }
                touching += 1;
            }
            x0 = x1;
        }
    }
    rows.push(runs.len());
    let mut of = vec![0u32; pixels.len()];
    let mut boxes: Vec<Bounds> = Vec::new();
    let mut names = vec![u32::MAX; runs.len()];
    for (y, bounds) in rows.windows(2).enumerate() {
        for index in bounds[0]..bounds[1] {
            let root = root(&mut runs, index);
            let Run { x0, x1, .. } = runs[index];
            if names[root] == u32::MAX {
                names[root] = boxes.len() as u32;
                boxes.push(Bounds { x0, y0: y, x1, y1: y + 1 });
            }
            let b = &mut boxes[names[root] as usize];
            *b = Bounds { x0: b.x0.min(x0), y0: b.y0, x1: b.x1.max(x1), y1: y + 1 };
            of[y * width + x0..y * width + x1].fill(names[root]);
        }
    }
    Patches { of, boxes }
}

fn root(runs: &mut [Run], mut index: usize) -> usize {
    while runs[index].parent != index {
        runs[index].parent = runs[runs[index].parent].parent;
        index = runs[index].parent;
    }
    index
}

fn join(runs: &mut [Run], a: usize, b: usize) {
    let (a, b) = (root(runs, a), root(runs, b));
    // The earlier run leads: its row is the patch's first.
    let (first, second) = (a.min(b), a.max(b));
    runs[second].parent = first;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_touch_by_edges() {
        // A hook that joins only in its last row, a ring around a hole, a pixel that touches by a corner.
        let picture = [
            "#.#.####.", //
            "#.#.#..#.",
            "###.####.",
            "........#",
        ];
        let pixels: Vec<u8> = picture.concat().bytes().collect();
        let found = patches(&pixels, 9);
        let at = |x: usize, y: usize| found.of[y * 9 + x];
        assert_eq!(at(0, 0), at(2, 0));
        assert_ne!(at(0, 0), at(4, 0));
        assert_eq!(at(4, 0), at(7, 2));
        assert_ne!(at(5, 1), at(8, 1));
        assert_ne!(at(8, 3), at(7, 2));
        assert_eq!(at(3, 0), at(0, 3));
        assert_eq!(found.boxes[at(0, 0) as usize], Bounds { x0: 0, y0: 0, x1: 3, y1: 3 });
        assert_eq!(found.boxes[at(5, 1) as usize], Bounds { x0: 5, y0: 1, x1: 7, y1: 2 });
        assert_eq!(found.boxes.len(), 7);
    }
}
