// How does one generation look in the history?
import { asApiError, get, imageAddress, patch } from "../api.js";
import { h, icon } from "../dom.js";
import { currentLanguage, dollarText, plural, t } from "../words.js";
import { backgroundTitle } from "../screens/style-background.js";
import { swipeable } from "./removing.js";
import { showToast } from "./toast.js";

/** @typedef {import("../types").GenerationResult} Generation */
/** @type {Record<string, Parameters<typeof icon>[0]>} */
const ICONS = { headshot: "camera", hairstyle: "scissors", edit: "wand", create: "wand", places: "pin" };

/**
 * The screen that shows a generation.
 * @param {{ generationId: string, recipe: string, state: string }} generation
 */
export function addressOf({ generationId, recipe, state }) {
  if (recipe === "places") return `/places/${generationId}`;
  return `${state === "queued" || state === "running" ? "/making" : "/result"}/${generationId}`;
}

/**
 * The word for a recipe; a newer service may have others.
 * @param {string} recipe
 */
export function recipeName(recipe) {
  const name = t(`recipe.${recipe}`);
  return name.startsWith("recipe.") ? recipe : name;
}

/**
 * What it is called in a list: its prompt, else its kind.
 * @param {{ prompt?: string, recipe: string }} generation
 */
export const titleOf = ({ prompt, recipe }) => prompt || recipeName(recipe);

/**
 * What many generations cost, in one line.
 * @param {import("../types").HistoryTotals | import("../types").UsageSum} sums
 */
export function sumsText({ generations, creditsUsed, costUsd }) {
  const parts = [plural("pieces", generations), creditsUsed > 0 ? plural("creditsUsed", creditsUsed) : null,
    (costUsd ?? 0) > 0 ? t("paidToProviders", { price: dollarText(costUsd) }) : null];
  return parts.filter(Boolean).join(" · ");
}

/** @type {Promise<Map<string, string>> | null} */
let backgrounds = null;

/** The service's words for the backgrounds of headshots, which tell them apart in a list. */
export function backgroundNames() {
  backgrounds ??= get("/styles").then(
    (choices) => new Map(choices.backgrounds.map((/** @type {{ id: string, title: string }} */ one) => [one.id,
      backgroundTitle(one)])),
    () => new Map());
  return backgrounds;
}

/**
 * A small picture of a generation, or the icon of its kind.
 * @param {Generation} generation
 */
export function thumbnail(generation) {
  if (generation.images.length === 0) return h("span", { class: "thumbnail" }, icon(ICONS[generation.recipe] ?? "photos"));
  const address = imageAddress(generation.generationId, generation.images[0].index, 256);
  return h("img", { class: "thumbnail", src: address, alt: "", loading: "lazy", width: 72, height: 72 });
}

/**
 * @param {Generation} generation
 * @param {(row: HTMLLIElement) => void} onDelete
 * @param {Map<string, string>} names of the backgrounds
 */
export function historyRow(generation, onDelete, names) {
  const { recipe, state, createdAt } = generation;
  const title = titleOf(generation);
  const time = new Intl.DateTimeFormat(currentLanguage(), { timeStyle: "short" }).format(new Date(createdAt));
  const background = names.get(generation.style?.background ?? "");
  const facts = [time, generation.prompt ? recipeName(recipe) : background, costOf(generation), balanceOf(generation)];
  const isOver = state !== "queued" && state !== "running";
  const heart = h("button", { class: "icon-button", "aria-pressed": String(generation.favorite ?? false), disabled: !isOver,
    "aria-label": t("favoriteOf", { title }), onclick: () => mark(heart, generation) }, icon("heart"));
  const row = h("li", { class: "history-row", onkeydown: (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Delete") onDelete(row);
  } },
    h("a", { class: "history-link", href: addressOf(generation) }, thumbnail(generation),
    h("span", { class: "history-text" }, h("strong", { class: "history-title", dir: "auto" }, title),
      h("span", { class: "small muted" }, facts.filter(Boolean).join(" · ")),
      state === "succeeded" ? null : h("span", { class: `badge state-${state}` }, t(`state.${state}`)))),
    heart,
    h("button", { class: "icon-button", "aria-label": t("deleteOf", { title }), onclick: () => onDelete(row) },
      icon("trash")));
  swipeable(row, () => onDelete(row));
  return row;
}

/** @param {Generation} generation */
function costOf({ credits, usage, state }) {
  if (state === "queued" || state === "running") return null;
  if (credits.balanceAfter !== null || credits.charged > 0) return plural("credits", credits.charged);
  return usage?.costUsd ? dollarText(usage.costUsd) : null;
}

/** @param {Generation} generation */
const balanceOf = ({ credits }) => (credits.balanceAfter === null ? null : plural("creditsAfter", credits.balanceAfter));

/** @param {HTMLButtonElement} heart @param {Generation} generation */
async function mark(heart, generation) {
  const favorite = heart.getAttribute("aria-pressed") !== "true";
  heart.setAttribute("aria-pressed", String(favorite));
  try {
    await patch(`/generations/${generation.generationId}`, { favorite });
  } catch (thrown) {
    heart.setAttribute("aria-pressed", String(!favorite));
    showToast(asApiError(thrown).message);
  }
}
