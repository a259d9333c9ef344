// The diagram view: the scan beside the drawn board, and everything that can be done about them.

import { get, post } from "./api.js";
import { EMPTY, MEN, SQUARES, inPicture, readFen, readPlacement, swapColours, turned, withFen, writePlacement } from "./chess.js";
import { askApproval, send } from "./decide.js";
import { debounce, fill, h, speak, toast } from "./dom.js";
import { draftOf, dropDraft, keepDraft } from "./draft.js";
import { DrawnBoard, man } from "./drawn.js";
import { Fields, evidence } from "./fields.js";
import { doubtful, flagList, flagsNow } from "./flags.js";
import { historyOf } from "./history.js";
import { percent, t } from "./i18n.js";
import { Inspector, candidates } from "./inspector.js";
import { diagramKeys } from "./diagram_keys.js";
import { openPageOver } from "./page.js";
import { ScanBoard } from "./scan.js";
import * as session from "./session.js";
import { conditionsOf } from "./filters.js";

const settled = new Set();

/** A decision this soon (in milliseconds) after a diagram came was meant for the one before: nobody sees a board so fast. */
const FRESH = 200;

export class DiagramView {
  constructor(app) {
    this.app = app;
    const hover = (position) => this.hover(position);
    this.scan = new ScanBoard({ onHover: hover, onPick: (position) => this.pick(position) });
    this.drawn = new DrawnBoard({
      onEdit: (placement) => this.edit(withFen(this.draft.facts, { placement })),
      onPick: (position) => this.pick(position),
      onEmpty: (position) => this.put(position, EMPTY),
      onHover: hover,
    });
    this.inspector = new Inspector({ onChoose: (position, letter) => { this.cursor = position; this.put(position, letter); } });
    this.fields = new Fields({ onChange: (facts, typing) => this.edit(facts, typing), onFen: (text) => this.typeFen(text) });
    this.place = h("div", { class: "place" });
    this.flagBox = h("section", { class: "flag-box", "aria-label": t("diagram.flags") });
    this.palette = this.makePalette();
    this.drawnTitle = h("h2", {});
    this.more = h("div", { class: "more" });
    this.acts = this.makeActs();
    this.boards = h("div", { class: "boards" },
      h("figure", {}, h("figcaption", {}, h("h2", {}, t("diagram.scan"))), this.scan.element),
      h("figure", {}, h("figcaption", {}, this.drawnTitle), this.drawn.element));
    this.desk = h("div", { class: "desk" }, this.flagBox, this.boards, this.palette);
    this.element = h("div", { class: "diagram-view" }, this.place,
      h("div", { class: "work" }, this.desk, h("aside", {}, this.inspector.element, this.fields.element, this.more)), this.acts.element);
    // a click leaves the focus on the board, so that Enter means the diagram and not the button again
    this.element.addEventListener("click", (event) => {
      if (event.detail > 0 && event.target.closest?.("button") && !document.querySelector("dialog[open]")) this.drawn.element.focus({ preventScroll: true });
    });
    this.checkSoon = debounce(60, () => this.askCheck());
    this.arrivals = debounce(1500, () => session.addNew(this.conditions).then(() => this.showPlace(), () => {}));
    this.keys = diagramKeys(this);
  }

  start() {
    this.drawn.start();
    this.observer = new ResizeObserver(() => this.layOut());
    this.observer.observe(this.element);
  }

  stop() {
    this.observer?.disconnect();
    this.drawn.stop();
    this.checkSoon.cancel();
    this.arrivals.cancel();
  }

  makePalette() {
    const button = (letter) => h("button", { class: "brush", "data-letter": letter, "aria-pressed": "false", title: t(`man.${letter}`), onclick: () => this.setBrush(letter) }, man(letter));
    const tool = (name, key, run) => h("button", { title: t(`key.${name}`), onclick: run }, t(`act.${name}`), h("kbd", {}, key));
    return h("div", { class: "palette", role: "toolbar", "aria-label": t("board.palette") },
      MEN.slice(0, 6).map(button), h("span", { class: "gap" }), MEN.slice(6).map(button), h("span", { class: "gap" }), button(EMPTY),
      h("span", { class: "spring" }),
      tool("turn", "t", () => this.turn()), tool("swap", "c", () => this.swap()), tool("corners", "g", () => this.wholePage("corners")), tool("page", "o", () => this.wholePage()));
  }

