// The drawn board: chessground for drawing and dragging, with a cursor, marks and a brush on top.

import { Chessground } from "/assets/vendor/chessground/chessground.min.js";
import { EMPTY, SQUARES, indexOf, inPicture, pieceName, readPlacement } from "./chess.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

/** A pointer that moved less than this between down and up was a click. */
const CLICK_REACH = 5;

export class DrawnBoard {
  /**
   * `onEdit(placement)`: a man was dragged; `onPick(position)`: a square was clicked; `onEmpty(position)`: right click;
   * `onHover(position | undefined)`. Positions are squares of the picture.
   */
  constructor({ onEdit, onPick, onEmpty, onHover }) {
    this.placement = "";
    this.orientation = "white_bottom";
    this.brush = undefined;
    this.wrap = h("div", { class: "cg-wrap" });
    this.cells = Array.from({ length: 64 }, () => h("div", { class: "cell" }));
    this.files = h("div", { class: "coords files", "aria-hidden": "true" });
    this.ranks = h("div", { class: "coords ranks", "aria-hidden": "true" });
    this.element = h("div", { class: "frame drawn", tabindex: "0", role: "application", "aria-label": t("board.label") },
      h("div", { class: "inner" }, this.wrap), h("div", { class: "grid", "aria-hidden": "true" }, this.cells), this.files, this.ranks);
    this.onEdit = onEdit;

    const position = (event) => {
      const point = event.touches?.[0] ?? event.changedTouches?.[0] ?? event;
      const key = this.ground?.getKeyAtDomPos([point.clientX, point.clientY]);
      return key ? inPicture(indexOf(key), this.orientation) : undefined;
    };
    let down;
    this.wrap.addEventListener("pointerdown", (event) => { down = { x: event.clientX, y: event.clientY, at: position(event), button: event.button }; }, true);
    this.wrap.addEventListener("pointerup", (event) => {
      const near = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < CLICK_REACH;
      if (near && down.at !== undefined && down.button === 0) onPick(down.at);
      down = undefined;
    }, true);
    this.wrap.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const at = position(event);
      if (at !== undefined) onEmpty(at);
    });
    this.wrap.addEventListener("pointermove", (event) => event.pointerType === "mouse" && onHover(position(event)));
    this.wrap.addEventListener("pointerleave", () => onHover(undefined));
    // with a brush nothing is dragged
    for (const kind of ["mousedown", "touchstart"]) {
      this.wrap.addEventListener(kind, (event) => this.brush !== undefined && event.stopPropagation(), { capture: true, passive: true });
    }
  }

  /** To be called when the element is in the document. */
  start() {
    this.ground = Chessground(this.wrap, {
      coordinates: false,
      disableContextMenu: true,
      animation: { enabled: false },
      highlight: { lastMove: false, check: false },
      movable: { free: true, color: "both", showDests: false, rookCastle: false },
      premovable: { enabled: false },
      predroppable: { enabled: false },
      draggable: { enabled: true, deleteOnDropOff: true, showGhost: true },
      selectable: { enabled: false },
      drawable: { enabled: false, visible: false },
      events: { change: () => this.changed() },
    });
  }

  changed() {
    const placement = this.ground.getFen();
    this.ground.selectSquare(null);
    if (placement !== this.placement) this.onEdit(placement);
  }

  show(placement, orientation) {
    if (!this.ground) return;
    this.placement = placement;
    this.orientation = orientation;
    this.ground.set({ fen: placement, orientation: orientation === "black_bottom" ? "black" : "white" });
    this.ground.selectSquare(null);
    const black = orientation === "black_bottom";
    const order = (text) => (black ? [...text].reverse() : [...text]);
    this.files.replaceChildren(...order("abcdefgh").map((file) => h("span", {}, file)));
    this.ranks.replaceChildren(...order("87654321").map((rank) => h("span", {}, rank)));
  }

  mark(classes) {
    this.cells.forEach((cell, position) => { cell.className = `cell ${classes[position] ?? ""}`; });
  }

  stop() {
    this.ground?.destroy();
  }
}

/** A man as an element, "." as an empty square. */
export function man(letter) {
  return h("span", { class: letter === EMPTY ? "man none" : `man ${pieceName(letter)}`, role: "img", "aria-label": t(`man.${letter}`) });
}

/** A small board that only shows. */
export function stillBoard(placement, orientation = "white_bottom", marked = []) {
  const men = readPlacement(placement);
  const label = SQUARES.map((square, index) => (men[index] === EMPTY ? "" : `${square} ${t(`man.${men[index]}`)}`)).filter(Boolean).join(", ");
  const cells = Array.from({ length: 64 }, (_, position) => {
    const index = inPicture(position, orientation);
    const letter = men[index] ?? EMPTY;
    const dark = (Math.floor(position / 8) + position) % 2 === 1;
    return h("div", { class: `${dark ? "dark" : "light"} ${marked.includes(SQUARES[index]) ? "marked" : ""} ${letter === EMPTY ? "" : `man ${pieceName(letter)}`}` });
  });
  return h("div", { class: "still", role: "img", "aria-label": label }, cells);
}
