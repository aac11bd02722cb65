// Who makes the picture? What each provider is, where the photo would go, and why some cannot be used now.
import { h, icon } from "../dom.js";
import { providerTitle, withoutKeyless } from "../providers.js";
import { t } from "../words.js";

/** @typedef {import("../types").Provider} Provider */
let groups = 0;

/**
 * The providers that can make a recipe, as a list to choose from; those that cannot be used now say why.
 * @param {Provider[]} providers
 * @param {string} recipe
 * @param {string | undefined} chosen
 * @param {(id: string) => void} change
 */
export function makerField(providers, recipe, chosen, change) {
  const able = withoutKeyless(providers).filter((provider) => provider.recipes.includes(/** @type {any} */ (recipe)));
  const group = `maker-${groups += 1}`;
  const current = chosen ?? able.find((provider) => offer(provider, recipe)?.isDefault)?.id;
  const cards = able.map((provider) => h("label", { class: "maker" },
    h("input", {
      type: "radio", name: group, value: provider.id, checked: provider.id === current, disabled: !provider.available,
      onchange: () => change(provider.id),
    }),
    h("span", { class: "maker-card" }, icon(provider.local ? "shield" : "cloud"),
      h("span", { class: "stack maker-text" }, h("strong", {}, providerTitle(provider)),
        h("span", { class: "muted small" }, provider.available ? t(provider.local ? "makerLocal" : "makerCloud")
          : provider.reason)))));
  const missing = able.some((provider) => provider.needsKey && !provider.available);
  return h("fieldset", { class: "field" }, h("legend", {}, t("whoMakesIt")), h("div", { class: "stack tight" }, cards),
    missing ? h("p", { class: "small" }, h("a", { href: "/settings" }, t("setKeys"))) : null);
}

/**
 * @param {Provider | undefined} provider
 * @param {string} recipe
 */
function offer(provider, recipe) {
  return provider?.offers?.find((one) => one.recipe === recipe);
}
