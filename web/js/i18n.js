// The texts of the page, in the person's language.

export const LANGUAGES = { en: "English", de: "Deutsch" };

let texts = {};
let fallback = {};
let plural = new Intl.PluralRules("en");
export let language = "en";

/** Loads the texts: of the person's choice in this browser, of the setting, of the browser, else English. */
export async function load(setting) {
  const wanted = [localStorage.getItem("fenwatch.language"), setting === "auto" ? undefined : setting, ...navigator.languages];
  language = wanted.map((code) => code?.slice(0, 2).toLowerCase()).find((code) => code in LANGUAGES) ?? "en";
  const fetched = async (code) => (await fetch(`/assets/texts/${code}.json`)).json();
  [fallback, texts] = await Promise.all([fetched("en"), language === "en" ? {} : fetched(language)]);
  plural = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

export function has(key) {
  return key in texts || key in fallback;
}

/** The text of `key` with `{name}` replaced by the values; `key.one` and the like are taken where `n` asks for them. */
export function t(key, values = {}) {
  const keys = "n" in values ? [`${key}.${plural.select(values.n)}`, `${key}.other`, key] : [key];
  for (const set of [texts, fallback]) {
    const found = keys.find((one) => one in set);
    if (found !== undefined) return set[found].replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  }
  return key;
}

/** A flag in words. */
export function flagTitle(code) {
  return has(`flag.${code}`) ? t(`flag.${code}`) : code.replaceAll("_", " ");
}

export function percent(p) {
  const format = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: p > 0.0995 && p < 0.9995 ? 1 : 2 });
  return format.format(p);
}

export function time(milliseconds) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(milliseconds);
}
