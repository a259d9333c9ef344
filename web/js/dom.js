// Building elements. Texts only ever become text nodes.

/** Makes an element: `h("a", { href: "/", class: "x", onclick: f }, "text", child, [children])`. */
export function h(tag, attributes = {}, ...children) {
  const element = tag.startsWith("svg:")
    ? document.createElementNS("http://www.w3.org/2000/svg", tag.slice(4))
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (child === undefined || child === null || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child);
  }
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** Calls `run` when nothing has asked for it again for `ms` milliseconds. */
export function debounce(ms, run) {
  let timer;
  const call = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), ms);
  };
  call.cancel = () => clearTimeout(timer);
  return call;
}

/** Says something to screen readers. */
export function speak(text) {
  document.getElementById("spoken").textContent = text;
}

/** A short message at the edge of the window; errors stay longer. */
export function toast(text, kind = "info", action = undefined) {
  const box = h("div", { class: `toast ${kind}` }, h("span", {}, text));
  const close = () => box.remove();
  if (action) box.append(h("button", { onclick: () => { close(); action.run(); } }, action.text));
  box.append(h("button", { class: "plain", "aria-label": "×", onclick: close }, "×"));
  const shown = document.getElementById("toasts");
  for (const other of [...shown.children]) if (other.firstChild.textContent === text) other.remove();
  shown.append(box);
  setTimeout(close, kind === "error" ? 12000 : 4000);
}

/** Whether keys are text for the element that has them. */
export function takesText(element) {
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement
    || (element instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(element.type));
}
