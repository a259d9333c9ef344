// The scanned board, straightened so that its squares lie where those of the drawn one do, and the glass that enlarges a square.

import { pictureOf } from "./api.js";
import { h } from "./dom.js";
import { matrix, squareCorners } from "./homography.js";
import { t } from "./i18n.js";

/** An element with the board's picture whose squares are `side` wide and begin at (`x`, `y`); it must be cut off by its parent. */
function straightened(detail, side, x, y) {
  const crop = pictureOf(detail, "board");
  const { corners, width, height } = detail.crop ?? {};
  if (crop && corners) {
    const transform = matrix(corners, squareCorners(side, x, y));
    if (transform) {
      return h("img", { src: crop, alt: "", draggable: "false", class: "straight",
        style: { width: `${width}px`, height: `${height}px`, transform } });
    }
  }
  const squares = pictureOf(detail, "squares");
  if (!squares) return undefined;
  return h("img", { src: squares, alt: "", draggable: "false", class: "straight",
    style: { width: `${8 * side}px`, height: `${8 * side}px`, transform: `translate(${x}px, ${y}px)` } });
}

export class ScanBoard {
  /** `onHover(position | undefined)` and `onPick(position)` get squares of the picture, 0 at its top left. */
  constructor({ onHover, onPick }) {
    this.clip = h("div", { class: "clip" });
    this.cells = Array.from({ length: 64 }, (_, position) => h("div", { class: "cell", "data-position": position }));
    this.grid = h("div", { class: "grid" }, this.cells);
    this.element = h("div", { class: "frame scan", role: "img", "aria-label": t("board.scan_label") }, this.clip, this.grid);
    const at = (event) => {
      const cell = event.target.closest?.(".cell");
      return cell ? Number(cell.dataset.position) : undefined;
    };
    this.grid.addEventListener("pointermove", (event) => event.pointerType === "mouse" && onHover(at(event)));
    this.grid.addEventListener("pointerleave", () => onHover(undefined));
    this.grid.addEventListener("click", (event) => at(event) !== undefined && onPick(at(event)));
  }

  show(detail, side) {
    const picture = straightened(detail, side, side / 2, side / 2);
    this.clip.replaceChildren(picture ?? h("p", { class: "none" }, t("diagram.no_picture")));
  }

  /** `classes`: for each position the marks' class names. */
  mark(classes) {
    this.cells.forEach((cell, position) => { cell.className = `cell ${classes[position] ?? ""}`; });
  }
}

/** The glass: one square with a little around it. */
export function glass(detail, position, size) {
  const shown = 1.5;
  const side = size / shown;
  const [column, row] = [position % 8, Math.floor(position / 8)];
  const x = size / 2 - (column + 0.5) * side;
  const y = size / 2 - (row + 0.5) * side;
  return h("div", { class: "glass", style: { width: `${size}px`, height: `${size}px` } },
    straightened(detail, side, x, y),
    h("div", { class: "pane", style: { inset: `${(size - side) / 2}px` } }));
}