  makeActs() {
    const button = (name, key, run, kind = "") => h("button", { class: kind, onclick: run }, h("span", {}, t(`act.${name}`)), key && h("kbd", {}, key));
    const approve = button("approve", "↵", () => this.approve(), "primary");
    const undo = button("undo", "z", () => this.undo());
    const redo = button("redo", "⇧Z", () => this.redo());
    const reset = button("reset", undefined, () => this.reset());
    const element = h("footer", { class: "acts" },
      approve, button("approve_reason", "a", () => this.approveWithReason()), button("reject", "x", () => this.reject(), "warn"), button("later", "l", () => this.later()),
      h("span", { class: "spring" }), undo, redo, reset,
      h("span", { class: "spring" }), button("previous", ",", () => this.step(-1)), button("next", ".", () => this.step(1)));
    return { element, approve, undo, redo, reset };
  }

  /** Shows a diagram; `search` tells the list it belongs to. */
  async open(id, search) {
    this.id = id;
    this.search = search;
    this.conditions = conditionsOf(search);
    const asked = session.detailOf(id);
    const [detail] = await Promise.all([asked, session.workingList(this.conditions).then((ids) => { this.ids = ids; })]);
    if (this.id !== id) return;
    this.show(detail);
    session.lookAhead(id);
  }

  show(detail) {
    if (this.detail?.diagram.id !== detail.diagram.id) this.welcome();
    this.detail = detail;
    this.draft = draftOf(detail);
    this.check = detail.check;
    this.hovered = undefined;
    this.pointed = undefined;
    this.flags = flagsNow(detail, this.draft.facts, this.check);
    this.cursor = doubtful(this.flags)[0];
    this.element.classList.remove("done");
    document.title = `${detail.diagram.number ?? detail.diagram.ordinal} · ${detail.diagram.book} · Fenwatch`;
    this.layOut(true);
    fill(this.more, evidence(detail), historyOf(detail));
    this.showPlace();
    this.refresh();
    if (this.draft.edited) this.askCheck();
    if (!this.element.contains(document.activeElement)) this.drawn.element.focus({ preventScroll: true });
  }

  /** Another diagram comes. How long it took since the decision is left for whoever looks at the browser's performance entries. */
  welcome() {
    this.element.dataset.fresh = "";
    setTimeout(() => delete this.element.dataset.fresh, FRESH);
    const start = this.decidedAt;
    this.decidedAt = undefined;
    if (start !== undefined) requestAnimationFrame(() => performance.measure("fenwatch.next", { start, end: performance.now() }));
  }

  showPlace() {
    const { diagram } = this.detail;
    const at = this.ids.indexOf(this.id);
    const left = this.ids.filter((id) => !settled.has(id)).length;
    fill(this.place,
      h("a", { href: `/${this.search}` }, diagram.book_title ?? diagram.book),
      h("a", { href: `/p/${diagram.page_id}${this.search}` }, t("place.diagram", diagram)),
      diagram.number && h("b", { class: "number" }, diagram.number),
      h("span", { class: `state ${diagram.state}` }, t(`state.${diagram.state}`)),
      diagram.decided_by && h("span", { class: "hint" }, diagram.decided_by, diagram.reason ? `: ${diagram.reason}` : ""),
      h("span", { class: "spring" }),
      at >= 0 && h("span", { class: "at" }, t("diagram.position", { at: at + 1, all: this.ids.length }), " · ", t("diagram.left", { n: left })));
  }

  /** Squares as large as the window allows, in whole pixels, so that scan and board are the same to the pixel. */
  layOut(force = false) {
    if (!this.detail) return;
    const wide = this.element.clientWidth >= 1000;
    this.element.classList.toggle("wide", wide);
    const width = this.boards.clientWidth - 16;
    const used = this.flagBox.offsetHeight + this.palette.offsetHeight + 64;
    const height = wide ? this.desk.clientHeight - used : window.innerHeight * 0.55;
    const side = Math.max(28, Math.floor(Math.min(width / 2, Math.max(height, 270)) / 9));
    if (side === this.side && !force) return;
    this.side = side;
    this.element.style.setProperty("--s", `${side}px`);
    this.scan.show(this.detail, side);
    this.drawn.ground?.redrawAll();
  }

