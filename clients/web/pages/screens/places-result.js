// Which places were found? They come in while the service verifies them; a list always, and a map where there is one.
import { asApiError, errorOfGeneration, get, post } from "../api.js";
import { errorBox } from "../components/error-box.js";
import { placesMap } from "../components/places-map.js";
import { progressBar } from "../components/progress-bar.js";
import { announce, h, icon, useStyle } from "../dom.js";
import { csv, geoJson, saveFile } from "../places-files.js";
import { plural, t } from "../words.js";
import { isOver, watch } from "../watching.js";

/** @typedef {import("../types").GenerationResult} Generation */
/** @typedef {import("../types").Place} Place */

/** @param {import("../types").ScreenContext} context */
export default async function placesResult({ id, signal, session }) {
  const [generation] = await Promise.all([/** @type {Promise<Generation>} */ (get(`/generations/${id}`, undefined, signal)),
    useStyle("places")]);
  /** @type {Place[]} */
  let places = generation.places ?? [];
  /** @type {Set<string>} */
  const left = new Set();
  /** @type {Awaited<ReturnType<typeof placesMap>> | null} */
  let map = null;

  const error = errorBox();
  const bar = progressBar(t("searching"));
  const message = h("p", { class: "muted", dir: "auto" });
  const cancel = h("button", { class: "button quiet", onclick: stop }, t("cancel"));
  const progress = h("div", { class: "card stack" }, h("div", { class: "row between" }, message, cancel), bar);
  const list = h("ol", { class: "places", "aria-label": t("placesTitle") });
  const notes = h("div", { class: "stack tight" });
  const count = h("p", { class: "muted" });
  const mapPlace = h("div", { class: "map-place" });
  const exports = h("div", { class: "row", hidden: true },
    h("button", { class: "button quiet", onclick: () => save("geojson") }, icon("download"), "GeoJSON"),
    h("button", { class: "button quiet", onclick: () => save("csv") }, icon("download"), "CSV"));

  /** @param {"geojson" | "csv"} format */
  function save(format) {
    const chosen = places.filter((place) => !left.has(keyOf(place)));
    saveFile(format === "csv" ? csv(chosen, id) : geoJson(chosen, id), `places.${format}`);
  }

  async function stop() {
    cancel.disabled = true;
    try {
      await post(`/generations/${id}/cancel`);
    } catch (thrown) {
      error.show(asApiError(thrown));
      cancel.disabled = false;
    }
  }

  /** @param {Place[]} found */
  function showPlaces(found) {
    // What is in the list already stays as it is, with the focus that it may have.
    const shown = list.childElementCount;
    const goesOn = found.length >= shown && places.slice(0, shown).every((place, at) => keyOf(place) === keyOf(found[at]));
    places = found;
    count.textContent = found.length > 0 ? plural("placesCount", found.length) : "";
    if (goesOn) list.append(...found.slice(shown).map((place, at) => item(place, shown + at)));
    else list.replaceChildren(...found.map(item));
    map?.show(found);
  }

  /** @param {Place} place @param {number} at */
  function item(place, at) {
    const address = [place.streetAddress1, place.streetAddress2, [place.postalCode, place.city].filter(Boolean).join(" "),
      place.state, place.country];
    const pick = h("input", { type: "checkbox", checked: !left.has(keyOf(place)),
      "aria-label": t("exportPlace", { name: place.name }),
      onchange: () => left[pick.checked ? "delete" : "add"](keyOf(place)) });
    const body = h("button", { class: "place-body", type: "button", onclick: () => select(at) },
      h("strong", { dir: "auto" }, place.name),
      h("span", { class: "small muted", dir: "auto" }, address.filter(Boolean).join(", ")),
      place.coordinate ? null : h("span", { class: "small muted" }, t("noPosition")));
    return h("li", { class: "place" }, h("span", { class: "place-number", "aria-hidden": "true" }, at + 1), body, pick);
  }

  /** @param {number} at @param {boolean} [scrolls] */
  function select(at, scrolls = false) {
    [...list.children].forEach((row, index) => row.classList.toggle("selected", index === at));
    map?.select(at);
    if (scrolls) list.children[at]?.scrollIntoView({ block: "nearest" });
  }

  async function loadMap() {
    if (map || !session.leaflet || !places.some((place) => place.coordinate)) return;
    try {
      const made = await placesMap(session.map, (at) => select(at, true));
      if (signal.aborted) return made.remove();
      map = made;
      mapPlace.replaceChildren(made.element, session.map?.tiles ? "" : h("p", { class: "small muted" }, t("noTiles")));
      made.show(places);
    } catch {
      // The list says everything that the map would.
      mapPlace.replaceChildren(h("p", { class: "small muted" }, t("noMap")));
    }
  }

  /** @param {Generation} ended */
  function showEnd(ended) {
    progress.hidden = true;
    showPlaces(ended.places ?? []);
    exports.hidden = places.length === 0;
    if (ended.error) error.show(errorOfGeneration(ended.error));
    if (ended.state === "cancelled") notes.append(note("info", t("searchCancelled")));
    for (const failure of ended.failures) notes.append(note("warning", failure.error.message));
    for (const warning of ended.warnings) notes.append(note("warning", warning.message));
    if (ended.dropped && ended.dropped.count > 0) {
      notes.append(h("details", {}, h("summary", { class: "small" }, plural("dropped", ended.dropped.count)),
        h("p", { class: "small muted", dir: "auto" }, ended.dropped.names.join(" · "))));
    }
    loadMap();
  }

  /** @param {string} text */
  const say = (text) => {
    message.textContent = text;
    announce(text);
  };
  if (isOver(generation)) showEnd(generation);
  else {
    say(generation.progress?.message ?? t("searching"));
    watch(id, {
      progress(event) {
        if (event.message !== message.textContent) say(event.message);
        bar.set(event.overall, event.message);
        const found = /** @type {{ places?: Place[] }} */ (event).places;
        if (found) showPlaces(found);
        loadMap();
      },
      finished: showEnd,
      refused: (thrown) => error.show(thrown),
      gone: () => say(t("hostGone")),
    }, signal);
  }
  signal.addEventListener("abort", () => map?.remove());
  return h("section", { class: "page" },
    h("div", { class: "stack tight" },
      h("h1", { class: "places-words", dir: "auto" }, generation.prompt ?? t("recipe.places")), count),
    progress.hidden ? "" : progress, error, notes,
    h("div", { class: "places-grid" }, h("div", { class: "stack" }, list, exports,
      h("p", {}, h("a", { href: "/places" }, t("searchAgain")))), mapPlace));
}

/** @param {Place} place */
const keyOf = (place) => [place.name, place.streetAddress1, place.city, place.coordinate?.latitude].join("\n");

/** @param {Parameters<typeof icon>[0]} name @param {string} text */
const note = (name, text) => h("p", { class: "note" }, icon(name), h("span", { dir: "auto" }, text));
