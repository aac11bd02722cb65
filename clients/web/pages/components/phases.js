// What is being done just now? The phases of a generation in their order, each with a word and a mark.
import { h, icon } from "../dom.js";
import { t } from "../words.js";

const PHASES = ["queued", "preparing", "uploading", "processing", "saving"];

/**
 * The list of phases; `show(phase)` marks those that are done and the present one.
 * @param {boolean} isLocal true when nothing is uploaded
 */
export function phaseList(isLocal) {
  const shown = PHASES.filter((phase) => phase !== "uploading" || !isLocal);
  const items = shown.map((phase) => h("li", { class: "phase" }, h("span", { class: "phase-mark" }, icon("check")),
    t(`phase.${phase}`)));
  return {
    element: h("ol", { class: "phases" }, items),
    /** @param {string} phase */
    show(phase) {
      const now = shown.indexOf(phase);
      items.forEach((item, at) => {
        item.classList.toggle("done", at < now);
        if (at === now) item.setAttribute("aria-current", "step");
        else item.removeAttribute("aria-current");
      });
    },
  };
}
