// The FEN viewer: any text is drawn as far as it goes, and what is wrong with it is said.

import { get } from "./api.js";
import { indexOf, SQUARES } from "./chess.js";
import { debounce, fill, h, toast } from "./dom.js";
import { stillBoard } from "./drawn.js";
import { flagList } from "./flags.js";
import { t } from "./i18n.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export class FenView {
  constructor(app) {
    this.app = app;
    this.turned = false;
    this.input = h("textarea", { id: "fen-text", rows: "2", spellcheck: "false", "aria-label": "FEN", oninput: () => this.checkSoon() });
    this.board = h("div", { class: "fen-board" });
    this.said = h("div", { class: "fen-report", role: "status" });
    this.element = h("div", { class: "fen-view" },
      h("section", {}, h("h1", {}, t("fen.title")), h("p", { class: "hint" }, t("fen.hint")), this.input, this.said),
      h("section", {}, this.board, h("button", { onclick: () => this.turn() }, t("fen.turn"), h("kbd", {}, "t"))));
    this.checkSoon = debounce(80, () => this.check());
    this.keys = [
      { group: "board", keys: ["t"], text: "key.turn", run: () => this.turn() },
      { group: "board", keys: ["f"], text: "key.fen", run: () => { this.input.focus(); this.input.select(); } },
      { group: "move", keys: ["Escape"], text: "key.back", run: () => (document.activeElement === this.input ? this.input.blur() : app.go("/")) },
    ];
  }

  start() {}

  stop() {
    this.checkSoon.cancel();
  }

  async open(_, search) {
    document.title = `${t("fen.title")} · Fenwatch`;
    this.input.value = new URLSearchParams(search).get("fen") ?? START;
    await this.check();
    this.input.focus();
    this.input.select();
  }

  turn() {
    this.turned = !this.turned;
    this.draw();
  }

  async check() {
    const text = this.input.value;
    this.result = await get("/check", { fen: text }).catch((error) => { toast(error.message, "error"); });
    if (!this.result || text !== this.input.value) return;
    history.replaceState(null, "", text === START ? "/fen" : `/fen?fen=${encodeURIComponent(text)}`);
    this.draw();
  }

  draw() {
    const { result } = this;
    if (!result) return;
    const marked = [...result.flags.filter((flag) => flag.severity !== "note").flatMap((flag) => flag.squares), ...result.unknown];
    fill(this.board, stillBoard(result.placement ?? "8/8/8/8/8/8/8/8", this.turned ? "black_bottom" : "white_bottom", marked));
    const flags = result.flags.map((flag) => ({ ...flag, positions: flag.squares.map(indexOf).filter((index) => SQUARES[index]) }));
    fill(this.said,
      result.problems.length > 0 && h("ul", { class: "flags" }, result.problems.map((problem) =>
        h("li", { class: "impossible" }, h("b", {}, t("fen.problems")), h("span", { class: "why" }, problem.message, " ", excerpt(result.text, problem))))),
      result.is_fen && [
        h("p", { class: "state-said" }, result.state),
        flags.length > 0 ? flagList(flags, {}) : h("p", { class: "good" }, `✓ ${t("fen.sound")}`),
        result.cures.map((cure) => h("p", {}, t(`fen.cure.${cure.code}`), ": ", h("code", {}, cure.placement), " ", h("button", { onclick: () => this.use(cure.placement) }, t("fen.use")))),
        result.remarks.map((remark) => h("p", { class: "hint" }, remark)),
        h("p", {}, t("fen.normal"), ": ", h("code", { class: "selectable" }, result.fen), " ", h("button", { onclick: () => copy(result.fen) }, t("diagram.copy"))),
      ]);
  }

  use(placement) {
    const rest = this.result.fen.split(" ").slice(1).join(" ");
    this.input.value = `${placement} ${rest}`;
    this.check();
  }

  hear() {}
}

function excerpt(text, { start, end }) {
  const part = [...text].slice(start, Math.max(end, start + 1)).join("");
  return part ? h("code", {}, part) : undefined;
}

async function copy(text) {
  await navigator.clipboard.writeText(text);
  toast(t("diagram.copied"));
}
