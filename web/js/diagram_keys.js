// The keys of the diagram view. Letters of the men put them on the board, so acts have other letters.

import { EMPTY } from "./chess.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function diagramKeys(view) {
  const cursor = (event) => {
    const [dx, dy] = STEPS[event.key];
    const at = view.cursor ?? 0;
    const clamp = (value) => Math.min(7, Math.max(0, value));
    view.moveCursor(view.cursor === undefined ? 0 : clamp(at % 8 + dx) + 8 * clamp(Math.floor(at / 8) + dy));
  };
  const focus = (name) => () => {
    const field = view.element.querySelector(`#field-${name}`);
    field.focus();
    field.select?.();
  };
  return [
    { group: "decide", keys: ["Enter", "ctrl+Enter"], shown: ["Enter"], text: "key.approve", run: () => view.approve() },
    { group: "decide", keys: ["a"], text: "key.approve_reason", run: () => view.approveWithReason() },
    { group: "decide", keys: ["x"], text: "key.reject", run: () => view.reject() },
    { group: "decide", keys: ["l"], text: "key.later", run: () => view.later() },
    { group: "decide", keys: ["z", "ctrl+z"], text: "key.undo", run: () => view.undo() },
    { group: "decide", keys: ["Z", "ctrl+y", "ctrl+shift+z"], shown: ["Z", "ctrl+y"], text: "key.redo", run: () => view.redo() },
    { group: "decide", keys: ["0"], text: "key.reset", run: () => view.reset() },
    { group: "board", keys: [" "], text: "key.next_doubt", run: () => view.nextDoubt(1) },
    { group: "board", keys: ["v"], text: "key.previous_doubt", run: () => view.nextDoubt(-1) },
    { group: "board", keys: ["s"], text: "key.second", run: () => view.putSecond() },
    { group: "board", keys: ["1", "2", "3", "4"], text: "key.candidate", run: (event) => view.putCandidate(Number(event.key) - 1) },
    { group: "board", keys: Object.keys(STEPS), text: "key.cursor", run: cursor },
    { group: "board", keys: [..."KQRBNP"], text: "key.white", run: (event) => view.putAtCursor(event.key) },
    { group: "board", keys: [..."kqrbnp"], text: "key.black", run: (event) => view.putAtCursor(event.key) },
    { group: "board", keys: ["Delete", "Backspace", "e"], text: "key.empty", run: () => view.putAtCursor(EMPTY) },
    { group: "board", keys: ["m"], text: "key.side", run: () => view.otherSide() },
    { group: "board", keys: ["t"], text: "key.turn", run: () => view.turn() },
    { group: "board", keys: ["c"], text: "key.swap", run: () => view.swap() },
    { group: "move", keys: [".", "PageDown"], text: "key.next", run: () => view.step(1) },
    { group: "move", keys: [",", "PageUp"], text: "key.previous", run: () => view.step(-1) },
    { group: "move", keys: ["o"], text: "key.page", run: () => view.wholePage() },
    { group: "move", keys: ["d"], text: "key.draw", run: () => view.wholePage("draw") },
    { group: "move", keys: ["g"], text: "key.corners", run: () => view.wholePage("corners") },
    { group: "move", keys: ["f"], text: "key.fen", run: focus("fen") },
    { group: "move", keys: ["#", "i"], shown: ["i"], text: "key.number", run: focus("number") },
    { group: "move", keys: ["Escape"], text: "key.back", run: () => {
      const field = document.activeElement;
      if (field?.closest?.(".fields")) view.drawn.element.focus();
      else if (view.brush !== undefined) view.setBrush(view.brush);
      else view.app.go(`/${view.search}`);
    } },
  ];
}
