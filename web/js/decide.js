// Decisions: sending them, and what may come back instead of a yes.

import { post } from "./api.js";
import { resolveConflict } from "./conflict.js";
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { flagList } from "./flags.js";
import { t } from "./i18n.js";

/** Asks for a reason and the yes to these flags; resolves with `undefined` when the person steps back. */
export async function askApproval(flags) {
  let given;
  const reason = h("input", { id: "reason", autofocus: true, autocomplete: "off", list: "reasons", maxlength: "500" });
  const reasons = t("approve.reasons").split("|").map((text) => h("option", { value: text }));
  await openDialog({
    title: t(flags.length > 0 ? "approve.title" : "act.approve"),
    body: [
      flags.length > 0 && h("p", {}, t("approve.text")),
      flagList(flags, {}),
      h("label", { for: "reason" }, t("approve.reason")), reason, h("datalist", { id: "reasons" }, reasons),
    ],
    actions: [
      { text: t("act.approve"), primary: true, run: () => { given = { reason: reason.value, acknowledged: flags.map((flag) => flag.code) }; } },
      { text: t("act.cancel") },
    ],
  });
  return given;
}

/**
 * Sends `body` ({ act, facts?, reason?, acknowledged? }) for the diagram that `draft` is about. Resolves with { saved: detail }, with
 * { theirs: detail } when the person lets somebody else's word stand, with { edit: detail } when they go on editing on top of it, or with
 * { refused: codes } when flags must be acknowledged first. Other failures are thrown.
 */
export async function send(id, version, body, mine) {
  try {
    return { saved: await post(`/diagrams/${id}/decide`, { version, ...body }) };
  } catch (error) {
    if (error.code === "unacknowledged") return { refused: error.body.codes };
    if (error.code !== "outdated" || !error.body.current) throw error;
    const { current } = error.body;
    const choice = await resolveConflict(current, mine);
    if (choice === "theirs") return { theirs: current };
    if (choice === "edit") return { edit: current };
    return mine
      ? send(id, current.diagram.version, { ...body, act: "correct", facts: mine }, mine)
      : send(id, current.diagram.version, body, mine);
  }
}