  refresh() {
    const { detail, draft } = this;
    this.flags = flagsNow(detail, draft.facts, this.check);
    this.men = readPlacement(readFen(draft.facts.fen).placement);
    this.drawn.show(readFen(draft.facts.fen).placement, draft.facts.orientation);
    this.fields.show(detail, draft.facts, this.check);
    this.drawnTitle.textContent = draft.edited ? t("diagram.drawn.edited") : t("diagram.drawn");
    this.drawnTitle.classList.toggle("edited", draft.edited);
    const list = this.flags.length > 0
      ? flagList(this.flags, { onPoint: (positions) => { this.pointed = positions; this.marks(); }, onPick: (position) => this.moveCursor(position), acknowledged: detail.diagram.acknowledged })
      : h("p", { class: "hint" }, t("diagram.no_flags"));
    fill(this.flagBox, list);
    this.acts.approve.firstChild.textContent = t(draft.edited ? "act.save" : "act.approve");
    this.acts.undo.disabled = !(draft.past.length > 0 || session.decided.length > 0 || detail.can_undo);
    this.acts.redo.disabled = !(draft.future.length > 0 || session.undone.length > 0 || detail.can_redo);
    this.acts.reset.disabled = !(draft.edited || detail.can_undo);
    this.marks();
    this.inspect();
  }

  marks() {
    const classes = Array.from({ length: 64 }, () => []);
    for (const flag of this.flags) if (flag.severity !== "note") for (const position of flag.positions) classes[position].push(flag.severity);
    const read = readPlacement(readFen(this.detail.read_facts.fen).placement);
    for (let position = 0; position < 64; position++) {
      const now = this.men[inPicture(position, this.draft.facts.orientation)];
      if (now !== read[inPicture(position, this.detail.read_facts.orientation)]) classes[position].push("edited");
    }
    for (const position of this.pointed ?? []) classes[position].push("pointed");
    if (this.hovered !== undefined) classes[this.hovered].push("hovered");
    if (this.cursor !== undefined) classes[this.cursor].push("cursor");
    const names = classes.map((list) => list.join(" "));
    this.scan.mark(names);
    this.drawn.mark(names);
  }

  inspect() {
    this.inspector.show(this.detail, this.draft.facts, this.hovered ?? this.cursor);
  }

  hover(position) {
    if (position === this.hovered) return;
    this.hovered = position;
    this.marks();
    this.inspect();
  }

  moveCursor(position) {
    this.cursor = position;
    this.hovered = undefined;
    this.marks();
    this.inspect();
    const [first, second] = candidates(this.detail, position);
    const index = inPicture(position, this.draft.facts.orientation);
    speak(`${t("board.said", { square: SQUARES[index], man: t(`man.${this.men[index]}`) })}. ${t(`man.${first.letter}`)} ${percent(first.p)}, ${t(`man.${second.letter}`)} ${percent(second.p)}`);
  }

  pick(position) {
    if (this.brush !== undefined) {
      const here = this.men[inPicture(position, this.draft.facts.orientation)];
      this.cursor = position;
      this.put(position, here === this.brush ? EMPTY : this.brush);
    } else {
      this.moveCursor(position);
    }
    this.drawn.element.focus({ preventScroll: true });
  }

  setBrush(letter) {
    this.brush = this.brush === letter ? undefined : letter;
    this.drawn.brush = this.brush;
    this.element.classList.toggle("brushing", this.brush !== undefined);
    for (const button of this.palette.querySelectorAll(".brush")) button.setAttribute("aria-pressed", String(button.dataset.letter === this.brush));
  }

  put(position, letter) {
    const men = [...this.men];
    men[inPicture(position, this.draft.facts.orientation)] = letter;
    this.edit(withFen(this.draft.facts, { placement: writePlacement(men) }));
  }

  putAtCursor(letter) {
    if (this.cursor === undefined) toast(t("said.no_square"));
    else this.put(this.cursor, letter);
  }

  /** The runner-up: the likeliest man that does not stand there. */
  putSecond() {
    if (this.cursor === undefined) return;
    const here = this.men[inPicture(this.cursor, this.draft.facts.orientation)];
    const other = candidates(this.detail, this.cursor).find((one) => one.letter !== here);
    this.put(this.cursor, other.letter);
  }

  putCandidate(rank) {
    if (this.cursor !== undefined) this.put(this.cursor, candidates(this.detail, this.cursor)[rank].letter);
  }

