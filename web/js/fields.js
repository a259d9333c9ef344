// The facts beside the board: who moves, rights, words, the FEN.

import { pictureOf } from "./api.js";
import { possibleCastling, readFen, readPlacement, withFen } from "./chess.js";
import { fill, h, toast } from "./dom.js";
import { percent, t } from "./i18n.js";

const WORDS = ["number", "players", "stipulation"];

export class Fields {
  /** `onChange(facts, typing)`: `typing` names the field while one types. `onFen(text)`: a FEN was typed or pasted. */
  constructor({ onChange, onFen }) {
    this.onChange = onChange;
    this.side = h("div", { class: "segments", role: "radiogroup", "aria-label": t("diagram.side") },
      ["w", "b"].map((side) => h("button", { role: "radio", "data-side": side, onclick: () => this.setSide(side) },
        h("i", { class: `disc ${side}`, "aria-hidden": "true" }), t(`side.${side}`))));
    this.sideSource = h("span", { class: "source" });
    this.castling = h("div", { class: "rights" });
    this.enPassant = h("div", { class: "rights" });
    this.inputs = new Map(WORDS.map((name) => [name,
      h("input", { id: `field-${name}`, autocomplete: "off", spellcheck: "false", oninput: (event) => this.word(name, event.target.value) })]));
    this.caption = h("textarea", { id: "field-caption", rows: "2", spellcheck: "false", oninput: (event) => this.word("caption", event.target.value) });
    this.picture = h("div", { class: "caption-picture" });
    this.fen = h("input", { id: "field-fen", class: "fen", spellcheck: "false", autocomplete: "off", "aria-describedby": "fen-said",
      oninput: () => onFen(this.fen.value), onblur: () => this.settle() });
    this.fenSaid = h("div", { id: "fen-said", class: "fen-said", role: "status" });
    const row = (label, id, ...content) => h("div", { class: "row" }, h(id ? "label" : "span", { class: "label", for: id }, label), h("div", { class: "value" }, content));
    this.element = h("section", { class: "fields" },
      row(t("diagram.side"), undefined, this.side, this.sideSource),
      row(t("diagram.castling"), undefined, this.castling),
      row(t("diagram.en_passant"), undefined, this.enPassant),
      row(t("diagram.caption"), "field-caption", this.picture, this.caption),
      h("div", { class: "words" }, WORDS.map((name) => h("div", { class: "row" }, h("label", { class: "label", for: `field-${name}` }, t(`diagram.${name}`)), this.inputs.get(name)))),
      row(t("diagram.fen"), "field-fen",
        h("div", { class: "fen-row" }, this.fen, h("button", { onclick: () => this.copy() }, t("diagram.copy"))), this.fenSaid));
  }

  show(detail, facts, check) {
    const changed = this.detail !== detail;
    this.detail = detail;
    this.facts = facts;
    const fen = readFen(facts.fen);
    for (const button of this.side.children) {
      const on = button.dataset.side === fen.side;
      button.setAttribute("aria-checked", String(on));
      button.classList.toggle("on", on);
    }
    const source = facts.sources.side_to_move;
    this.sideSource.textContent = source === "assumed" ? t("source.assumed") : t("diagram.by", { source: t(`source.${source}`) });
    this.sideSource.className = `source ${source === "assumed" ? "weak" : ""}`;

    const possible = possibleCastling(readPlacement(fen.placement));
    fill(this.castling, possible.length === 0
      ? h("span", { class: "hint" }, t("diagram.castling.none"))
      : possible.map((right) => h("label", { class: "right", title: t(`diagram.castling.${right === right.toUpperCase() ? "w" : "b"}${right.toLowerCase()}`) },
          h("input", { type: "checkbox", checked: fen.castling.includes(right), onchange: (event) => this.setRight(right, event.target.checked) }), right)));
    const squares = check?.en_passant ?? [];
    const offered = fen.enPassant !== "-" && !squares.includes(fen.enPassant) ? [...squares, fen.enPassant] : squares;
    fill(this.enPassant, offered.length === 0
      ? h("span", { class: "hint" }, t("diagram.en_passant.none"))
      : h("select", { "aria-label": t("diagram.en_passant"), onchange: (event) => this.change(withFen(this.facts, { enPassant: event.target.value })) },
          ["-", ...offered].map((square) => h("option", { value: square, selected: square === fen.enPassant }, square === "-" ? "–" : square))));

    for (const [name, input] of [...this.inputs, ["caption", this.caption]]) {
      const value = facts[name] ?? "";
      if (input.value !== value && (changed || document.activeElement !== input)) input.value = value;
    }
    if (changed) {
      const strips = captionStrips(detail);
      fill(this.picture, strips);
      this.picture.hidden = strips.length === 0;
      this.caption.placeholder = t("diagram.no_caption");
    }
    if (document.activeElement !== this.fen || changed) this.fen.value = facts.fen;
    this.said(check, facts);
  }

