// Which pictures came from which? Each chain of refinements, with its steps when it is opened.
import { asApiError, get, imageAddress } from "../api.js";
import { h, icon } from "../dom.js";
import { dateText, plural, t } from "../words.js";
import { errorBox } from "./error-box.js";
import { addressOf, thumbnail, titleOf } from "./history-row.js";

/** @param {AbortSignal} signal */
export function sessionList(signal) {
  const error = errorBox();
  const list = h("ul", { class: "stack" });
  const none = h("p", { class: "muted", hidden: true }, t("noSessions"));
  const more = h("button", { class: "button quiet", hidden: true, onclick: () => load() }, t("showMore"));
  /** @type {string | undefined} */
  let cursor;

  async function load() {
    error.show(null);
    try {
      /** @type {import("../types").SessionPage} */
      const page = await get("/sessions", { limit: 20, cursor }, signal);
      list.append(...page.sessions.map(item));
      cursor = page.nextCursor;
      more.hidden = !cursor;
      none.hidden = list.childElementCount > 0;
    } catch (thrown) {
      if (!signal.aborted) error.show(asApiError(thrown), load);
    }
  }

  /** @param {import("../types").Session} session */
  function item(session) {
    const steps = h("ol", { class: "session-steps" });
    const picture = h("img", { class: "thumbnail", src: imageAddress(session.last.generationId, 0, 256), alt: "",
      loading: "lazy", width: 72, height: 72,
      onerror: () => picture.replaceWith(h("span", { class: "thumbnail" }, icon("photos"))) });
    const details = h("details", { class: "card plain", ontoggle: () => {
      if (details.open && steps.childElementCount === 0) loadSteps(session.sessionId, steps);
    } }, h("summary", { class: "history-link" }, picture,
      h("span", { class: "history-text" }, h("strong", { class: "history-title", dir: "auto" }, titleOf(session.first)),
        h("span", { class: "small muted" }, plural("steps", session.steps), " · ", dateText(session.latestAt)))), steps);
    return h("li", {}, details);
  }

  /** @param {string} id @param {Element} steps */
  async function loadSteps(id, steps) {
    try {
      /** @type {import("../types").SessionSteps} */
      const { entries } = await get(`/sessions/${id}`, { limit: 100 }, signal);
      const numbers = new Map(entries.map((entry, at) => [entry.generationId, at + 1]));
      steps.replaceChildren(...entries.map((entry, at) => {
        const parent = numbers.get(entry.parentGenerationId ?? "");
        const isBranch = parent !== undefined && parent !== at;
        return h("li", {}, h("a", { class: "step", href: addressOf(entry) }, thumbnail(entry),
          h("span", { class: "small", dir: "auto" }, `${at + 1}. ${titleOf(entry)}`),
          isBranch ? h("span", { class: "small muted" }, t("fromStep", { number: parent })) : null));
      }));
    } catch (thrown) {
      if (!signal.aborted) steps.replaceChildren(h("li", {}, errorBox(asApiError(thrown))));
    }
  }

  load();
  return h("div", { class: "stack" }, error, none, list, more);
}