  nextDoubt(step) {
    const squares = doubtful(this.flags);
    if (squares.length === 0) return toast(t("said.no_doubt"));
    const at = squares.indexOf(this.cursor);
    const next = at < 0 ? (step > 0 ? 0 : squares.length - 1) : (at + step + squares.length) % squares.length;
    return this.moveCursor(squares[next]);
  }

  turn() {
    const { facts } = this.draft;
    const orientation = facts.orientation === "white_bottom" ? "black_bottom" : "white_bottom";
    this.edit({ ...withFen(facts, { placement: writePlacement(turned(this.men)) }), orientation });
  }

  swap() {
    this.edit(withFen(this.draft.facts, { placement: writePlacement(swapColours(this.men)) }));
  }

  otherSide() {
    this.fields.setSide(readFen(this.draft.facts.fen).side === "w" ? "b" : "w");
  }

  edit(facts, typing) {
    if (!this.draft.change(facts, typing)) return;
    keepDraft(this.draft);
    this.refresh();
    this.checkSoon();
  }

  async askCheck() {
    const { fen } = this.draft.facts;
    const check = await get("/check", { fen }).catch(() => undefined);
    if (!check || fen !== this.draft.facts.fen) return;
    this.check = check;
    this.refresh();
  }

  /** A FEN as it is typed: taken over as soon as it is one. */
  async typeFen(text) {
    const check = await get("/check", { fen: text }).catch(() => undefined);
    if (!check || this.fields.fen.value !== text) return;
    if (check.is_fen) {
      this.check = check;
      this.edit({ ...this.draft.facts, fen: check.fen }, "fen");
    }
    this.fields.said(check, this.draft.facts);
  }

  /** Runs one request at a time; what goes wrong is said. */
  async once(run) {
    if (this.busy) return;
    this.busy = true;
    this.element.setAttribute("aria-busy", "true");
    try {
      await run();
    } catch (error) {
      toast(error.code === "busy" || error.code === "offline" ? t(`error.${error.code}`) : error.message, "error");
    } finally {
      this.busy = false;
      this.element.removeAttribute("aria-busy");
    }
  }

  approve() {
    const heavy = this.flags.filter((flag) => flag.severity === "impossible");
    return heavy.length > 0 ? this.approveWithReason() : this.once(() => this.decide(this.draft.edited ? "correct" : "approve", {}));
  }

  approveWithReason() {
    return this.once(async () => {
      const given = await askApproval(this.flags.filter((flag) => flag.severity !== "note"));
      if (given) await this.decide(this.draft.edited ? "correct" : "approve", given);
    });
  }

  reject() {
    return this.once(() => this.decide("reject", {}));
  }

  /** Sends a decision. The next diagram is shown while it is on its way; when it is not taken, this one comes back. */
  async decide(act, more) {
    if ("fresh" in this.element.dataset) return undefined;
    this.decidedAt = performance.now();
    const { id, draft, flags } = this;
    const mine = act === "reject" ? undefined : draft.facts;
    const body = { act, ...more };
    if (act === "correct") body.facts = draft.facts;
    const sending = send(id, draft.version, body, mine);
    const next = this.nextOpen();
    const ahead = next !== undefined && session.isHere(next);
    if (ahead) this.app.go(`/d/${next}${this.search}`);
    let outcome;
    try {
      outcome = await sending;
    } catch (error) {
      await this.comeBack(id);
      throw error;
    }
    if (outcome.refused) {
      await this.comeBack(id);
      const check = await get("/check", { fen: draft.facts.fen });
      const named = outcome.refused.map((code) => [...flags, ...check.flags].find((flag) => flag.code === code) ?? { code, severity: "impossible", message: "", positions: [] });
      const given = await askApproval(named);
      delete this.element.dataset.fresh;
      return given ? this.decide(act, given) : undefined;
    }
    const current = outcome.saved ?? outcome.theirs ?? outcome.edit;
    session.remember(current);
    if (outcome.edit) {
      Object.assign(draft, { version: current.diagram.version, base: current.facts });
      keepDraft(draft);
      return this.comeBack(id, current);
    }
    dropDraft(id);
    settled.add(id);
    if (outcome.saved) {
      session.decided.push(id);
      session.undone.length = 0;
      toast(t(`said.${current.diagram.state}`));
    }
    if (ahead && this.id !== id) {
      // what the bar and the buttons say has changed by it
      this.showPlace();
      return this.refresh();
    }
    if (next !== undefined) return this.app.go(`/d/${next}${this.search}`);
    this.show(current);
    return this.app.announceDone(this.search);
  }

