// What came from what? The steps of a session as a tree: a refinement stands below the picture that it refines, and goes
// in only where there are several.
import { get, imageAddress } from "../api.js";
import { h } from "../dom.js";
import { dateText, t } from "../words.js";

/** @typedef {import("../types").GenerationResult} Generation */

/**
 * @param {Generation} shown
 * @param {AbortSignal} signal
 * @returns {Promise<Element | null>} null while there is one step only
 */
export async function chain({ generationId: id, parentGenerationId }, signal) {
  // A generation that nothing came of, and that came of nothing, is in no session.
  const isAlone = !parentGenerationId && (await get("/history", { parentGenerationId: id, limit: 1 },
    signal)).entries.length === 0;
  if (isAlone) return null;
  /** @type {Generation[]} */
  const entries = (await get(`/sessions/${encodeURIComponent(id)}`, { limit: 100 }, signal)).entries;
  if (entries.length < 2) return null;
  const known = new Set(entries.map((entry) => entry.generationId));
  const roots = entries.filter((entry) => !entry.parentGenerationId || !known.has(entry.parentGenerationId));
  return h("section", { class: "stack tight" }, h("h2", {}, t("chainTitle")), branch(roots, entries, id));
}

/**
 * @param {Generation[]} steps that all come from the same picture
 * @param {Generation[]} all
 * @param {string} here
 * @returns {Element}
 */
function branch(steps, all, here) {
  return h("ol", { class: "chain" }, steps.map((step) => {
    // A line of single refinements stays in one column, however long it is.
    const line = [step];
    let next = childrenOf(step, all);
    while (next.length === 1) {
      line.push(next[0]);
      next = childrenOf(next[0], all);
    }
    const items = line.map((one) => link(one, here));
    return h("li", {}, items, next.length > 0 ? branch(next, all, here) : null);
  }));
}

/**
 * @param {Generation} step
 * @param {Generation[]} all
 */
function childrenOf(step, all) {
  return all.filter((one) => one.parentGenerationId === step.generationId && one !== step);
}

/**
 * @param {Generation} step
 * @param {string} here
 */
function link(step, here) {
  const isHere = step.generationId === here;
  const hasPicture = step.images.length > 0;
  const showNothing = () => picture.replaceWith(h("span", { class: "chain-empty" }));
  const picture = h("img", { alt: "", loading: "lazy", onerror: showNothing });
  if (hasPicture) picture.src = imageAddress(step.generationId, step.images[0].index, 128);
  const address = hasPicture ? `/result/${step.generationId}` : `/making/${step.generationId}`;
  return h("a", { class: "chain-step", href: address, "aria-current": isHere ? "true" : false },
    hasPicture ? picture : h("span", { class: "chain-empty" }),
    h("span", { class: "stack chain-text" }, h("span", { class: "chain-prompt", dir: "auto" },
      step.prompt ?? t(`recipe.${step.recipe}`)),
      h("span", { class: "muted small" }, isHere ? t("chainHere") : hasPicture ? dateText(step.createdAt)
        : t(`state.${step.state}`))));
}
