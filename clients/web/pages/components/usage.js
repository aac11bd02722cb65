// What were the credits spent on, and what was made? The sums, the last days, and each change of the credits.
import { asApiError, get } from "../api.js";
import { h } from "../dom.js";
import { currentLanguage, dateText, plural, t } from "../words.js";
import { errorBox } from "./error-box.js";
import { recipeName, sumsText, titleOf } from "./history-row.js";

const DAYS = 14;

/** @param {AbortSignal} signal */
export async function usageSection(signal) {
  /** @type {import("../types").UsageStatistics} */
  const { total, byRecipe, byDay } = await get("/usage", undefined, signal);
  const most = Math.max(1, ...byRecipe.map((group) => group.generations));
  const rows = byRecipe.map((group) => h("tr", {}, h("th", { scope: "row" }, recipeName(group.name)),
    h("td", { class: "number" }, group.generations), h("td", {}, meter(group.generations / most))));
  return h("section", { class: "card stack" }, h("h2", {}, t("usage")),
    h("p", { class: "muted" }, sumsText(total)),
    byRecipe.length > 0 ? h("table", { class: "usage" }, h("caption", { class: "hidden-text" }, t("usageByKind")),
      h("tbody", {}, rows)) : null,
    byDay.length > 0 ? lastDays(byDay) : null);
}

/** @param {import("../types").UsageDay[]} byDay */
function lastDays(byDay) {
  const made = new Map(byDay.map((day) => [day.day, day.generations]));
  const days = Array.from({ length: DAYS },
    (_, at) => new Date(Date.now() - (DAYS - 1 - at) * 86_400_000).toISOString().slice(0, 10));
  const most = Math.max(1, ...days.map((day) => made.get(day) ?? 0));
  const format = new Intl.DateTimeFormat(currentLanguage(), { day: "numeric", month: "short", timeZone: "UTC" });
  const total = days.reduce((sum, day) => sum + (made.get(day) ?? 0), 0);
  const bars = days.map((day) => {
    const bar = h("span", { class: "day-bar", title: `${format.format(new Date(day))}: ${made.get(day) ?? 0}` });
    bar.style.height = `${Math.max(4, (100 * (made.get(day) ?? 0)) / most)}%`;
    return bar;
  });
  return h("figure", { class: "stack tight" },
    h("div", { class: "days", role: "img", "aria-label": plural("piecesInDays", total, { days: DAYS }) }, bars),
    h("figcaption", { class: "small muted row between" }, h("span", {}, format.format(new Date(days[0]))),
      h("span", {}, t("today"))));
}

/** @param {number} fraction */
function meter(fraction) {
  const fill = h("span", { class: "meter-fill" });
  fill.style.width = `${100 * fraction}%`;
  return h("span", { class: "meter", "aria-hidden": "true" }, fill);
}

/**
 * Each change of the credits, newest first.
 * @param {AbortSignal} signal
 */
export function creditHistory(signal) {
  const error = errorBox();
  const list = h("ul", { class: "ledger" });
  const more = h("button", { class: "button quiet", hidden: true, onclick: () => load() }, t("showMore"));
  /** @type {string | undefined} */
  let cursor;

  async function load() {
    error.show(null);
    try {
      /** @type {import("../types").CreditHistoryPage} */
      const page = await get("/credits/history", { limit: 10, cursor }, signal);
      list.append(...page.entries.map(entryRow));
      if (list.childElementCount === 0) list.append(h("li", { class: "muted" }, t("noCredits")));
      cursor = page.nextCursor;
      more.hidden = !cursor;
    } catch (thrown) {
      if (!signal.aborted) error.show(asApiError(thrown), load);
    }
  }
  load();
  return h("section", { class: "card stack" }, h("h2", {}, t("creditHistory")), error, list, more);
}

/** @param {import("../types").CreditEntry} entry */
function entryRow({ kind, amount, balanceAfter, recipe, prompt, reason, bucket, date }) {
  const what = recipe ? titleOf({ recipe, prompt })
    : reason ?? t(kind === "use" ? "deletedEntry" : bucket ? `bucket.${bucket}` : `entry.${kind}`);
  const signed = new Intl.NumberFormat(currentLanguage(), { signDisplay: "always" }).format(amount).replace("-", "−");
  return h("li", {}, h("div", { class: "grow" }, h("span", { class: "ledger-title", dir: "auto" }, what),
    h("span", { class: "small muted" }, [t(`entry.${kind}`), dateText(date)].join(" · "))),
  h("div", { class: "ledger-amount number" }, h("strong", {}, signed),
    balanceAfter === null ? null : h("span", { class: "small muted" }, plural("creditsAfter", balanceAfter))));
}
