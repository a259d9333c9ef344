// The whole page with the outlines of its boards; drawing a missed board, moving corners. A view of its own, and an overlay of the
// diagram view.

import { get, post } from "./api.js";
import { fill, h, toast } from "./dom.js";
import { flagList } from "./flags.js";
import { t } from "./i18n.js";
import { setKeys } from "./keys.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Steps of the cross on the page's small picture, in parts of its longer side. */
const FINE = 1 / 800;
const COARSE = 1 / 50;

export class PageDesk {
  /** `diagram`: the one to point out; `version`: its version; `onRead(detail)`, `onChoose(id)`. */
  constructor(app, { diagram, version, onRead, onChoose }) {
    Object.assign(this, { app, diagram, version, onRead, onChoose });
    this.mode = "look";
    this.points = [];
    this.svg = h("svg:svg", { class: "outlines", preserveAspectRatio: "none" });
    this.image = h("img", { alt: t("page.whole"), draggable: "false" });
    this.sheet = h("div", { class: "sheet" }, this.image, this.svg);
    this.tools = h("div", { class: "tools", role: "toolbar" });
    this.hint = h("p", { class: "hint", role: "status" });
    this.scroller = h("div", { class: "scroller", tabindex: "0", "aria-label": t("page.whole") }, this.sheet);
    this.element = h("div", { class: "page-desk" }, this.tools, this.hint, this.scroller);
    this.svg.addEventListener("pointerdown", (event) => this.down(event));
    this.svg.addEventListener("pointermove", (event) => this.move(event));
    this.svg.addEventListener("pointerup", () => { this.held = undefined; });
    new ResizeObserver(() => this.data && this.draw()).observe(this.sheet);
    this.svg.addEventListener("pointercancel", () => { this.held = undefined; });
    this.keys = [
      { group: "page", keys: ["d"], text: "key.draw", run: () => this.setMode("draw") },
      { group: "page", keys: ["g"], text: "key.corners", run: () => this.setMode("corners"), when: () => this.chosen() !== undefined },
      { group: "page", keys: [...Object.keys(STEPS), ...Object.keys(STEPS).map((key) => `shift+${key}`)], shown: Object.keys(STEPS), text: "key.cross", run: (event) => this.moveCross(event), when: () => this.mode !== "look" },
      { group: "page", keys: ["1", "2", "3", "4"], run: (event) => this.chooseCorner(Number(event.key) - 1), when: () => this.mode === "corners" },
      { group: "page", keys: ["Enter"], text: "key.set_corner", run: () => this.enter(), when: () => this.mode !== "look" },
      { group: "page", keys: ["Backspace", "z", "ctrl+z"], shown: ["Backspace"], text: "key.unset_corner", run: () => this.unset(), when: () => this.mode === "draw" },
      { group: "page", keys: ["+", "-"], text: "key.zoom", run: () => this.zoom() },
      { group: "page", keys: ["y"], text: "key.reread", run: () => this.reread() },
    ];
  }

  async open(id, mode = "look") {
    this.id = id;
    this.data = await get(`/pages/${id}`);
    const { page, picture } = this.data;
    this.mode = "look";
    this.setWidthQuietly();
    this.size = { width: page.width ?? picture?.width ?? 1000, height: page.height ?? picture?.height ?? 1400 };
    this.svg.setAttribute("viewBox", `0 0 ${this.size.width} ${this.size.height}`);
    this.sheet.style.setProperty("aspect-ratio", `${this.size.width} / ${this.size.height}`);
    this.sheet.style.setProperty("--ratio", String(this.size.width / this.size.height));
    if (picture) this.image.src = `/pictures/pages/${id}?v=${page.version}`;
    else this.image.removeAttribute("src");
    if (mode === "look") this.render();
    else this.setMode(mode);
    if (!picture) this.hint.textContent = page.failure ?? t("page.no_picture");
  }

  chosen() {
    return this.data?.boards.find((board) => board.id === this.diagram);
  }

  setMode(mode) {
    const board = this.chosen();
    if (mode === "corners" && !board) return;
    this.mode = mode;
    this.points = mode === "corners" ? board.corners.map((point) => [...point]) : [];
    this.corner = 0;
    this.cross = undefined;
    this.render();
    this.scroller.focus({ preventScroll: true });
    if (mode === "corners") this.comeNear(this.points);
    else this.setWidth(undefined);
  }

