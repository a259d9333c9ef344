// The queue view: books on the left, everything that wants a look as one list in the order of the books.

import { get, pictureOf, post } from "./api.js";
import { openBook } from "./book.js";
import { readFen } from "./chess.js";
import { debounce, fill, h, toast } from "./dom.js";
import { openExport } from "./export.js";
import { VIEWS, readSearch, rowsOf, writeSearch, conditionsOf } from "./filters.js";
import { flagTitle, t } from "./i18n.js";
import { workingList } from "./session.js";

const CHUNK = 120;

export class QueueView {
  constructor(app) {
    this.app = app;
    this.books = [];
    this.rows = [];
    this.total = 0;
    this.bookList = h("nav", { class: "books", "aria-label": t("queue.books") });
    this.tabs = h("div", { class: "tabs", role: "tablist" });
    this.filters = this.makeFilters();
    this.list = h("div", { class: "rows" });
    this.end = h("div", { class: "end" });
    this.scroller = h("div", { class: "list-box" }, this.list, this.end);
    this.element = h("div", { class: "queue-view" }, this.bookList, h("section", { class: "queue", "aria-label": t("queue.title") }, h("h1", { class: "sr" }, t("queue.title")), h("div", { class: "queue-head" }, this.tabs, this.filters.element), this.scroller));
    this.refreshSoon = debounce(500, () => this.refresh());
    this.searchSoon = debounce(250, () => this.narrow({ text: this.filters.text.value.trim(), number: this.filters.number.value.trim() }));
    this.keys = [
      { group: "queue", keys: ["j", "ArrowDown"], text: "key.rows", shown: ["ArrowUp", "ArrowDown"], run: () => this.moveFocus(1) },
      { group: "queue", keys: ["k", "ArrowUp"], run: () => this.moveFocus(-1) },
      { group: "queue", keys: ["Enter", "s"], text: "key.start", run: () => this.begin() },
      { group: "queue", keys: ["1", "2", "3", "4", "5", "6"], text: "key.tabs", run: (event) => this.narrow({ view: Object.keys(VIEWS)[Number(event.key) - 1] }) },
      { group: "queue", keys: ["/"], text: "key.search", run: () => this.filters.text.focus() },
      { group: "queue", keys: ["e"], text: "key.export", run: () => this.export() },
      { group: "queue", keys: ["b"], text: "key.book", run: () => this.bookActs() },
      { group: "queue", keys: ["Escape"], run: () => document.activeElement?.blur() },
    ];
  }

