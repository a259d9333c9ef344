// Talking to the daemon. Every write carries the page's own header and the name of the person.

/** A refused or failed request; `code` is a stable word, `body` the whole answer. */
export class ApiError extends Error {
  constructor(status, body) {
    super(body?.error ?? `the daemon answered with ${status}`);
    this.status = status;
    this.code = body?.code ?? (status === 0 ? "offline" : "unknown");
    this.body = body ?? {};
  }
}

export function who() {
  return localStorage.getItem("fenwatch.who") ?? "";
}

export function setWho(name) {
  localStorage.setItem("fenwatch.who", name.trim());
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "same-origin", ...options });
  } catch {
    throw new ApiError(0, { error: "the daemon does not answer", code: "offline" });
  }
  const body = await answer.json().catch(() => undefined);
  if (answer.status === 401) location.assign("/login");
  if (!answer.ok) throw new ApiError(answer.status, body);
  return body;
}

/** Query text of the values that are there. */
export function query(values) {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(values ?? {})) {
    if (value !== undefined && value !== null && value !== "" && value !== false) search.set(key, value);
  }
  const text = search.toString();
  return text ? `?${text}` : "";
}

export function get(path, values) {
  return ask(`/api${path}${query(values)}`, {});
}

function write(method, path, body) {
  return ask(`/api${path}`, {
    method,
    headers: { "content-type": "application/json", "x-fenwatch": "1" },
    body: JSON.stringify({ who: who(), ...body }),
  });
}

export const post = (path, body) => write("POST", path, body);
export const put = (path, body) => write("PUT", path, body);

/** The address of a picture of a diagram; `version` makes it one that may be kept. */
export function pictureOf(detail, kind) {
  const diagram = detail.diagram ?? detail;
  if (!diagram.pictures.some((picture) => picture.kind === kind)) return undefined;
  return `/pictures/diagrams/${diagram.id}/${kind}?v=${diagram.version}`;
}
