// Keys: each view has a list of them, which is also what the overlay shows.
//
// A key is { keys: ["Enter"], text: "key.approve", run, group }. Letters are told apart by case; "ctrl+z" stands for the command key too.

import { h, takesText } from "./dom.js";
import { t } from "./i18n.js";
import { openDialog } from "./dialog.js";

let current = [];
let general = [];

export function setKeys(keys) {
  current = keys;
}

export function setGeneralKeys(keys) {
  general = keys;
}

function nameOf(event) {
  const key = event.key.length === 1 && (event.ctrlKey || event.metaKey) ? event.key.toLowerCase() : event.key;
  const shifted = event.shiftKey && (event.ctrlKey || event.metaKey || key.length > 1) ? "shift+" : "";
  return `${event.ctrlKey || event.metaKey ? "ctrl+" : ""}${shifted}${key}`;
}

/** Enter and Space belong to the control that has the focus. */
function belongsToControl(event) {
  const target = event.target;
  if (takesText(target)) return event.key !== "Escape" && !(event.ctrlKey && event.key === "Enter");
  return (event.key === "Enter" || event.key === " ") && target.closest?.("button, a, summary, input, [role=option]");
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
  if (belongsToControl(event)) return;
  const name = nameOf(event);
  const found = [...current, ...general].find((key) => key.keys.includes(name) && (key.when?.() ?? true));
  if (!found) return;
  event.preventDefault();
  // a key that is held down must not decide one diagram after the other
  if (event.repeat && found.group === "decide") return;
  found.run(event);
});

const SHOWN = {
  " ": "space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", Enter: "↵", Backspace: "⌫", Delete: "Del",
  PageDown: "PgDn", PageUp: "PgUp",
};

export function keyName(name) {
  return name.split("+").map((part) => {
    if (part === "ctrl") return "Ctrl";
    if (part === "shift") return "⇧";
    return SHOWN[part] ?? part;
  }).join(" ");
}

/** The overlay of all keys that do something now. */
export function showKeys() {
  const groups = new Map();
  for (const key of [...current, ...general]) {
    if (!key.text) continue;
    const group = key.group ?? "general";
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(key);
  }
  const sections = [...groups].map(([group, keys]) =>
    h("section", {}, h("h3", {}, t(`keys.${group}`)),
      h("dl", {}, keys.map((key) => [
        h("dt", {}, (key.shown ?? key.keys).map((name) => h("kbd", {}, keyName(name)))),
        h("dd", {}, t(key.text)),
      ]))));
  openDialog({ title: t("keys.title"), body: h("div", { class: "keys" }, sections), wide: true });
}
