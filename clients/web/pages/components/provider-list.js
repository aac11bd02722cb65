// Who may make the pictures, and who is asked first? The order is moved by buttons, which work with every input.
import { h, icon } from "../dom.js";
import { providerOrder, providerTitle, setProviderOrder } from "../providers.js";
import { dateText, dollarText, t } from "../words.js";
import { hostSession } from "../router.js";
import { recipeName } from "./history-row.js";
import { pills } from "./pills.js";

/** @typedef {import("../types").Provider} Provider */

/**
 * @param {Provider[]} providers
 * @param {(provider: Provider) => Element | ""} keyOf what stands below a provider, for its key
 */
export function providerList(providers, keyOf) {
  // In a shop, what a picture costs is said in credits, before it is made.
  const isPersonal = hostSession().mode === "personal";
  let order = providerOrder();
  const list = h("ol", { class: "providers" });

  /** @param {string[] | null} wanted @param {string} [focus] the name of the button that keeps the focus */
  function set(wanted, focus) {
    order = wanted;
    setProviderOrder(order);
    draw();
    if (focus) /** @type {HTMLElement | null} */ (list.querySelector(`[data-name="${focus}"]`))?.focus();
  }

  function draw() {
    const position = (/** @type {Provider} */ { id }) => (order?.includes(id) ? order.indexOf(id) : providers.length);
    const sorted = order ? [...providers].sort((one, other) => position(one) - position(other)) : providers;
    list.replaceChildren(...sorted.map((provider, at) => item(provider, at, sorted)));
  }

  /** @param {Provider} provider @param {number} at @param {Provider[]} sorted */
  function item(provider, at, sorted) {
    const title = providerTitle(provider);
    /** @param {number} to @param {"up" | "down"} name */
    const move = (to, name) => h("button",
      { class: "icon-button", "data-name": `${name}-${provider.id}`, disabled: to < 0 || to >= sorted.length,
      "aria-label": t(name === "up" ? "moveUp" : "moveDown", { name: title }), onclick: () => {
        const ids = sorted.map(({ id }) => id);
        [ids[at], ids[to]] = [ids[to], ids[at]];
        set(ids, `${name}-${provider.id}`);
      } }, icon(name === "up" ? "up" : "down"));
    const price = isPersonal ? provider.offers?.find((offer) => offer.usdPerImage)?.usdPerImage : undefined;
    const facts = [provider.recipes.map(recipeName).join(", "), provider.local && isPersonal ? t("free") : price
      ? t("aboutPerPicture", { price: dollarText(price) }) : ""];
    return h("li", { class: "card stack" },
      h("div", { class: "row between provider-head" },
        h("div", { class: "grow" }, h("h3", { dir: "auto" }, order ? `${at + 1}. ` : "", title),
          h("p", { class: "small muted" }, facts.filter(Boolean).join(" · "))),
        order ? h("div", { class: "row" }, move(at - 1, "up"), move(at + 1, "down")) : null),
      h("p", { class: `note ${provider.available ? "good" : "warn"}` }, icon(provider.available ? "check" : "warning"),
        h("span", { dir: "auto" }, provider.available ? t("available") : provider.reason ?? t("notAvailable"),
          provider.cooldownUntil ? ` ${t("pausedUntil", { date: dateText(provider.cooldownUntil) })}` : "")),
      h("p", { class: "note" }, icon(provider.local ? "shield" : "cloud"),
        h("span", {}, t(provider.local ? "photoStays" : "photoGoes", { name: title }))),
      keyOf(provider));
  }

  draw();
  const ways = [{ value: "auto", title: t("orderAuto") }, { value: "own", title: t("orderOwn") }];
  return h("div", { class: "stack" },
    pills(t("order"), ways, order ? "own" : "auto", (way) => set(way === "own" ? providers.map(({ id }) => id) : null)),
      list);
}
