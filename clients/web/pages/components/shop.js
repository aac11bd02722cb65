// How does the person get more credits? In a sheet over the screen; the products come from the host, and the payment is
// made where the host sends the person.
import { asApiError, get, post } from "../api.js";
import { h, icon, useStyle } from "../dom.js";
import { currentLanguage, plural, t } from "../words.js";
import { hostSession } from "../router.js";
import { errorBox } from "./error-box.js";
import { openSheet } from "./sheet.js";

/** @typedef {import("../types").UpgradeOption & { period?: string }} Product */

/**
 * @param {Product[]} [options] what a refusal offered; absent: all products
 */
export async function openShop(options) {
  await useStyle("profile");
  const list = h("ul", { class: "products" }, h("li", { class: "spinner small", role: "img", "aria-label": t("loading") }));
  const error = errorBox();
  openSheet(t("getCredits"), [h("p", { class: "muted" }, t("shopIntro")), list, error]);
  try {
    /** @type {Product[]} */
    const all = (await get("/products")).products;
    const wanted = options?.map((option) => all.find((product) => product.id === option.id) ?? option) ?? all;
    list.replaceChildren(...[...wanted].sort(bundlesFirst).map((product, at) => card(product, at === 0, error)));
    if (wanted.length === 0) list.replaceChildren(h("li", { class: "muted" }, t("nothingForSale")));
  } catch (thrown) {
    list.replaceChildren();
    error.show(asApiError(thrown));
  }
}

/**
 * What can be bought here stands first.
 * @param {Product} one
 * @param {Product} other
 */
const bundlesFirst = (one, other) => Number(one.kind === "subscription") - Number(other.kind === "subscription");

/** @param {Product} product @param {boolean} isFirst @param {import("./error-box.js").ErrorBox} error */
function card(product, isFirst, error) {
  const { price, credits, kind } = product;
  const amount = Number(price.amount);
  const format = (/** @type {number} */ value, /** @type {Intl.NumberFormatOptions} */ options = {}) =>
    new Intl.NumberFormat(currentLanguage(), { style: "currency", currency: price.currency, ...options }).format(value);
  const isMonthly = kind === "subscription";
  const buy = h("button", { class: isFirst ? "button shine" : "button quiet", onclick: () => pay(product, buy, error) },
    t(isMonthly ? "subscribeFor" : "buyFor", { price: format(amount) }));
  const benefits = [plural(isMonthly ? "creditsEachMonth" : "credits", credits),
    t("perCredit", { price: format(amount / credits, { maximumFractionDigits: 3 }) }),
    t(isMonthly ? "untilCancelled" : "neverExpires")];
  // Subscriptions are the business of the stores: the host sells bundles.
  const isForSaleHere = hostSession().payment && !isMonthly;
  return h("li", { class: `product${isFirst ? " first" : ""}` },
    h("h3", { dir: "auto" }, product.title),
    h("ul", { class: "stack tight" },
      benefits.map((text) => h("li", { class: "note" }, icon("check"), h("span", {}, text)))),
    isForSaleHere ? buy : h("p", { class: "small muted" }, t("soldElsewhere")));
}

/** @param {Product} product @param {HTMLButtonElement} button @param {import("./error-box.js").ErrorBox} error */
async function pay(product, button, error) {
  button.disabled = true;
  error.show(null);
  try {
    const { url } = await post("/checkout", { productId: product.id });
    location.assign(url);
  } catch (thrown) {
    button.disabled = false;
    error.show(asApiError(thrown));
  }
}
