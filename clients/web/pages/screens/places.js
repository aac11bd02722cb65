// Which places are looked for, and where? Nothing about the position is asked before the person wants it.
import { asApiError, get } from "../api.js";
import { errorBox } from "../components/error-box.js";
import { estimateBox } from "../components/estimate.js";
import { pills } from "../components/pills.js";
import { h, icon, useStyle } from "../dom.js";
import { providerChoice, unavailableNotice } from "../providers.js";
import { send } from "../sending.js";
import { recall, remember } from "../state.js";
import { dateText, plural, t } from "../words.js";

/** @typedef {{ latitude: number, longitude: number, accuracy: number }} Position */

/** @param {import("../types").ScreenContext} context */
export default async function places({ signal, session }) {
  await useStyle("places");
  const chosen = { prompt: "", near: "", limit: "10", ...recall("places") };
  /** @type {Position | null} */
  let position = null;

  const refusal = errorBox();
  const notice = h("div", {});
  const find = h("button", { class: "button large", type: "submit", disabled: true }, icon("search"), t("findPlaces"));
  const estimate = estimateBox(async () => (prompt.value.trim() ? { ...params(), ...await providerChoice("places") } : null),
    {
    told: (name) => t("searchGoes", { name }), onAnswer: (isAllowed) => { find.disabled = !isAllowed; }, signal,
  });
  const prompt = h("textarea", { id: "places-prompt", class: "input", rows: 3, maxlength: 8000, dir: "auto",
    value: chosen.prompt,
    placeholder: t("placesExample"), oninput: () => change({ prompt: prompt.value }) });
  const near = h("input", { id: "near", class: "input", type: "text", maxlength: 300, dir: "auto", value: chosen.near,
    autocomplete: "off",
    placeholder: t("nearExample"), oninput: () => change({ near: near.value }) });
  const where = h("div", { class: "stack tight" });
  const problem = h("p", { class: "note warn", role: "status", hidden: true });

  /** @param {Partial<typeof chosen>} some */
  function change(some) {
    Object.assign(chosen, some);
    remember("places", chosen);
    find.disabled = true;
    estimate.update();
  }

  function params() {
    const area = position ? { latitude: position.latitude, longitude: position.longitude } : chosen.near.trim() || undefined;
    return { recipe: "places", prompt: chosen.prompt.trim(), near: area, limit: Number(chosen.limit), whenOffline: "queue" };
  }

  function drawWhere() {
    if (!position) {
      const locate = h("button", { class: "button quiet locate", type: "button", onclick: () => askPosition(locate) },
        icon("pin"), t("usePosition"));
      return where.replaceChildren(near, "geolocation" in navigator ? locate : "", problem);
    }
    const forget = h("button", { class: "icon-button", type: "button", "aria-label": t("forgetPosition"),
      onclick: () => setPosition(null) },
      icon("close"));
    where.replaceChildren(h("div", { class: "row between position" }, icon("pin"),
      h("span", { class: "grow" }, t("atPosition",
        { meters: new Intl.NumberFormat(document.documentElement.lang).format(Math.round(position.accuracy)) })), forget));
    forget.focus();
  }

  /** @param {Position | null} found */
  function setPosition(found) {
    const wasShown = position !== null;
    position = found;
    problem.hidden = true;
    drawWhere();
    if (wasShown) near.focus();
    change({});
  }

  /** @param {HTMLButtonElement} button */
  function askPosition(button) {
    button.disabled = true;
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      // Three decimals are a hundred metres: enough to search near a person, and no more than is needed.
      const round = (/** @type {number} */ degrees) => Math.round(degrees * 1000) / 1000;
      if (!signal.aborted) setPosition({ latitude: round(coords.latitude), longitude: round(coords.longitude),
        accuracy: Math.max(100, coords.accuracy) });
    }, (error) => {
      button.disabled = false;
      problem.hidden = false;
      problem.textContent = t(error.code === error.PERMISSION_DENIED ? "positionDenied" : "positionUnknown");
    }, { timeout: 15_000, maximumAge: 60_000 });
  }

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    find.disabled = true;
    refusal.show(null);
    try {
      await send("/generate", { ...params(), ...await providerChoice("places") });
    } catch (thrown) {
      refusal.show(asApiError(thrown));
      find.disabled = false;
    }
  }

  const form = h("form", { class: "stack", onsubmit: submit },
    h("div", { class: "field" }, h("label", { for: "places-prompt" }, t("placesPrompt")), prompt),
    h("div", { class: "field" }, h("label", { for: "near" }, t("near")), where),
    pills(t("atMost"), ["5", "10", "20", "50"].map((value) => ({ value, title: value })), chosen.limit,
      (limit) => change({ limit })),
    estimate.element, refusal, h("div", { class: "row" }, find));
  drawWhere();
  unavailableNotice("places", session).then((found) => found && notice.replaceChildren(found), () => {});
  if (chosen.prompt) estimate.update();
  return h("section", { class: "page medium" }, h("h1", {}, t("placesTitle")), h("p", { class: "muted" }, t("placesIntro")),
    notice, form, await earlierLists(signal));
}

/**
 * The lists that were found before.
 * @param {AbortSignal} signal
 */
async function earlierLists(signal) {
  try {
    const { entries } = await get("/history", { recipe: "places", limit: 5 }, signal);
    if (entries.length === 0) return "";
    const items = entries.map((/** @type {import("../types").GenerationResult} */ entry) => h("li", {},
      h("a", { class: "card plain row between", href: `/places/${entry.generationId}` },
        h("span", { class: "earlier-words", dir: "auto" }, entry.prompt ?? t("recipe.places")),
        h("span", { class: "small muted" }, entry.places ? plural("placesCount", entry.places.length)
          : t(`state.${entry.state}`), " · ",
          dateText(entry.createdAt)))));
    return h("section", { class: "stack" }, h("h2", {}, t("earlierLists")), h("ul", { class: "stack tight" }, items));
  } catch {
    return "";
  }
}
