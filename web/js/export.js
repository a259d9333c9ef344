// The download of the collection.

import { get, query } from "./api.js";
import { openDialog } from "./dialog.js";
import { debounce, fill, h } from "./dom.js";
import { flagTitle, t } from "./i18n.js";

const FORMATS = ["epd", "pgn", "fen", "csv", "json", "anki"];
const STATES = { settled: "accepted,approved,corrected", decided: "approved,corrected", everything: "accepted,approved,corrected,needs_review" };

export function openExport(books, filter) {
  const format = h("select", { id: "export-format", autofocus: true, onchange: () => show() }, FORMATS.map((name) => h("option", { value: name }, t(`export.${name}`))));
  const book = h("select", { id: "export-book", onchange: () => ask() },
    h("option", { value: "" }, t("queue.all_books")), books.map((one) => h("option", { value: one.id, selected: String(one.id) === filter.book }, one.settings.title ?? one.name)));
  const what = h("select", { id: "export-what", onchange: () => ask() }, Object.keys(STATES).map((name) => h("option", { value: name }, t(`export.${name}`))));
  const number = h("input", { id: "export-number", oninput: debounce(250, () => ask()) });
  const ascii = h("input", { id: "export-ascii", type: "checkbox", onchange: () => show() });
  const said = h("div", { class: "export-said", role: "status" });
  const download = h("a", { class: "button primary", download: "" }, t("export.download"));
  const asked = () => ({ book: book.value, state: STATES[what.value], number: number.value.trim() });
  const show = () => download.setAttribute("href", `/api/export/file${query({ format: format.value, ascii: ascii.checked, ...asked() })}`);
  const ask = async () => {
    show();
    try {
      const { positions, refused, waiting } = await get("/export", asked());
      fill(said, h("b", {}, t("export.positions", { n: positions })),
        waiting > 0 && what.value !== "everything" && h("p", { class: "doubt" }, t("export.waiting", { n: waiting })),
        refused.length > 0 && [h("p", { class: "bad" }, t("export.refused", { n: refused.length })),
          h("ul", {}, refused.slice(0, 20).map((one) => h("li", {}, h("a", { href: `/d/${one.id}` }, t("place.diagram", one)), ": ", one.codes.map(flagTitle).join(", "))))]);
    } catch (error) {
      fill(said, h("p", { class: "bad" }, error.message));
    }
  };
  ask();
  openDialog({
    title: t("export.title"),
    body: [
      h("div", { class: "form" },
        h("label", { for: "export-format" }, t("export.format")), format,
        h("label", { for: "export-book" }, t("export.book")), book,
        h("label", { for: "export-what" }, t("export.what")), what,
        h("label", { for: "export-number" }, t("export.number")), number,
        h("label", { class: "check", for: "export-ascii" }, ascii, t("export.ascii"))),
      said,
      h("p", {}, download),
    ],
  });
}
