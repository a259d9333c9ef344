// The plane homography that brings four corners onto four others, as a CSS matrix.

/** Solves the 8 x 8 system by Gauss with pivots; `undefined` when three corners lie on a line. */
function solve(rows) {
  const n = rows.length;
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let k = i + 1; k < n; k++) if (Math.abs(rows[k][i]) > Math.abs(rows[pivot][i])) pivot = k;
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    if (Math.abs(rows[i][i]) < 1e-12) return undefined;
    for (let k = 0; k < n; k++) {
      if (k === i) continue;
      const factor = rows[k][i] / rows[i][i];
      for (let j = i; j <= n; j++) rows[k][j] -= factor * rows[i][j];
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}

/** `from` and `to` are four [x, y] in the same order. Returns the value for `transform` (with the origin at 0 0). */
export function matrix(from, to) {
  const rows = [];
  from.forEach(([x, y], i) => {
    const [u, v] = to[i];
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]);
  });
  const h = solve(rows);
  if (!h) return undefined;
  const [a, b, c, d, e, f, g, i] = h;
  return `matrix3d(${[a, d, 0, g, b, e, 0, i, 0, 0, 1, 0, c, f, 0, 1].join(",")})`;
}

/** Corners of the 64 squares when one is `side` wide and the first begins at (`x`, `y`). */
export const squareCorners = (side, x, y) => [[x, y], [x + 8 * side, y], [x + 8 * side, y + 8 * side], [x, y + 8 * side]];