  /** Zooms in on some points, so that corners can be set to the pixel. */
  comeNear(points) {
    const range = (axis) => [Math.min(...points.map((point) => point[axis])), Math.max(...points.map((point) => point[axis]))];
    const [[left, right], [top, bottom]] = [range(0), range(1)];
    const { clientWidth, clientHeight } = this.scroller;
    // three quarters of the window for the board: its surroundings tell where it ends
    const scale = 0.75 * Math.min(clientWidth / (right - left), clientHeight / (bottom - top));
    this.setWidth(Math.max(this.sheet.clientWidth, scale * this.size.width));
    const shown = this.sheet.clientWidth / this.size.width;
    this.scroller.scrollTo(this.sheet.offsetLeft + ((left + right) / 2) * shown - clientWidth / 2, this.sheet.offsetTop + ((top + bottom) / 2) * shown - clientHeight / 2);
  }

  /** The width of the page in the window, in pixels; without one it fits into it. */
  setWidth(width) {
    this.sheet.classList.toggle("sized", width !== undefined);
    if (width === undefined) this.sheet.style.removeProperty("width");
    else this.sheet.style.setProperty("width", `${Math.round(width)}px`);
    this.draw();
  }

  render() {
    const { boards, page } = this.data;
    const drawing = this.mode !== "look";
    const button = (text, run, kind = "", pressed = undefined) => h("button", { class: kind, onclick: run, "aria-pressed": pressed }, text);
    fill(this.tools,
      h("span", { class: "hint" }, t("page.boards", { n: boards.length })),
      h("span", { class: "spring" }),
      drawing
        ? [button(t("page.read_board"), () => this.read(), "primary"), button(t("page.cancel"), () => this.setMode("look"))]
        : [button(t("page.draw"), () => this.setMode("draw")), this.chosen() && button(t("act.corners"), () => this.setMode("corners")), button(t("page.reread"), () => this.reread())],
      button(t("page.zoom"), () => this.zoom()));
    this.tools.querySelector(".primary")?.toggleAttribute("disabled", this.points.length !== 4);
    this.hint.textContent = this.mode === "draw" ? t("page.draw.how") : this.mode === "corners" ? t("page.corners.how") : "";
    this.element.classList.toggle("drawing", drawing);
    this.flags = page.flags.length > 0 ? flagList(page.flags.map((flag) => ({ ...flag, positions: [] })), {}) : undefined;
    if (this.flags && !drawing) fill(this.hint, this.flags);
    this.draw();
  }

