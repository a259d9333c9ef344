// What of the collection is shown: kept in the address, so that a link and a reload show the same.

/** The tabs above the list, with what they ask for. */
export const VIEWS = {
  todo: { state: "needs_review", troubles: true },
  accepted: { state: "accepted" },
  done: { state: "approved,corrected" },
  rejected: { state: "rejected" },
  all: { troubles: true },
  pages: { state: "none", troubles: true },
};

const KEYS = ["book", "view", "flag", "text", "number"];

export function readSearch(search) {
  const params = new URLSearchParams(search);
  const filter = Object.fromEntries(KEYS.map((key) => [key, params.get(key) ?? ""]));
  if (!(filter.view in VIEWS)) filter.view = "todo";
  return filter;
}

export function writeSearch(filter) {
  const params = new URLSearchParams();
  for (const key of KEYS) if (filter[key] && !(key === "view" && filter[key] === "todo")) params.set(key, filter[key]);
  const text = params.toString();
  return text ? `?${text}` : "";
}

/** What the rows are asked with. A filter on diagrams leaves pages and gaps out. */
export function rowsOf(filter) {
  const { view, ...rest } = filter;
  const narrowed = rest.flag || rest.text || rest.number;
  const asked = { ...VIEWS[view], ...rest };
  if (narrowed) asked.troubles = false;
  return asked;
}

/** What the list of diagrams to work through is asked with. */
export function conditionsOf(search) {
  const { troubles, ...asked } = rowsOf(readSearch(search));
  if (asked.state === "none") delete asked.state;
  return asked;
}
