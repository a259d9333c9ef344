// Just enough chess for editing: placements as arrays, rights that could be, colours exchanged. What is possible and what is wrong is
// decided by the daemon's checks.

/** "a8", "b8", ... "h1": the order of FEN. */
export const SQUARES = [..."87654321"].flatMap((rank) => [..."abcdefgh"].map((file) => file + rank));

const INDEX = new Map(SQUARES.map((name, index) => [name, index]));

export const indexOf = (square) => INDEX.get(square);

export const EMPTY = ".";

/** Letters of the men, White's first. */
export const MEN = [..."KQRBNPkqrbnp"];

/** The placement field as 64 letters, "." for empty. */
export function readPlacement(text) {
  const men = [];
  for (const letter of text.replaceAll("/", "")) {
    if (/[1-8]/.test(letter)) men.push(...EMPTY.repeat(Number(letter)));
    else men.push(letter);
  }
  return men;
}

export function writePlacement(men) {
  const ranks = [];
  for (let rank = 0; rank < 8; rank++) {
    ranks.push(men.slice(8 * rank, 8 * rank + 8).join("").replace(/\.+/g, (dots) => String(dots.length)));
  }
  return ranks.join("/");
}

/** The six fields by their names. */
export function readFen(fen) {
  const [placement, side, castling, enPassant, halfmove, fullmove] = fen.split(" ");
  return { placement, side: side ?? "w", castling: castling ?? "-", enPassant: enPassant ?? "-", halfmove: halfmove ?? "0", fullmove: fullmove ?? "1" };
}

export function writeFen(f) {
  return [f.placement, f.side, f.castling, f.enPassant, f.halfmove, f.fullmove].join(" ");
}

const swapped = (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase());

export const swapColours = (men) => men.map((letter) => (letter === EMPTY ? letter : swapped(letter)));

export const turned = (men) => [...men].reverse();

/** Rights that king and rook at home would allow, of "KQkq". */
export function possibleCastling(men) {
  const stands = (square, letter) => men[indexOf(square)] === letter;
  const at = { K: ["e1", "K", "h1", "R"], Q: ["e1", "K", "a1", "R"], k: ["e8", "k", "h8", "r"], q: ["e8", "k", "a8", "r"] };
  return Object.entries(at).filter(([, [ks, k, rs, r]]) => stands(ks, k) && stands(rs, r)).map(([right]) => right);
}

/** Whether a double step could have jumped over `square` and a pawn stands beside it; the daemon looks at pins. */
export function couldBeEnPassant(men, side, square) {
  const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1])];
  const white = side === "w";
  if (rank !== (white ? 6 : 3)) return false;
  const at = (f, r) => (f < 0 || f > 7 ? undefined : men[(8 - r) * 8 + f]);
  const step = white ? -1 : 1;
  const taker = white ? "P" : "p";
  return at(file, rank) === EMPTY && at(file, rank - step) === EMPTY && at(file, rank + step) === (white ? "p" : "P")
    && [file - 1, file + 1].some((f) => at(f, rank + step) === taker);
}

/** The facts with some FEN fields changed; rights that the placement contradicts go. */
export function withFen(facts, change) {
  const fields = { ...readFen(facts.fen), ...change };
  const men = readPlacement(fields.placement);
  if ("placement" in change || "side" in change) {
    const possible = possibleCastling(men);
    fields.castling = [..."KQkq"].filter((right) => fields.castling.includes(right) && possible.includes(right)).join("") || "-";
    if (fields.enPassant !== "-" && !couldBeEnPassant(men, fields.side, fields.enPassant)) fields.enPassant = "-";
  }
  return { ...facts, fen: writeFen(fields) };
}

/** The index of a square of the picture (row by row from its top left) under an orientation, and back: it is its own inverse. */
export const inPicture = (index, orientation) => (orientation === "black_bottom" ? 63 - index : index);

/** File name of a man: "wN". */
export const pieceName = (letter) => (letter === letter.toUpperCase() ? "w" : "b") + letter.toUpperCase();

export const ROLES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
