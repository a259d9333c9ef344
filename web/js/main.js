// The frame: the bar, the views by their addresses, keys that work everywhere, the live connection.

import { get, setWho, who } from "./api.js";
import { DiagramView } from "./diagram.js";
import { openDialog } from "./dialog.js";
import { fill, h, toast } from "./dom.js";
import { FenView } from "./fen.js";
import { LANGUAGES, load, t } from "./i18n.js";
import { setGeneralKeys, setKeys, showKeys } from "./keys.js";
import { follow, listen } from "./live.js";
import { PageView } from "./page.js";
import { QueueView } from "./queue.js";
import { readSearch } from "./filters.js";

class App {
  constructor(about) {
    this.about = about;
    this.main = document.getElementById("view");
    this.live = h("span", { class: "live off", role: "status" });
    this.reading = h("span", { class: "reading" });
    fill(document.getElementById("bar"),
      h("a", { class: "home", href: "/" }, h("img", { src: "/assets/icon.svg", alt: "", width: "20", height: "20" }), "Fenwatch"),
      h("nav", {}, h("a", { href: "/" }, t("bar.queue")), h("a", { href: "/fen" }, t("bar.fen"))),
      h("span", { class: "spring" }), this.reading, this.live,
      h("button", { class: "plain", onclick: () => this.settings() }, t("bar.settings")),
      h("button", { class: "plain", onclick: showKeys }, t("bar.keys"), h("kbd", {}, "?")));
    setGeneralKeys([
      { keys: ["?"], text: "key.help", run: showKeys },
    ]);
    addEventListener("popstate", () => this.route());
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[href]");
      if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || link.hasAttribute("download") || link.origin !== location.origin) return;
      if (link.pathname.startsWith("/api/")) return;
      event.preventDefault();
      document.querySelectorAll("dialog").forEach((dialog) => dialog.close());
      this.go(link.pathname + link.search);
    });
    listen((event) => this.view?.hear?.(event));
    follow(about.last_event, (on) => {
      this.live.className = on ? "live on" : "live off";
      this.live.textContent = t(on ? "bar.live" : "bar.offline");
    });
  }

  go(address, replace = false) {
    if (address !== location.pathname + location.search) history[replace ? "replaceState" : "pushState"](null, "", address);
    return this.route();
  }

  async route() {
    const [, kind, id] = location.pathname.split("/");
    const { search } = location;
    const Kind = { d: DiagramView, p: PageView, fen: FenView }[kind] ?? QueueView;
    if (!(this.view instanceof Kind)) {
      document.querySelectorAll(".page-over").forEach((over) => over.remove());
      this.view?.stop();
      this.view = new Kind(this);
      fill(this.main, this.view.element);
      this.view.start();
    }
    setKeys(this.view.keys);
    document.body.className = `at-${kind || "queue"}`;
    try {
      if (Kind === QueueView) await this.view.open(search);
      else await this.view.open(Number(id), Kind === FenView ? search : keepFilter(search));
    } catch (error) {
      toast(error.code === "missing" ? t("error.missing") : error.message, "error");
      if (error.code === "missing") this.go("/");
    }
  }

  showReading(books) {
    const waiting = books.reduce((sum, book) => sum + book.counts.pending + book.counts.reading, 0);
    this.reading.textContent = waiting > 0 ? t("bar.reading", { n: waiting }) : "";
  }

  announceDone(search) {
    openDialog({
      title: t("said.all_done"),
      body: h("p", {}, t("said.all_done.more", { key: "z" })),
      actions: [{ text: t("act.back"), primary: true, run: () => { this.go(`/${search}`); } }],
    });
  }

  settings() {
    const option = (value, text, chosen) => h("option", { value, selected: value === chosen }, text);
    const name = h("input", { id: "set-who", value: who(), maxlength: "60", autofocus: true });
    const chosen = localStorage.getItem("fenwatch.language") ?? "";
    const language = h("select", { id: "set-language" }, option("", t("settings.auto"), chosen), Object.entries(LANGUAGES).map(([code, text]) => option(code, text, chosen)));
    const theme = h("select", { id: "set-theme" }, ["auto", "light", "dark"].map((value) => option(value, t(`settings.theme.${value}`), localStorage.getItem("fenwatch.theme") ?? "auto")));
    openDialog({
      title: t("settings.title"),
      body: [
        h("div", { class: "form" }, h("label", { for: "set-who" }, t("settings.who")), name, h("label", { for: "set-language" }, t("settings.language")), language, h("label", { for: "set-theme" }, t("settings.theme")), theme),
        h("p", { class: "hint" }, t("settings.version", { version: this.about.version })),
      ],
      actions: [
        { text: t("act.save_settings"), primary: true, run: () => {
          setWho(name.value);
          localStorage.setItem("fenwatch.theme", theme.value);
          useTheme();
          const before = localStorage.getItem("fenwatch.language") ?? "";
          if (language.value) localStorage.setItem("fenwatch.language", language.value);
          else localStorage.removeItem("fenwatch.language");
          if (language.value !== before) location.reload();
        } },
        { text: t("act.cancel") },
      ],
    });
  }
}

/** Only what belongs to the list is carried from view to view. */
function keepFilter(search) {
  return Object.values(readSearch(search)).some((value) => value !== "") ? search : "";
}

function useTheme() {
  const theme = localStorage.getItem("fenwatch.theme") ?? "auto";
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

useTheme();
try {
  const about = await get("/about");
  await load(about.language);
  const app = new App(about);
  await app.route();
} catch (error) {
  fill(document.getElementById("view"), h("p", { class: "fatal" }, error.message));
}
