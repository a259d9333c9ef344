// What people decided about a diagram, and what was read before.

import { h } from "./dom.js";
import { t, time } from "./i18n.js";

export function historyOf(detail) {
  const { decisions, earlier } = detail;
  if (decisions.length + earlier.length === 0) return undefined;
  return h("details", { class: "history" },
    h("summary", {}, `${t("diagram.history")} (${decisions.length + earlier.length})`),
    h("ol", {},
      earlier.map((reading) => h("li", {}, h("span", { class: "when" }, time(reading.read_at)), " ", reading.model_version, " ", h("code", {}, reading.fen))),
      decisions.map((decision) => h("li", { class: decision.undone ? "undone" : "" },
        h("span", { class: "when" }, time(decision.at)), " ", h("b", {}, decision.who), ": ", t(`state.${decision.verdict}`),
        decision.reason && h("q", {}, decision.reason),
        decision.after.fen !== decision.before.fen && h("code", {}, decision.after.fen)))));
}
