// What was made so far? A timeline, newest first, that can be searched and cleared.
import { asApiError, get } from "../api.js";
import { afterPause } from "../after-pause.js";
import { errorBox } from "../components/error-box.js";
import { backgroundNames, historyRow, recipeName, sumsText } from "../components/history-row.js";
import { offlineQueue } from "../components/offline-queue.js";
import { pills } from "../components/pills.js";
import { removing } from "../components/removing.js";
import { sessionList } from "../components/session-list.js";
import { h, icon, useStyle } from "../dom.js";
import { recall, remember } from "../state.js";
import { currentLanguage, t } from "../words.js";

/** @typedef {import("../types").GenerationResult} Generation */
const RECIPES = ["headshot", "hairstyle", "edit", "create", "places"];
const PAGE = 20;
/** How many the host gives at most at once. */
const MOST = 100;
/**
 * Where the person was. It is kept in the entry of the browser's history, so that the back button finds it, and a link
 * to this screen begins at the top.
 * @typedef {{ search: string, count: number, y: number }} Position
 */

/** @param {import("../types").ScreenContext} context */
export default async function history({ signal }) {
  await useStyle("history");
  /** @type {Position | null} */
  let position = window.history.state?.position ?? null;
  const filter = { view: "all", recipe: "", ...recall("history"), search: position?.search ?? "" };
  const body = h("div", { class: "stack" });

  /** @param {Partial<typeof filter>} some */
  function change(some) {
    Object.assign(filter, some);
    remember("history", { view: filter.view, recipe: filter.recipe });
    draw();
  }

  const list = timeline(signal);
  const search = h("input", { class: "input", type: "search", placeholder: t("searchHistory"),
    "aria-label": t("searchHistory"), dir: "auto", value: filter.search });
  search.addEventListener("input", afterPause(() => change({ search: search.value.trim() }), 300));
  const recipe = h("select", { class: "input", "aria-label": t("kind"), onchange: () => change({ recipe: recipe.value }) },
    h("option", { value: "" }, t("everyKind")), RECIPES.map((name) => h("option", { value: name }, recipeName(name))));
  recipe.value = filter.recipe;
  const bar = h("div", { class: "history-filter" }, search, recipe);

  function draw() {
    const isSessions = filter.view === "sessions";
    bar.hidden = isSessions;
    if (isSessions) return body.replaceChildren(sessionList(signal));
    body.replaceChildren(list.element);
    const query = { search: filter.search, recipe: filter.recipe, favorite: filter.view === "favorites" ? true : undefined };
    const before = position;
    position = null;
    list.load(query, before?.count).then(() => {
      if (before && !signal.aborted) scrollTo(0, before.y);
    });
  }

  function keepPosition() {
    if (signal.aborted || list.count() === 0) return;
    /** @type {Position} */
    const now = { search: filter.search, count: list.count(), y: scrollY };
    window.history.replaceState({ ...window.history.state, position: now }, "");
  }
  addEventListener("scroll", afterPause(keepPosition, 150), { signal, passive: true });
  body.addEventListener("click", keepPosition, { capture: true });

  const views = ["all", "favorites", "sessions"].map((value) => ({ value, title: t(`view.${value}`) }));
  draw();
  return h("section", { class: "page medium" },
    h("div", { class: "row between" }, h("h1", {}, t("historyTitle")),
      h("a", { class: "button quiet", href: "/api/v1/history/export", download: "" }, icon("download"), t("exportHistory"))),
    offlineQueue(signal),
    pills(t("view"), views, filter.view, (view) => change({ view })), bar, body);
}

/**
 * The timeline, a heading for each day.
 * @param {AbortSignal} signal
 */
function timeline(signal) {
  const error = errorBox();
  const sums = h("p", { class: "small muted", "aria-live": "polite" });
  const days = h("div", { class: "stack" });
  const none = h("div", { class: "card stack center nothing", hidden: true });
  const more = h("button", { class: "button quiet", hidden: true, onclick: () => page(false) }, t("showMore"));
  const removeLater = removing(signal);
  /** @type {Record<string, any>} */
  let query = {};
  /** @type {string | undefined} */
  let cursor;
  let asked = 0;
  let isBusy = false;

  const shownRows = () => days.querySelectorAll("li").length;

  /** @param {boolean} isNew @param {number} [limit] */
  async function page(isNew, limit = PAGE) {
    const mine = ++asked;
    isBusy = true;
    error.show(null);
    try {
      /** @type {import("../types").HistoryPage} */
      const found = await get("/history", { ...query, limit, cursor: isNew ? undefined : cursor }, signal);
      const names = await backgroundNames();
      if (mine !== asked) return;
      if (isNew) days.replaceChildren();
      found.entries.forEach((entry) => add(entry, names));
      cursor = found.nextCursor;
      more.hidden = !cursor;
      showSums(found.totals);
      drawEmpty();
    } catch (thrown) {
      if (!signal.aborted && mine === asked) error.show(asApiError(thrown), () => page(isNew));
    }
    isBusy = false;
  }

  /** @param {import("../types").HistoryTotals} totals */
  function showSums(totals) {
    sums.textContent = sumsText(totals);
    sums.hidden = totals.generations === 0;
  }

  /**
   * @param {Generation} generation
   * @param {Map<string, string>} names
   */
  function add(generation, names) {
    const day = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "full" }).format(new Date(generation.createdAt));
    let group = days.lastElementChild;
    if (group?.getAttribute("aria-label") !== day) {
      group = h("section", { class: "day", "aria-label": day }, h("h2", { class: "day-name" }, day),
        h("ul", { class: "stack tight" }));
      days.append(group);
    }
    group.querySelector("ul")?.append(historyRow(generation, (row) => takeAway(row, generation), names));
  }

  /** @param {HTMLLIElement} row @param {Generation} generation */
  function takeAway(row, generation) {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.hidden = true;
    const day = row.closest("section");
    if (day) day.hidden = [...day.querySelectorAll("li")].every((each) => each.hidden);
    (next?.querySelector("a") ?? more).focus();
    removeLater(generation.generationId, () => {
      row.hidden = false;
      if (day) day.hidden = false;
      row.querySelector("a")?.focus();
    });
  }

  function drawEmpty() {
    none.hidden = days.childElementCount > 0 || Boolean(cursor);
    const isFiltered = query.search || query.recipe || query.favorite;
    none.replaceChildren(icon("photos"), h("p", {}, t(isFiltered ? "nothingFound" : "nothingYet")),
      isFiltered ? "" : h("a", { class: "button", href: "/capture" }, t("makeFirst")));
  }

  // More comes by itself when its button comes into view; the button is for the keyboard, and where the host refuses.
  const sight = new IntersectionObserver(([entry]) => {
    if (entry.isIntersecting && !more.hidden && !isBusy && error.hidden) page(false);
  });
  sight.observe(more);
  signal.addEventListener("abort", () => sight.disconnect());
  return {
    element: h("div", { class: "stack" }, sums, error, none, days, more),
    count: shownRows,
    /**
     * @param {Record<string, any>} wanted
     * @param {number} [count] how many were shown before
     */
    async load(wanted, count = PAGE) {
      query = wanted;
      const limit = Math.min(MOST, Math.max(PAGE, count));
      await page(true, limit);
      const isShort = () => query === wanted && cursor && error.hidden && shownRows() < count;
      while (isShort()) await page(false, limit);
    },
  };
}
