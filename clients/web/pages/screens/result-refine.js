// What should be different? The picture becomes the photo of the next one, and words say what changes.
import { asApiError } from "../api.js";
import { errorBox } from "../components/error-box.js";
import { estimateBox } from "../components/estimate.js";
import { h, icon } from "../dom.js";
import { providerChoice, unavailableNotice } from "../providers.js";
import { send } from "../sending.js";
import { t } from "../words.js";

/**
 * @param {import("../types").GenerationResult} generation
 * @param {() => import("../types").ResultImage} current
 * @param {import("../types").HostSession} session
 * @param {AbortSignal} signal
 */
export function refineField(generation, current, session, signal) {
  const recipe = generation.recipe === "hairstyle" ? "hairstyle" : "edit";
  const problem = errorBox();
  const prompt = h("textarea", {
    class: "input refine-input", id: "refine", rows: "2", maxlength: "8000", dir: "auto", placeholder: t("refineExample"),
    oninput: changed,
  });
  const button = h("button", { class: "button", disabled: true, type: "submit" }, icon("wand"), t("refine"));
  const ideas = recipe === "hairstyle" ? ["ideaShorter", "ideaHighlights", "ideaVolume"]
    : ["ideaLight", "ideaJacket", "ideaSmile"];
  const words = () => prompt.value.trim();
  const estimate = estimateBox(params, { usesPhoto: () => true,
    onAnswer: (isAllowed) => { button.disabled = !isAllowed || !words(); }, signal });

  async function params() {
    if (!words()) return null;
    const image = { generationId: generation.generationId, index: current().index };
    return { recipe, image, prompt: words(), ...await providerChoice(recipe) };
  }

  function changed() {
    button.disabled = true;
    problem.show(null);
    estimate.update();
  }

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    const request = await params();
    if (!request) return;
    button.disabled = true;
    try {
      await send("/generate", request);
    } catch (thrown) {
      const error = asApiError(thrown);
      problem.show(error);
      setTimeout(() => { button.disabled = false; }, error.waitMs);
    }
  }

  const chips = ideas.map((idea) => h("button", {
    type: "button", class: "chip", onclick: () => { prompt.value = t(idea); prompt.focus(); changed(); },
  }, t(idea)));
  const form = h("form", { class: "stack tight", onsubmit: submit },
    h("div", { class: "field" }, h("label", { for: "refine" }, t("refineLabel")), prompt),
    h("div", { class: "row tight" }, chips), estimate.element, problem, h("div", { class: "row" }, button));
  const section = h("section", { class: "card stack tight" }, h("h2", {}, t("refineTitle")), form);
  unavailableNotice(recipe, session).then((notice) => notice && form.replaceWith(notice), () => {});
  return section;
}