  start() {
    this.watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.more(), { root: this.scroller, rootMargin: "600px" });
    this.watcher.observe(this.end);
  }

  stop() {
    this.watcher?.disconnect();
    this.refreshSoon.cancel();
    this.searchSoon.cancel();
  }

  makeFilters() {
    const text = h("input", { type: "search", class: "search", placeholder: t("queue.search"), "aria-label": t("queue.search"), oninput: () => this.searchSoon() });
    const number = h("input", { class: "number", placeholder: t("queue.number"), "aria-label": t("queue.number"), oninput: () => this.searchSoon() });
    const flag = h("select", { "aria-label": t("queue.flag"), onchange: () => this.narrow({ flag: flag.value }) },
      h("option", { value: "" }, t("queue.any_flag")),
      this.app.about.flags.map(({ code }) => h("option", { value: code }, flagTitle(code))));
    const start = h("button", { class: "primary", onclick: () => this.begin() }, t("queue.start"), h("kbd", {}, "↵"));
    const book = h("button", { onclick: () => this.bookActs() }, t("queue.book_acts"));
    const element = h("div", { class: "filters" }, flag, text, number, h("span", { class: "spring" }), book, h("button", { onclick: () => this.export() }, t("queue.export")), start);
    for (const field of [text, number]) field.addEventListener("keydown", (event) => {
      if (event.key === "Escape" || event.key === "Enter") field.blur();
      if (event.key === "Enter") event.stopPropagation();
    });
    return { element, text, number, flag, start, book };
  }

  async open(search) {
    document.title = `${t("queue.title")} · Fenwatch`;
    this.filter = readSearch(search);
    this.filters.flag.value = this.filter.flag;
    for (const name of ["text", "number"]) if (document.activeElement !== this.filters[name]) this.filters[name].value = this.filter[name];
    this.rows = [];
    this.total = Infinity;
    await this.refresh();
    this.scroller.scrollTop = 0;
  }

  narrow(change) {
    const search = writeSearch({ ...this.filter, ...change });
    if (search !== writeSearch(this.filter)) this.app.go(`/${search}`, true);
  }

  async refresh() {
    const limit = Math.min(500, Math.max(CHUNK, this.rows.length));
    const asked = this.ask();
    const [books, answer] = await Promise.all([get("/books"), get("/rows", { ...rowsOf(this.filter), limit })]);
    if (asked !== this.asked) return;
    this.books = books;
    this.rows = answer.rows;
    this.total = answer.total;
    this.renderBooks();
    this.renderTabs();
    this.renderRows();
    this.app.showReading(books);
  }

  /** Whoever asks for rows keeps what this gives: once it is no longer `asked`, the answer is outdated and is dropped. */
  ask() {
    this.loading = false;
    this.asked = {};
    return this.asked;
  }

  async more() {
    // before the first answer there is nothing to go on from
    if (this.loading || this.rows.length === 0 || this.rows.length >= this.total) return;
    const { asked } = this;
    this.loading = true;
    try {
      const answer = await get("/rows", { ...rowsOf(this.filter), limit: CHUNK, offset: this.rows.length });
      if (asked !== this.asked) return;
      this.rows.push(...answer.rows);
      this.total = answer.total;
      this.renderRows();
    } finally {
      if (asked === this.asked) this.loading = false;
    }
  }

  renderBooks() {
    const all = { id: "", name: t("queue.all_books"), settings: {}, counts: sum(this.books.map((book) => book.counts)) };
    fill(this.bookList, h("h2", {}, t("queue.books")), [all, ...this.books].map((book) => {
      const { counts } = book;
      const done = counts.approved + counts.corrected + counts.rejected;
      const settled = done + counts.accepted;
      const label = t("queue.progress", { done: settled, all: counts.diagrams });
      const part = (n) => ({ width: `${counts.diagrams === 0 ? 0 : (100 * n) / counts.diagrams}%` });
      return h("a", { class: String(book.id) === this.filter.book ? "book on" : "book", href: `/${writeSearch({ ...this.filter, book: String(book.id) })}`, "aria-current": String(book.id) === this.filter.book ? "true" : undefined },
        h("span", { class: "name" }, book.settings.title ?? book.name),
        h("span", { class: "meter", role: "img", "aria-label": label, title: label }, h("i", { class: "done", style: part(done) }), h("i", { class: "accepted", style: part(counts.accepted) })),
        h("span", { class: "numbers" },
          counts.needs_review > 0 ? h("b", { class: "doubt" }, t("queue.in_doubt", { n: counts.needs_review })) : isThrough(counts) && h("span", { class: "good" }, "✓"),
          counts.pages > 0 && h("span", {}, t("queue.counts", counts)),
          counts.flagged > 0 && h("span", { class: "doubt" }, t("queue.flagged", { n: counts.flagged })),
          counts.failed > 0 && h("span", { class: "bad" }, t("queue.failed", { n: counts.failed }))));
    }));
  }

  renderTabs() {
    const book = this.books.find((one) => String(one.id) === this.filter.book);
    const c = book?.counts ?? sum(this.books.map((one) => one.counts));
    const counts = { todo: c.needs_review, accepted: c.accepted, done: c.approved + c.corrected, rejected: c.rejected, all: c.diagrams, pages: undefined };
    fill(this.tabs, Object.keys(VIEWS).map((view) =>
      h("a", { role: "tab", "aria-selected": String(view === this.filter.view), href: `/${writeSearch({ ...this.filter, view })}`, class: view === this.filter.view ? "on" : "" },
        t(`queue.${view}`), counts[view] !== undefined && h("span", { class: "count" }, counts[view]))));
    this.filters.book.hidden = !book && this.books.length !== 1;
    this.filters.start.hidden = this.filter.view === "pages";
  }

  renderRows() {
    const focused = document.activeElement?.closest?.(".row-link")?.dataset.key;
    const rows = joined(this.rows).map((row) => this.row(row));
    fill(this.list, rows);
    fill(this.end, this.books.length === 0 ? h("p", { class: "empty" }, t("queue.no_books"))
      : this.rows.length === 0 ? h("p", { class: "empty" }, t(this.filter.view === "todo" ? "queue.nothing_todo" : "queue.nothing"))
      : h("p", { class: "hint" }, t("queue.rows", { n: this.total })));
    if (focused) this.list.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    // says again whether the end is in sight: it may be so still, and a change is all that the watcher tells by itself
    this.watcher?.unobserve(this.end);
    this.watcher?.observe(this.end);
  }

  row(row) {
    if (row.kind === "diagram") return this.diagramRow(row);
    if (row.kind === "gap") return this.gapRow(row);
    return this.pageRow(row);
  }

  diagramRow(diagram) {
    const search = writeSearch(this.filter);
    const picture = pictureOf(diagram, "squares");
    const fen = readFen(diagram.fen);
    const weak = diagram.sources.side_to_move === "assumed" ? "weak" : "";
    const heavy = [...diagram.flags].sort((a, b) => (a.severity === b.severity ? 0 : a.severity === "impossible" ? -1 : b.severity === "note" ? -1 : 1));
    return h("a", { class: "row-link diagram", href: `/d/${diagram.id}${search}`, "data-key": `d${diagram.id}` },
      h("span", { class: "thumb" }, picture && h("img", { src: picture, alt: "", loading: "lazy", width: "52", height: "52" })),
      h("span", { class: "no" }, diagram.number ?? "–"),
      h("span", { class: "what" },
        h("span", { class: "line" }, diagram.players && h("b", {}, diagram.players), diagram.stipulation && h("span", { class: "stipulation" }, diagram.stipulation), diagram.caption ?? h("span", { class: "hint" }, t("diagram.no_caption"))),
        h("span", { class: "hint" }, this.filter.book ? placeOf(diagram) : `${diagram.book_title ?? diagram.book} · ${placeOf(diagram)}`)),
      h("span", { class: `mover ${weak}` }, h("i", { class: `disc ${fen.side}` }), t(`side.${fen.side}`)),
      chips(heavy),
      h("span", { class: `state ${diagram.state}` }, t(`state.${diagram.state}`)));
  }

  pageRow({ pages }) {
    const search = writeSearch(this.filter);
    const [page] = pages;
    if (page.state === "failed") {
      return h("div", { class: "row-link trouble failed" }, h("span", { class: "sign" }, "!"),
        h("span", { class: "what" }, h("span", { class: "line" }, h("a", { href: `/p/${page.id}${search}`, "data-key": `p${page.id}` }, t("place", page)), " ", t("queue.page_failed", { reason: page.failure ?? t("queue.no_reason") })),
          h("span", { class: "hint" }, page.book)),
        h("button", { onclick: () => this.retry(page.id) }, t("queue.retry")));
    }
    const flags = worthALook(page);
    if (flags.length > 0) {
      return h("div", { class: "row-link trouble flagged" }, h("span", { class: "sign" }, "!"),
        h("span", { class: "what" }, h("span", { class: "line" }, h("a", { href: `/p/${page.id}${search}`, "data-key": `p${page.id}` }, t("place", page)),
          page.diagrams === 0 && [" ", t("queue.without_diagram")],
          flags.map((flag) => [" ", h("span", { class: `chip ${flag.severity}` }, flagTitle(flag.code)), " ", flag.message])),
        h("span", { class: "hint" }, page.book)));
    }
    const links = pages.flatMap((one, index) => [index > 0 && " ", h("a", { href: `/p/${one.id}${search}`, "data-key": `p${one.id}`, title: t("place", one) }, String(one.page))]);
    const text = t("queue.page_empty", { n: pages.length, pages: "\u0000" }).split("\u0000");
    return h("div", { class: "row-link trouble" }, h("span", { class: "sign" }, "∅"),
      h("span", { class: "what" }, h("span", { class: "line" }, text[0], h("span", { class: "links" }, samePath(pages) ? links : pages.flatMap((one, index) => [index > 0 && ", ", h("a", { href: `/p/${one.id}${search}`, "data-key": `p${one.id}` }, t("place", one))])), text[1] ?? ""),
        h("span", { class: "hint" }, samePath(pages) ? `${page.book} · ${page.path}` : page.book)));
  }

  gapRow({ gap, after, before }) {
    const search = writeSearch(this.filter);
    return h("div", { class: "row-link trouble gap" }, h("span", { class: "sign" }, "…"),
      h("span", { class: "what" }, h("span", { class: "line" }, t("queue.gap", { n: gap.missing, missing: missingNumbers(gap), from: gap.from, to: gap.to })),
        h("span", { class: "hint" }, after.book, " · ",
          h("a", { href: `/p/${after.page_id}${search}`, "data-key": `g${after.id}` }, t("place", after)),
          before && before.page_id !== after.page_id && [" – ", h("a", { href: `/p/${before.page_id}${search}` }, t("place", before))])));
  }

  moveFocus(by) {
    const links = [...this.list.querySelectorAll("[data-key]")];
    const at = links.indexOf(document.activeElement);
    const next = links[Math.min(links.length - 1, Math.max(0, at + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }

  /** Goes to the first diagram of the list. */
  async begin() {
    const search = writeSearch(this.filter);
    const [first] = await workingList(conditionsOf(search), true);
    if (first === undefined) toast(t(this.filter.view === "todo" ? "queue.nothing_todo" : "queue.nothing"));
    else this.app.go(`/d/${first}${search}`);
  }

  async retry(page) {
    try {
      await post(`/pages/${page}/retry`, {});
      toast(t("queue.retried"));
      await this.refresh();
    } catch (error) {
      toast(error.message, "error");
    }
  }

  export() {
    openExport(this.books, this.filter);
  }

  async bookActs() {
    const book = this.books.find((one) => String(one.id) === this.filter.book) ?? (this.books.length === 1 ? this.books[0] : undefined);
    if (!book) return;
    await openBook(book, this.app.about.caption_languages);
    await this.refresh();
  }

  hear() {
    this.refreshSoon();
  }
}

/** All pages were read, and none of them asks for a look. */
const isThrough = (counts) => counts.diagrams > 0 && counts.read === counts.pages && counts.flagged === 0;

function sum(counts) {
  const total = {};
  for (const one of counts) for (const [key, n] of Object.entries(one)) total[key] = (total[key] ?? 0) + n;
  const names = ["pages", "pending", "reading", "read", "failed", "empty", "flagged", "diagrams", "accepted", "needs_review", "approved", "corrected", "rejected"];
  return { ...Object.fromEntries(names.map((name) => [name, 0])), ...total };
}

/** The flags of a page itself that ask for a look. What was left out of a page is in no diagram, however lightly it is flagged. */
const worthALook = (page) => page.flags.filter((flag) => flag.severity !== "note" || flag.code === "not_chess");

/** A page of which nothing is to be said but that it holds no diagram. */
const isPlain = (page) => page.state !== "failed" && worthALook(page).length === 0;

/** Pages without a diagram that follow each other become one row. */
function joined(rows) {
  const out = [];
  for (const row of rows) {
    const last = out.at(-1);
    if (row.kind !== "page") out.push(row);
    else if (isPlain(row) && last?.kind === "page" && isPlain(last.pages[0]) && last.pages[0].book_id === row.book_id) last.pages.push(row);
    else out.push({ kind: "page", pages: [row] });
  }
  return out;
}

/** Chips of a row that hold beside each other in two lines of a narrow window; "+N" stands for the others. */
const FEW = 2;
const MANY = 4;

function chips(flags) {
  const chip = (flag, index) => h("span", { class: `chip ${flag.severity} ${index < FEW ? "" : "spare"}`, title: flag.message }, flagTitle(flag.code));
  const rest = (shown, name) => flags.length > shown && h("span", { class: `chip rest ${name}`, title: flags.slice(shown).map((flag) => flagTitle(flag.code)).join(", ") }, `+${flags.length - shown}`);
  return h("span", { class: "chips" }, flags.slice(0, MANY).map(chip), rest(MANY, "of-many"), rest(FEW, "of-few"));
}

/** The place without the folder that is the book. */
function placeOf(diagram) {
  const path = diagram.path.startsWith(`${diagram.book}/`) ? diagram.path.slice(diagram.book.length + 1) : diagram.path;
  return t("place.diagram", { ...diagram, path });
}

const samePath = (pages) => pages.every((page) => page.path === pages[0].path);

/** "47–48", "1.17". */
function missingNumbers({ from, missing }) {
  const [, head, digits] = from.match(/^(.*?)(\d+)\s*$/) ?? [undefined, "", from];
  const first = `${head}${Number(digits) + 1}`;
  return missing === 1 ? first : `${first}–${head}${Number(digits) + missing}`;
}
