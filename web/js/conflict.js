// Somebody else decided in between: both are shown, the person chooses.

import { SQUARES, readFen, readPlacement } from "./chess.js";
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { stillBoard } from "./drawn.js";
import { t } from "./i18n.js";

const SHOWN = ["number", "players", "stipulation", "caption"];

/** Squares on which the two boards differ. */
function differing(facts, other) {
  const [a, b] = [facts, other].map((one) => readPlacement(readFen(one.fen).placement));
  return SQUARES.filter((_, index) => a[index] !== b[index]);
}

function side(title, facts, other, extra) {
  const rows = SHOWN.filter((name) => (facts[name] ?? "") !== (other[name] ?? ""))
    .map((name) => [h("dt", {}, t(`diagram.${name}`)), h("dd", {}, facts[name] ?? "–")]);
  const fen = readFen(facts.fen);
  if (fen.side !== readFen(other.fen).side) rows.unshift([h("dt", {}, t("diagram.side")), h("dd", {}, t(`side.${fen.side}`))]);
  if (facts.orientation !== other.orientation) rows.unshift([h("dt", {}, t("board.label.short")), h("dd", {}, t(`diagram.orientation.${facts.orientation}`))]);
  return h("section", {}, h("h3", {}, title), extra && h("p", { class: "hint" }, extra),
    stillBoard(fen.placement, facts.orientation, differing(facts, other)),
    h("code", {}, facts.fen), rows.length > 0 && h("dl", {}, rows));
}

/**
 * Resolves with "theirs", "mine" or "edit". `mine`: the facts, or `undefined` for a rejection.
 */
export async function resolveConflict(current, mine) {
  let choice = "edit";
  const row = current.diagram;
  const chosen = (value) => () => { choice = value; };
  const theirs = side(t("conflict.theirs", { state: t(`state.${row.state}`) }), current.facts, mine ?? current.facts, row.reason);
  await openDialog({
    title: t("conflict.title"),
    wide: true,
    className: "conflict",
    body: [
      h("p", {}, t("conflict.text", { who: row.decided_by ?? t("said.somebody") })),
      h("div", { class: "two" }, theirs, mine && side(t("conflict.yours"), mine, current.facts)),
    ],
    actions: [
      { text: t("conflict.keep_theirs"), run: chosen("theirs"), primary: true },
      mine && { text: t("conflict.merge"), run: chosen("edit") },
      { text: mine ? t("conflict.take_mine") : t("conflict.reject_mine"), run: chosen("mine"), kind: "warn" },
    ].filter(Boolean),
  });
  return choice;
}
