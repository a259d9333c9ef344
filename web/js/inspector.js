// One square closely: the scan enlarged, and what the net takes it for.

import { EMPTY, SQUARES, inPicture, readFen, readPlacement } from "./chess.js";
import { fill, h } from "./dom.js";
import { man } from "./drawn.js";
import { percent, t } from "./i18n.js";
import { glass } from "./scan.js";

const GLASS = 132;
const SHOWN = 4;

/** The likeliest men of a square of the picture, likeliest first: { letter, p }. A turned board has the same men. */
export function candidates(detail, position) {
  const { classes, squares } = detail.reading;
  const row = squares[inPicture(position, detail.reading.orientation)];
  return row.map((p, index) => ({ letter: classes[index], p })).sort((a, b) => b.p - a.p);
}

export class Inspector {
  /** `onChoose(position, letter)`. */
  constructor({ onChoose }) {
    this.onChoose = onChoose;
    this.element = h("section", { class: "inspector", "aria-label": t("diagram.square") });
  }

  show(detail, facts, position) {
    if (position === undefined) {
      fill(this.element, h("div", { class: "glass empty" }), h("p", { class: "hint" }, t("diagram.no_square")));
      return;
    }
    const index = inPicture(position, facts.orientation);
    const here = readPlacement(readFen(facts.fen).placement)[index];
    const list = candidates(detail, position).filter((one, rank) => rank === 0 || one.p >= 0.0005 || one.letter === here).slice(0, SHOWN);
    fill(this.element,
      glass(detail, position, GLASS),
      h("div", { class: "candidates" },
        h("h3", {}, h("b", {}, SQUARES[index]), " ", h("span", {}, here === EMPTY ? t("diagram.empty_square") : t(`man.${here}`))),
        h("ol", { "aria-label": t("board.candidates") }, list.map((one) =>
          h("li", {},
            h("button", { class: one.letter === here ? "chosen" : "", title: t(`man.${one.letter}`), onclick: () => this.onChoose(position, one.letter) },
              man(one.letter),
              h("span", { class: "bar", "aria-hidden": "true" }, h("i", { style: { width: `${Math.max(1, Math.round(one.p * 100))}%` } })),
              h("span", { class: "p" }, percent(one.p))))))));
  }
}
