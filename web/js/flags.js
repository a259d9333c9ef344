// Flags in words. What the checks say of the position follows the draft; what was said of the picture stays.

import { SQUARES, indexOf, inPicture } from "./chess.js";
import { h } from "./dom.js";
import { flagTitle, t } from "./i18n.js";

/** Codes of the position checks: they are asked again with every edit. */
const OF_POSITION = new Set([
  "missing_king", "extra_king", "pawn_on_edge_rank", "opponent_in_check", "impossible_check", "too_many_pawns", "too_many_pieces",
  "impossible_pawns", "castling_impossible", "en_passant_impossible", "upside_down", "colours_swapped", "unusual_material",
]);

const WEIGHT = { impossible: 2, doubt: 1, note: 0 };

/** All flags that matter now, worst first: { code, severity, message, positions }. */
export function flagsNow(detail, facts, check) {
  const edited = facts.fen !== detail.read_facts.fen;
  const said = new Set(detail.diagram.flags.map((flag) => flag.code));
  const reading = detail.diagram.flags
    .filter((flag) => !(edited && OF_POSITION.has(flag.code)))
    .map((flag) => ({ ...flag, positions: flag.squares.map((square) => inPicture(indexOf(square), detail.reading.orientation)) }));
  const now = (check?.flags ?? [])
    // a position that was not touched has its flags from the reading, which knew more (the printers' habits)
    .filter((flag) => (edited ? true : !said.has(flag.code) && flag.severity === "impossible"))
    .map((flag) => ({ ...flag, positions: flag.squares.map((square) => inPicture(indexOf(square), facts.orientation)) }));
  const side = facts.sources.side_to_move === "human";
  return [...reading, ...now]
    .filter((flag) => !(side && ["side_assumed", "side_conflict"].includes(flag.code)))
    .sort((a, b) => WEIGHT[b.severity] - WEIGHT[a.severity]);
}

/** Squares of the picture that ask for a look, in the order of the board. */
export function doubtful(flags) {
  const positions = new Set(flags.filter((flag) => flag.severity !== "note").flatMap((flag) => flag.positions));
  return [...positions].sort((a, b) => a - b);
}

/** `onPoint(positions | undefined)` while a flag is pointed at; `onPick(position)` when it is clicked. */
export function flagList(flags, { onPoint, onPick, acknowledged = [] }) {
  return h("ul", { class: "flags" }, flags.map((flag) =>
    h("li", { class: flag.severity, onpointerenter: () => onPoint?.(flag.positions), onpointerleave: () => onPoint?.(undefined),
      onclick: () => flag.positions.length > 0 && onPick?.(flag.positions[0]) },
      h("b", {}, flagTitle(flag.code)),
      acknowledged.includes(flag.code) && h("span", { class: "ok", title: t("state.approved") }, "✓"),
      h("span", { class: "why" }, flag.message))));
}

export const squareNames = (positions, orientation) => positions.map((position) => SQUARES[inPicture(position, orientation)]).join(" ");