  draw() {
    // two pixels of the window, in pixels of the page
    const stroke = (2 * this.size.width) / (this.sheet.clientWidth || 800);
    const shapes = this.data.boards.flatMap((board) => {
      if (this.mode === "corners" && board.id === this.diagram) return [];
      const [x, y] = board.corners[0];
      const label = t("page.open_board", { ordinal: board.number ?? board.ordinal });
      const outline = h("svg:polygon", { points: board.corners.join(" "), class: `${board.state} ${board.id === this.diagram ? "this" : ""}`, "stroke-width": stroke, role: "link", tabindex: this.mode === "look" ? "0" : "-1", "aria-label": label });
      if (this.mode === "look") {
        outline.addEventListener("click", () => this.onChoose?.(board.id));
        outline.addEventListener("keydown", (event) => event.key === "Enter" && this.onChoose?.(board.id));
      }
      return [outline, h("svg:text", { x: x + stroke, y: y - 2 * stroke, "font-size": 7 * stroke, class: board.state }, board.number ?? String(board.ordinal))];
    });
    if (this.points.length > 1) {
      shapes.push(h("svg:polygon", { points: (this.points.length === 4 ? sorted(this.points) : this.points).join(" "), class: "mine", "stroke-width": stroke }));
      if (this.points.length === 4) shapes.push(...lattice(sorted(this.points)).map(([a, b]) => h("svg:line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], class: "lattice", "stroke-width": stroke / 2.5 })));
    }
    this.points.forEach(([x, y], index) => {
      shapes.push(h("svg:circle", { cx: x, cy: y, r: 5 * stroke, "stroke-width": stroke, class: `handle ${this.mode === "corners" && index === this.corner ? "on" : ""}`, "data-corner": index, "aria-label": t("page.corner", { n: index + 1 }) }));
      shapes.push(h("svg:path", { d: `M${x - 2.5 * stroke} ${y}h${5 * stroke}M${x} ${y - 2.5 * stroke}v${5 * stroke}`, class: "point", "stroke-width": stroke / 2 }));
    });
    if (this.mode === "draw" && this.cross) {
      const [x, y] = this.cross;
      shapes.push(h("svg:path", { d: `M0 ${y}H${this.size.width}M${x} 0V${this.size.height}`, class: "cross", "stroke-width": stroke / 2 }));
    }
    this.svg.replaceChildren(...shapes);
    this.tools.querySelector(".primary")?.toggleAttribute("disabled", this.points.length !== 4 || this.busy === true);
  }

  /** Page pixels of a pointer. */
  at(event) {
    const box = this.svg.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * this.size.width, ((event.clientY - box.top) / box.height) * this.size.height];
  }

  down(event) {
    if (this.mode === "look" || event.button !== 0) return;
    event.preventDefault();
    const corner = event.target.dataset?.corner;
    if (corner !== undefined) this.held = Number(corner);
    else if (this.points.length < 4) this.held = this.points.push(this.at(event)) - 1;
    if (this.held === undefined) return;
    this.corner = this.held;
    this.svg.setPointerCapture(event.pointerId);
    this.cross = undefined;
    this.draw();
  }

  move(event) {
    if (this.held === undefined) return;
    this.points[this.held] = this.at(event);
    this.draw();
  }

  moveCross(event) {
    const [dx, dy] = STEPS[event.key];
    const step = Math.max(this.size.width, this.size.height) * (event.shiftKey ? COARSE : FINE);
    const moved = ([x, y]) => [Math.min(this.size.width, Math.max(0, x + dx * step)), Math.min(this.size.height, Math.max(0, y + dy * step))];
    if (this.mode === "corners") this.points[this.corner] = moved(this.points[this.corner]);
    else this.cross = moved(this.cross ?? [this.size.width / 2, this.size.height / 2]);
    this.draw();
  }

  chooseCorner(index) {
    this.corner = index;
    this.draw();
  }

  enter() {
    if (this.points.length === 4) this.read();
    else if (this.mode === "draw") {
      this.points.push(this.cross ?? [this.size.width / 2, this.size.height / 2]);
      this.draw();
    }
  }

  unset() {
    this.points.pop();
    this.draw();
  }

  /** Back to the whole page, before there is anything to draw. */
  setWidthQuietly() {
    this.sheet.classList.remove("sized");
    this.sheet.style.removeProperty("width");
  }

  zoom() {
    this.setWidth(this.sheet.classList.contains("sized") ? undefined : Math.min(1700, 2 * this.sheet.clientWidth));
  }

  async read() {
    if (this.busy || this.points.length !== 4) return;
    this.busy = true;
    this.hint.textContent = t("page.reading");
    this.draw();
    try {
      const corners = this.points.map(([x, y]) => [x, y]);
      const detail = this.mode === "corners"
        ? await post(`/diagrams/${this.diagram}/corners`, { version: this.version, corners })
        : await post(`/pages/${this.id}/boards`, { corners });
      toast(t("page.read"));
      this.mode = "look";
      this.busy = false;
      if (this.onRead) this.onRead(detail);
      else await this.open(this.id);
    } catch (error) {
      toast(error.message, "error");
      this.busy = false;
      const { points, mode } = this;
      this.render();
      Object.assign(this, { points, mode });
      this.draw();
    }
  }

  async reread() {
    try {
      await post(`/pages/${this.id}/retry`, {});
      toast(t("page.reread_said"));
    } catch (error) {
      toast(error.message, "error");
    }
  }
}

/** Corners clockwise from the top left, as the daemon will take them. */
function sorted(points) {
  const cx = points.reduce((sum, [x]) => sum + x, 0) / 4;
  const cy = points.reduce((sum, [, y]) => sum + y, 0) / 4;
  const order = [...points].sort((a, b) => Math.atan2(a[1] - cy, a[0] - cx) - Math.atan2(b[1] - cy, b[0] - cx));
  const first = order.indexOf(order.reduce((best, point) => (point[0] + point[1] < best[0] + best[1] ? point : best)));
  return [...order.slice(first), ...order.slice(0, first)];
}

/** The lines between the squares, straight enough for judging by eye whether the corners sit. */
function lattice([a, b, c, d]) {
  const between = (p, q, part) => [p[0] + (q[0] - p[0]) * part, p[1] + (q[1] - p[1]) * part];
  const parts = [1, 2, 3, 4, 5, 6, 7].map((i) => i / 8);
  return parts.flatMap((part) => [[between(a, b, part), between(d, c, part)], [between(a, d, part), between(b, c, part)]]);
}

/** The page over the diagram view; Escape leads back. */
export function openPageOver(app, page, options) {
  const opener = document.activeElement;
  const before = app.view.keys;
  const close = () => {
    dialog.close();
    dialog.remove();
    setKeys(before);
    opener?.focus?.({ preventScroll: true });
  };
  const desk = new PageDesk(app, {
    ...options,
    onRead: (detail) => { close(); options.onRead(detail); },
    onChoose: (id) => { close(); options.onChoose(id); },
  });
  const dialog = h("dialog", { class: "page-over", "aria-label": t("page.whole") },
    h("header", {}, h("h2", {}, t("page.whole")), h("button", { class: "plain", "aria-label": t("dialog.close"), onclick: close }, "×")),
    desk.element);
  document.body.append(dialog);
  // not modal: its keys are the page's own
  dialog.show();
  dialog.removeAttribute("open");
  dialog.classList.add("shown");
  setKeys([...desk.keys, { group: "page", keys: ["Escape", "o"], text: "key.back", run: () => (desk.mode === "look" ? close() : desk.setMode("look")) }]);
  desk.scroller.focus({ preventScroll: true });
  desk.open(page, options.mode).catch((error) => { toast(error.message, "error"); close(); });
}

/** `/p/{id}`. */
export class PageView {
  constructor(app) {
    this.app = app;
    this.head = h("div", { class: "place" });
    this.desk = new PageDesk(app, {
      onRead: (detail) => app.go(`/d/${detail.diagram.id}${this.search}`),
      onChoose: (id) => app.go(`/d/${id}${this.search}`),
    });
    this.element = h("div", { class: "page-view" }, this.head, this.desk.element);
    this.keys = [
      ...this.desk.keys,
      { group: "move", keys: [".", "PageDown"], text: "key.next_page", run: () => this.turnTo("next") },
      { group: "move", keys: [",", "PageUp"], text: "key.previous_page", run: () => this.turnTo("previous") },
      { group: "move", keys: ["Escape"], text: "key.back", run: () => (this.desk.mode === "look" ? app.go(`/${this.search}`) : this.desk.setMode("look")) },
    ];
  }

  start() {}

  stop() {}

  async open(id, search) {
    this.search = search;
    await this.desk.open(id);
    const { page, previous, next } = this.desk.data;
    document.title = `${t("page.title")} ${page.page} · ${page.book} · Fenwatch`;
    const link = (target, text) => (target === null ? undefined : h("a", { class: "button", href: `/p/${target}${search}` }, text));
    fill(this.head,
      h("a", { href: `/${search}` }, page.book), h("span", {}, t("place", page)), h("span", { class: `state ${page.state}` }, t(`state.${page.state}`)),
      page.failure && h("span", { class: "bad" }, page.failure),
      h("span", { class: "spring" }), link(previous, t("page.previous")), link(next, t("page.next")));
    if (!this.element.contains(document.activeElement)) this.desk.scroller.focus({ preventScroll: true });
  }

  turnTo(where) {
    const target = this.desk.data?.[where];
    if (target) this.app.go(`/p/${target}${this.search}`);
  }

  hear(event) {
    if (event.page !== this.desk.id || this.desk.mode !== "look" || this.desk.busy) return;
    if (event.kind === "page_read") toast(t("said.read_again"));
    this.open(this.desk.id, this.search).catch(() => {});
  }
}