  /** Shows a diagram again after the next one was shown too early. */
  async comeBack(id, detail = undefined) {
    if (this.id !== id) await this.app.go(`/d/${id}${this.search}`);
    else if (detail) this.show(detail);
  }

  /** The next one that nobody decided; the list begins again for those put to the end. */
  nextOpen() {
    const at = this.ids.indexOf(this.id);
    const order = [...this.ids.slice(at + 1), ...this.ids.slice(0, Math.max(at, 0))];
    return order.find((id) => !settled.has(id));
  }

  step(by) {
    const next = this.ids[this.ids.indexOf(this.id) + by];
    if (next !== undefined) this.app.go(`/d/${next}${this.search}`);
  }

  later() {
    const id = this.id;
    const next = this.ids.slice(this.ids.indexOf(id) + 1).find((other) => !settled.has(other));
    session.putLast(id);
    toast(t("said.later"));
    if (next !== undefined) this.app.go(`/d/${next}${this.search}`);
  }

  undo() {
    if (this.draft.undo()) return this.redraft();
    return this.once(async () => {
      const id = session.decided.pop() ?? (this.detail.can_undo ? this.id : undefined);
      if (id === undefined) return toast(t("said.nothing_undo"));
      const taken = await this.change(id, "undo");
      if (!taken) return undefined;
      session.undone.push(id);
      settled.delete(id);
      toast(t("said.undone"));
      return this.showOrGo(taken);
    });
  }

  redo() {
    if (this.draft.redo()) return this.redraft();
    return this.once(async () => {
      const id = session.undone.pop() ?? (this.detail.can_redo ? this.id : undefined);
      if (id === undefined) return toast(t("said.nothing_redo"));
      const again = await this.change(id, "redo");
      if (!again) return undefined;
      session.decided.push(id);
      settled.add(id);
      toast(t("said.redone"));
      return this.showOrGo(again);
    });
  }

  reset() {
    return this.once(async () => {
      dropDraft(this.id);
      let detail = { ...this.detail };
      if (detail.can_undo) detail = (await this.change(this.id, "reset")) ?? detail;
      settled.delete(this.id);
      toast(t("said.reset"));
      this.show(detail);
    });
  }

  /** Undo, redo or reset on the daemon's side, at the version that is known; somebody else's change is shown instead. */
  async change(id, act) {
    const known = await session.detailOf(id);
    try {
      const detail = await post(`/diagrams/${id}/${act}`, { version: known.diagram.version });
      session.remember(detail);
      return detail;
    } catch (error) {
      if (error.code !== "outdated" || !error.body.current) throw error;
      session.remember(error.body.current);
      toast(t("said.changed", { who: error.body.current.diagram.decided_by ?? t("said.somebody") }), "error");
      this.showOrGo(error.body.current);
      return undefined;
    }
  }

  showOrGo(detail) {
    if (detail.diagram.id === this.id) this.show(detail);
    else this.app.go(`/d/${detail.diagram.id}${this.search}`);
  }

  redraft() {
    keepDraft(this.draft);
    this.refresh();
    this.checkSoon();
  }

  wholePage(mode) {
    openPageOver(this.app, this.detail.diagram.page_id, {
      diagram: this.id,
      mode,
      version: this.detail.diagram.version,
      onRead: (detail) => {
        session.remember(detail);
        session.include(detail.diagram.id, this.id);
        this.showOrGo(detail);
      },
      onChoose: (id) => this.app.go(`/d/${id}${this.search}`),
    });
  }

  async hear(event) {
    if (event.kind === "page_read" || event.kind === "drawn") this.arrivals();
    if (event.diagram === null) return;
    if (event.diagram !== this.id) {
      if (["decided", "undone", "redone", "drawn", "reread_differs", "side_by_book"].includes(event.kind)) session.forget(event.diagram);
      return;
    }
    if (this.busy) return;
    const detail = await get(`/diagrams/${this.id}`).catch(() => undefined);
    if (!detail || event.diagram !== this.id || this.busy || detail.diagram.version === this.detail.diagram.version) return;
    session.remember(detail);
    const who = event.who ?? t("said.somebody");
    if (this.draft.edited) {
      toast(t("said.changed_draft", { who }), "error");
      return;
    }
    this.show(detail);
    toast(t("said.changed", { who }));
  }
}
