// Modal dialogs.

import { h } from "./dom.js";
import { t } from "./i18n.js";

/**
 * Opens a dialog. `actions` are { text, kind, run, key } and close it unless `run` returns false (or a promise of it); without any there
 * is one to close it. Resolves when it is closed.
 */
export function openDialog({ title, body, actions = [], wide = false, className = "" }) {
  return new Promise((resolve) => {
    const opener = document.activeElement;
    const said = h("p", { class: "said", role: "alert" });
    const act = async (action, event) => {
      event?.preventDefault();
      said.textContent = "";
      try {
        if ((await action.run?.()) === false) return;
        dialog.close();
      } catch (error) {
        said.textContent = error.message;
      }
    };
    const buttons = actions.map((action) =>
      h("button", { type: action.primary ? "submit" : "button", class: action.primary ? "primary" : action.kind ?? "",
        onclick: action.primary ? undefined : (event) => act(action, event) }, action.text));
    const primary = actions.find((action) => action.primary);
    const form = h("form", { method: "dialog", onsubmit: (event) => (primary ? act(primary, event) : undefined) },
      h("header", {}, h("h2", {}, title),
        h("button", { type: "button", class: "plain", "aria-label": t("dialog.close"), onclick: () => dialog.close() }, "×")),
      h("div", { class: "body" }, body),
      said,
      buttons.length > 0 && h("footer", {}, buttons));
    const dialog = h("dialog", { class: `${wide ? "wide" : ""} ${className}`, "aria-label": title }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      opener?.focus?.({ preventScroll: true });
      resolve();
    });
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    document.body.append(dialog);
    dialog.showModal();
    (dialog.querySelector("[autofocus]") ?? dialog.querySelector("button.primary") ?? dialog.querySelector("header button")).focus();
  });
}
