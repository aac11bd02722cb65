// What has the person, and what is kept of them? Credits, usage, and what can be deleted.
import { get } from "../api.js";
import { creditRing, levelOf } from "../components/credit-ring.js";
import { accountSection, consentSection, deletePhotosSection } from "../components/own-data.js";
import { openShop } from "../components/shop.js";
import { showToast } from "../components/toast.js";
import { creditHistory, usageSection } from "../components/usage.js";
import { h, icon, useStyle } from "../dom.js";
import { recipeName } from "../components/history-row.js";
import { dateText, plural, t } from "../words.js";

/** @typedef {import("../types").Account} Account */

/** @param {import("../types").ScreenContext} context */
export default async function profile({ query, signal, session }) {
  /** @type {[Account, Element, any, void]} */
  const [account, usage, { products }] = await Promise.all([
    get("/account", undefined, signal), usageSection(signal), get("/products", undefined, signal), useStyle("profile"),
  ]);
  const { balance } = account;
  const canBuy = balance.metered && products.length > 0;
  const isLow = balance.metered && levelOf(balance) !== "green";
  const shop = canBuy ? h("button", { class: `button shine${isLow ? " pulse" : ""}`, onclick: () => openShop() },
    icon("plus"), t("getCredits")) : null;
  if (query.has("paid")) {
    history.replaceState({}, "", "/profile");
    showToast(t("paid"));
  }
  const hint = h("div", {}, lowHint(account));
  const credits = h("div", {}, balance.metered ? creditsSection(account) : ownStudio());
  // Whoever comes back from paying in another tab finds the new credits here.
  document.addEventListener("visibilitychange", async () => {
    if (document.hidden || !balance.metered) return;
    /** @type {Account | null} */
    const now = await get("/account", undefined, signal).catch(() => null);
    if (!now || now.balance.available === balance.available) return;
    balance.available = now.balance.available;
    hint.replaceChildren(lowHint(now));
    credits.replaceChildren(creditsSection(now));
  }, { signal });
  return h("section", { class: "page medium" },
    h("div", { class: "row between" }, h("div", { class: "row" }, h("h1", {}, t("profileTitle")), tierBadge(account)), shop),
    hint,
    h("div", { class: "profile-grid" },
      credits,
      usage,
      balance.metered ? creditHistory(signal) : "",
      consentSection(session, account.consent),
      accountSection(session, account),
      deletePhotosSection()));
}

/** @param {Account} account */
function tierBadge({ tier }) {
  return h("span", { class: `badge tier-${tier}` }, tier === "premium" ? icon("star") : null, t(`tier.${tier}`));
}

/**
 * What a low balance means, before it gets in the way.
 * @param {Account} account
 */
function lowHint({ balance }) {
  if (!balance.metered) return "";
  const level = levelOf(balance);
  const text = balance.shortfall > 0 ? plural("shortfall", balance.shortfall)
    : balance.available === 0 ? t("hint.empty") : level === "red" ? t("hint.red") : level === "yellow" ? t("hint.yellow")
    : "";
  if (!text) return "";
  const reset = balance.resetAt ? ` ${t("renewsOn", { date: dateText(balance.resetAt) })}` : "";
  return h("p", { class: "card plain note warn" }, icon("warning"), h("span", {}, text + reset));
}

/** The machine's own account needs no credits. */
function ownStudio() {
  return h("section", { class: "card stack" }, h("h2", {}, t("credits")),
    h("p", { class: "note" }, icon("shield"), h("span", {}, t("ownStudio"))));
}

/** @param {Account} account */
function creditsSection({ balance, limits, premiumUntil }) {
  const buckets = balance.buckets.map((bucket) => h("li", { class: "row between" },
    h("span", {}, t(`bucket.${bucket.kind}`)),
    h("span", { class: "small muted number" }, plural("credits", bucket.available), " · ",
      bucket.expiresAt ? t("expiresOn", { date: dateText(bucket.expiresAt) }) : t("neverExpires"))));
  const reached = limits.filter((limit) => limit.used >= limit.limit && limit.scope !== "concurrent");
  return h("section", { class: "card stack" }, h("h2", {}, t("credits")), creditRing(balance),
    premiumUntil ? h("p", { class: "small muted" }, t("premiumUntil", { date: dateText(premiumUntil) })) : null,
    buckets.length > 0 ? h("ul", { class: "stack tight buckets" }, buckets) : null,
    reached.map((limit) => h("p", { class: "note warn" }, icon("clock"), h("span", {},
      t("limitReached", { used: limit.used, limit: limit.limit, what: limit.recipe ? recipeName(limit.recipe)
        : t("everyKind") }),
      limit.resetsAt ? ` ${t("limitEnds", { date: dateText(limit.resetsAt) })}` : ""))));
}
