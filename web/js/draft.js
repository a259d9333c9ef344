// What a person has changed of a diagram and not saved yet. Survives going elsewhere and a reload of the tab.

const KEY = "fenwatch.drafts";

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class Draft {
  constructor(detail, kept = undefined) {
    this.id = detail.diagram.id;
    this.base = detail.facts;
    this.version = kept?.version ?? detail.diagram.version;
    this.facts = kept?.facts ?? detail.facts;
    this.past = kept?.past ?? [];
    this.future = kept?.future ?? [];
  }

  get edited() {
    return !same(this.facts, this.base);
  }

  /** `quiet`: goes on with the last step (typing in a field is one step). */
  change(facts, quiet = undefined) {
    if (same(facts, this.facts)) return false;
    if (quiet === undefined || this.typing !== quiet) this.past.push(this.facts);
    this.typing = quiet;
    this.future = [];
    this.facts = facts;
    return true;
  }

  undo() {
    if (this.past.length === 0) return false;
    this.future.push(this.facts);
    this.facts = this.past.pop();
    this.typing = undefined;
    return true;
  }

  redo() {
    if (this.future.length === 0) return false;
    this.past.push(this.facts);
    this.facts = this.future.pop();
    this.typing = undefined;
    return true;
  }
}

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

export function keepDraft(draft) {
  const all = stored();
  if (draft.edited) all[draft.id] = { version: draft.version, facts: draft.facts, past: draft.past, future: draft.future };
  else delete all[draft.id];
  sessionStorage.setItem(KEY, JSON.stringify(all));
}

export function dropDraft(id) {
  const all = stored();
  delete all[id];
  sessionStorage.setItem(KEY, JSON.stringify(all));
}

export function draftOf(detail) {
  return new Draft(detail, stored()[detail.diagram.id]);
}