  said(check, facts) {
    this.fen.classList.toggle("wrong", check?.is_fen === false);
    if (!check) return;
    if (!check.is_fen) {
      fill(this.fenSaid, h("span", { class: "bad" }, check.problems[0]?.message ?? t("fen.problems")));
      return;
    }
    const bad = check.flags.filter((flag) => flag.severity === "impossible");
    fill(this.fenSaid,
      bad.length > 0 ? bad.map((flag) => h("div", { class: "bad" }, flag.message)) : h("span", { class: "good" }, `✓ ${t("diagram.checked")}`),
      facts.fen !== check.text ? undefined : check.remarks.map((remark) => h("div", { class: "hint" }, remark)));
  }

  change(facts, typing) {
    this.onChange(facts, typing);
  }

  /** A click on the side that is there already confirms it. */
  setSide(side) {
    const facts = withFen(this.facts, { side });
    this.change({ ...facts, sources: { ...facts.sources, side_to_move: "human" } });
  }

  setRight(right, on) {
    const { castling } = readFen(this.facts.fen);
    const rights = [..."KQkq"].filter((one) => (one === right ? on : castling.includes(one))).join("") || "-";
    const facts = withFen(this.facts, { castling: rights });
    this.change({ ...facts, sources: { ...facts.sources, castling: "human" } });
  }

  word(name, text) {
    this.change({ ...this.facts, [name]: text.trim() === "" ? null : text }, name);
  }

  /** After typing the field shows what holds. */
  settle() {
    this.fen.value = this.facts.fen;
    this.fen.classList.remove("wrong");
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.facts.fen);
      toast(t("diagram.copied"));
    } catch {
      this.fen.select();
    }
  }
}

/** Air that the daemon leaves around a caption when it cuts it out, in page pixels. */
const AIR = 6;

/** The caption's picture. One that stands above and below the board is shown without the board between. */
function captionStrips(detail) {
  const address = pictureOf(detail, "caption");
  if (!address) return [];
  const image = (style) => h("img", { src: address, alt: t("diagram.caption"), style });
  const { corners, width, height } = detail.caption_crop ?? {};
  const heights = (corners ?? []).map(([, y]) => y);
  const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
  if (!corners || top <= 2 * AIR || bottom >= height - 2 * AIR) return [image({})];
  // all in parts of the width, so that it holds at every width; margins in percent are parts of it
  return [[0, top], [bottom, height]].map(([start, end]) =>
    h("div", { class: "strip", style: { width: `${width}px`, "aspect-ratio": `${width} / ${end - start}` } },
      image({ width: "100%", "margin-top": `${(-100 * start) / width}%` })));
}

/** What speaks for the side to move and for the side below, and what is known of the reading. */
export function evidence(detail) {
  const { reading, diagram } = detail;
  return h("details", { class: "evidence" },
    h("summary", {}, t("diagram.evidence")),
    h("ul", {},
      reading.caption.evidence.map((one) => h("li", {},
        t("diagram.evidence.side", { side: t(`side.${one.side}`), source: t(`source.${one.source}`) }),
        h("q", {}, one.text), h("span", { class: "p" }, percent(one.weight)))),
      h("li", {}, t(`diagram.orientation.${reading.orientation}`), ": ", h("span", { class: "why" }, reading.orientation_reason)),
      h("li", {}, t("diagram.confidence", { p: percent(reading.confidence) })),
      h("li", {}, t("diagram.model", { model: reading.model })),
      !diagram.seen && h("li", { class: "bad" }, t("diagram.not_seen"))));
}
