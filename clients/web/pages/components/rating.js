// How good is it? One to five stars, and words if the person has some. It stays with the host.
import { asApiError, post } from "../api.js";
import { announce, h, icon } from "../dom.js";
import { plural, t } from "../words.js";
import { errorBox } from "./error-box.js";

/** @param {import("../types").GenerationResult} generation */
export function ratingField(generation) {
  const { generationId, feedback } = generation;
  const problem = errorBox();
  const text = h("textarea", { class: "input", maxlength: "2000", "aria-label": t("ratingText"),
    placeholder: t("ratingText"), dir: "auto" });
  text.value = feedback?.text ?? "";
  const thanks = h("p", { class: "small", role: "status" });
  let rating = feedback?.rating ?? 0;

  async function store() {
    problem.show(null);
    try {
      await post("/feedback", { generationId, rating, ...(text.value.trim() ? { text: text.value.trim() } : {}) });
      thanks.textContent = t("ratingThanks");
      announce(t("ratingThanks"));
    } catch (error) {
      problem.show(asApiError(error), store);
    }
  }

  const save = h("button", { class: "button quiet", onclick: store }, t("ratingSend"));
  const more = h("div", { class: "stack tight", hidden: rating === 0 }, text, h("div", { class: "row" }, save, thanks));
  const stars = [1, 2, 3, 4, 5].map((value) => {
    const input = h("input", {
      type: "radio", name: "rating", value: String(value), checked: value === rating, "aria-label": plural("stars", value),
      onchange: () => { rating = value; more.hidden = false; draw(); store(); },
    });
    return h("label", { class: "star" }, input, icon("star"));
  });
  function draw() {
    stars.forEach((star, at) => star.classList.toggle("lit", at < rating));
  }
  draw();
  return h("fieldset", { class: "field" }, h("legend", {}, t("ratingTitle")), h("div", { class: "stars" }, stars), more,
    problem);
}
