// The list that a person works through, what was fetched ahead of it, and the way back through decisions.

import { get, pictureOf } from "./api.js";

/** How many diagrams are fetched ahead: more than a fast person decides while one is on its way. */
const AHEAD = 4;
const KEPT = 60;

const details = new Map();
/** Those that have arrived. */
const here = new Set();
const pictures = new Map();

let list = { key: "", ids: [] };

/** Diagrams decided in this tab, last at the end; `undone` those taken back. */
export const decided = [];
export const undone = [];

/** Fetches a diagram, or gives what was fetched ahead. */
export function detailOf(id) {
  if (!details.has(id)) {
    const asked = get(`/diagrams/${id}`);
    asked.catch(() => details.delete(id));
    asked.then((detail) => { here.add(id); fetchPictures(detail); }, () => {});
    details.set(id, asked);
    if (details.size > KEPT) details.delete(details.keys().next().value);
  }
  return details.get(id);
}

function fetchPictures(detail) {
  for (const kind of ["board", "caption"]) {
    const address = pictureOf(detail, kind);
    if (!address || pictures.has(address)) continue;
    const image = new Image();
    image.src = address;
    image.decode?.().catch(() => {});
    pictures.set(address, image);
    if (pictures.size > 2 * KEPT) pictures.delete(pictures.keys().next().value);
  }
}

/** A diagram as it was just answered. */
export function remember(detail) {
  here.add(detail.diagram.id);
  details.set(detail.diagram.id, Promise.resolve(detail));
  fetchPictures(detail);
}

export function forget(id) {
  details.delete(id);
  here.delete(id);
}

/** Whether a diagram can be shown without waiting. */
export const isHere = (id) => details.has(id) && here.has(id);

/** The working list of these conditions, as it was when it was first asked for in this tab. */
export async function workingList(conditions, fresh = false) {
  const key = JSON.stringify(conditions);
  if (fresh || list.key !== key) {
    const ids = await get("/ids", conditions);
    // what was in the list and is decided by now stays in it, so that going back goes back
    list = { key, ids };
  }
  return list.ids;
}

/** What arrived since then, behind what is there. */
export async function addNew(conditions) {
  if (list.key !== JSON.stringify(conditions)) return;
  const known = new Set(list.ids);
  const fresh = (await get("/ids", conditions)).filter((id) => !known.has(id));
  list.ids.push(...fresh);
}

export function include(id, after) {
  if (list.ids.includes(id)) return;
  list.ids.splice(list.ids.indexOf(after) + 1, 0, id);
}

export function putLast(id) {
  const at = list.ids.indexOf(id);
  if (at < 0) return;
  list.ids.splice(at, 1);
  list.ids.push(id);
}

export function lookAhead(id) {
  const at = list.ids.indexOf(id);
  for (const next of list.ids.slice(at + 1, at + 1 + AHEAD)) detailOf(next);
}
