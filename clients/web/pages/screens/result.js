// What has become of it? The picture beside the photo, its variations, and everything that can be done with it.
import { get, imageAddress, originalAddress } from "../api.js";
import { beforeAfter } from "../components/before-after.js";
import { chain } from "../components/chain.js";
import { ratingField } from "../components/rating.js";
import { zoomView } from "../components/zoom-view.js";
import { announce, h, icon, useStyle } from "../dom.js";
import { listProviders, providerTitle } from "../providers.js";
import { go } from "../router.js";
import { isOver } from "../watching.js";
import { dateText, dollarText, plural, sizeText, t } from "../words.js";
import { resultActions } from "./result-actions.js";
import { refineField } from "./result-refine.js";

/** @typedef {import("../types").GenerationResult} Generation */

/** @type {import("../types").Screen} */
export default async function result({ id, query, session, signal }) {
  /** @type {[Generation, import("../types").Provider[], void]} */
  const [generation, providers] = await Promise.all([get(`/generations/${encodeURIComponent(id)}`, undefined, signal),
    listProviders().catch(() => []), useStyle("result")]);
  if (!isOver(generation) || generation.recipe === "places" || generation.images.length === 0) {
    go(generation.recipe === "places" ? `/places/${id}` : `/making/${id}`, { replace: true });
    return h("div");
  }
  const { images } = generation;
  let at = Math.max(0, images.findIndex((image) => String(image.index) === query.get("picture")));
  const compare = beforeAfter(generation.recipe === "create" ? null : originalAddress(id),
    signal);
  const view = zoomView(compare.element, { onSwipe: (step) => select(at + step),
    onScale: (scale) => { less.disabled = scale <= 1; } });
  const less = h("button", { class: "icon-button", "aria-label": t("zoomOut"), disabled: true,
    onclick: () => view.zoom(1 / 1.5) }, "−");
  const more = h("button", { class: "icon-button", "aria-label": t("zoomIn"), onclick: () => view.zoom(1.5) }, icon("plus"));
  const position = h("span", { class: "muted small number" });
  const thumbnails = images.map((image, place) => {
    // Where there is no small picture, its number stands.
    const small = h("img", {
      src: imageAddress(id, image.index, 192), alt: "", onerror: () => small.replaceWith(String(place + 1)),
    });
    return h("button", { class: "thumb", "aria-label": nameOf(image, place), onclick: () => select(place) }, small);
  });
  const actions = resultActions(generation, () => images[at], signal);
  const chainPlace = h("div", { hidden: true });

  /** @param {number} place */
  function select(place) {
    if (place < 0 || place >= images.length) return;
    at = place;
    const image = images[at];
    view.reset();
    compare.show(imageAddress(id, image.index), nameOf(image, at), image);
    thumbnails.forEach((thumb, other) => (other === at ? thumb.setAttribute("aria-current", "true")
      : thumb.removeAttribute("aria-current")));
    position.textContent = images.length > 1 ? t("pictureOf", { at: at + 1, count: images.length }) : "";
    if (images.length > 1) announce(nameOf(image, at));
    actions.draw();
  }

  select(at);
  announceEnd(generation);
  chain(generation, signal).then((tree) => {
    if (tree) chainPlace.replaceChildren(tree);
    chainPlace.hidden = !tree;
  }, () => {
    // The picture is what the person came for: without its chain, the screen is whole.
  });
  return h("section", { class: "page result" },
    h("div", { class: "result-picture stack" },
      h("div", { class: "row between" }, h("h1", {}, t(`result.${generation.recipe}`)),
        h("div", { class: "row zoom-buttons" }, position, less, more)),
      view.element, compare.problem, compare.control, images.length > 1 ? h("div", { class: "thumbs" }, thumbnails) : null),
    h("div", { class: "result-side stack" }, actions.element, notes(generation),
      refineField(generation, () => images[at], session, signal),
      chainPlace, ratingField(generation), facts(generation, providers)));
}

/**
 * @param {import("../types").ResultImage} image
 * @param {number} place
 */
function nameOf(image, place) {
  return image.view ? t(`view.${image.view}`) : t("pictureNumber", { number: place + 1 });
}

/** @param {Generation} generation */
function announceEnd(generation) {
  if (generation.state === "succeeded") announce(plural("picturesMade", generation.images.length));
}

/**
 * What the person should know: the warnings, the pictures that are missing, and what the provider said.
 * @param {Generation} generation
 */
function notes(generation) {
  const all = [
    ...generation.warnings.map((warning) => note("warn", "warning", warning.message)),
    ...generation.failures.map(({ error }) => note("warn", "warning", error.message)),
    generation.cached ? note("", "info", t("wasCached")) : null,
    generation.text ? note("", "info", generation.text) : null,
  ].filter((one) => one !== null);
  return all.length > 0 ? h("div", { class: "stack tight" }, all) : null;
}

/**
 * @param {string} kind
 * @param {"warning" | "info"} mark
 * @param {string} text
 */
function note(kind, mark, text) {
  return h("p", { class: `note ${kind}` }, icon(mark), h("span", { dir: "auto" }, text));
}

/**
 * How it was made, for those who want to know.
 * @param {Generation} generation
 * @param {import("../types").Provider[]} providers
 */
function facts(generation, providers) {
  const provider = providerTitle(providers.find(({ id }) => id === generation.provider), generation.provider);
  const [image] = generation.images;
  const { charged } = generation.credits;
  const usd = generation.usage?.costUsd;
  /** @type {[string, string | undefined][]} */
  const rows = [
    ["factWhen", dateText(generation.createdAt)],
    ["factPrompt", generation.prompt],
    ["factBy", [provider, generation.model].filter(Boolean).join(" · ")],
    ["factSize", `${t("dimensions", { width: image.width, height: image.height })} · ${sizeText(image.bytes)}`],
    ["factCost", charged > 0 ? plural("credits", charged) : usd ? dollarText(usd) : undefined],
  ];
  return h("details", { class: "facts" }, h("summary", {}, t("factsTitle")), h("dl", {},
    rows.filter(([, value]) => value).map(([key, value]) => [h("dt", { class: "muted" }, t(key)),
      h("dd", { dir: "auto" }, value)])));
}
