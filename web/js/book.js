// Settings of a book and acts on all of it.

import { post, put } from "./api.js";
import { openDialog } from "./dialog.js";
import { h, toast } from "./dom.js";
import { t } from "./i18n.js";

/** `languages`: codes of those that captions are read in. */
export async function openBook(given, languages) {
  let book = given;
  const names = new Intl.DisplayNames([document.documentElement.lang], { type: "language" });
  const title = h("input", { id: "book-title", placeholder: book.name });
  const author = h("input", { id: "book-author" });
  const side = h("select", { id: "book-side" }, [["", "book.default_side.none"], ["w", "side.w"], ["b", "side.b"]].map(([value, key]) => h("option", { value }, t(key))));
  const language = h("select", { id: "book-language" });
  const marks = h("input", { id: "book-marks", type: "checkbox" });
  const show = () => {
    const { settings } = book;
    title.value = settings.title ?? "";
    author.value = settings.author ?? "";
    side.value = settings.default_side ?? "";
    const codes = settings.language && !languages.includes(settings.language) ? [settings.language, ...languages] : languages;
    const options = codes.map((code) => [code, label(names, code)]).sort((a, b) => a[1].localeCompare(b[1], document.documentElement.lang));
    language.replaceChildren(h("option", { value: "" }, t("book.language.unknown")), ...options.map(([code, text]) => h("option", { value: code }, text)));
    language.value = settings.language ?? "";
    marks.checked = settings.marks_black_only;
  };
  show();
  const said = h("p", { role: "status", class: "hint" });
  const act = (text, run, sure) => h("button", { type: "button", onclick: async (event) => {
    if (sure && event.currentTarget.dataset.sure === undefined) {
      // the second press of the same button is the yes
      event.currentTarget.dataset.sure = "";
      event.currentTarget.classList.add("warn");
      said.textContent = sure;
      return;
    }
    delete event.currentTarget.dataset.sure;
    event.currentTarget.classList.remove("warn");
    try {
      said.textContent = await run();
    } catch (error) {
      said.textContent = error.message;
    }
  } }, text);
  const { counts } = book;
  await openDialog({
    title: book.settings.title ?? book.name,
    body: [
      h("div", { class: "form" },
        h("label", { for: "book-title" }, t("book.name")), title,
        h("label", { for: "book-author" }, t("book.author")), author,
        h("label", { for: "book-side" }, t("book.default_side")), side,
        h("label", { for: "book-language" }, t("book.language")), language,
        h("label", { class: "check", for: "book-marks" }, marks, t("book.marks"))),
      h("p", { class: "hint" }, t("book.hint")),
      h("h3", {}, t("book.acts")),
      h("div", { class: "act-row" },
        act(t("book.approve"), async () => t("book.approved", { n: (await post(`/books/${book.id}/approve`, {})).approved }), t("book.mismatch.sure", { n: counts.accepted })),
        act(t("book.reread"), async () => t("book.requeued", { n: (await post(`/books/${book.id}/reread`, {})).pages }), t("book.reread.sure", { n: counts.pages })),
        counts.failed > 0 && act(t("book.retry"), async () => t("book.requeued", { n: (await post(`/books/${book.id}/retry`, {})).pages }))),
      said,
    ],
    actions: [
      { text: t("book.save"), primary: true, run: async () => {
        const settings = { title: title.value || null, author: author.value || null, default_side: side.value || null, language: language.value || null, marks_black_only: marks.checked };
        try {
          book = await put(`/books/${book.id}`, { version: book.version, settings });
          toast(t("book.saved"));
          return true;
        } catch (error) {
          if (error.code !== "outdated" || !error.body.current) throw error;
          book = error.body.current;
          show();
          throw new Error(t("book.outdated"));
        }
      } },
      { text: t("dialog.close") },
    ],
  });
}

function label(names, code) {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
