// Who is asked, and in which order? The person may choose an order in Settings; it is kept in this browser and goes along
// with each request. Without one, the service chooses.
import { get } from "./api.js";
import { h, icon } from "./dom.js";
import { hostSession } from "./router.js";
import { t } from "./words.js";

/** @typedef {import("./types").Provider} Provider */
const ORDER = "providers";

/** @type {Promise<Provider[]> | null} */
let known = null;

/**
 * The providers of the service, asked for once; after a change of keys, once more.
 * @returns {Promise<Provider[]>}
 */
export function listProviders() {
  known ??= get("/providers").then((answer) => answer.providers, (error) => {
    known = null;
    throw error;
  });
  return known;
}

/**
 * The name of a provider, by the same word on every screen. One that works where Atelier itself runs is not on the device
 * of who looks at the page of a shop.
 * @param {Provider | undefined} provider
 * @param {string} [id] what to show of a provider that is not known
 */
export function providerTitle(provider, id = "") {
  if ((provider?.id ?? id) !== "ondevice") return provider?.title ?? id;
  return t(isShop() ? "provider.inStudio" : "provider.ondevice");
}

/** Whether keys are the operator's, who is somebody else than the person here. */
const isShop = () => hostSession().mode === "public";

/**
 * The providers that the person here has to do with: in a shop, nobody who chooses can set a key.
 * @param {Provider[]} providers
 */
export const withoutKeyless = (providers) => providers.filter((provider) => !(isShop() && provider.needsKey));

/** Has the providers asked for again, because a key has changed. */
export function forgetProviders() {
  known = null;
}

/**
 * The order that the person chose, or null for the service's own.
 * @returns {string[] | null}
 */
export function providerOrder() {
  try {
    const order = JSON.parse(localStorage.getItem(ORDER) ?? "null");
    return Array.isArray(order) && order.length > 0 ? order : null;
  } catch {
    return null;
  }
}

/** @param {string[] | null} order */
export function setProviderOrder(order) {
  if (order) localStorage.setItem(ORDER, JSON.stringify(order));
  else localStorage.removeItem(ORDER);
}

/**
 * The `provider` of a request, as the chosen order has it. Providers that cannot make the recipe are left out, because the
 * service refuses a list that names them.
 * @param {string} recipe
 * @returns {Promise<{ provider?: string[] }>}
 */
export async function providerChoice(recipe) {
  const order = providerOrder();
  if (!order) return {};
  const able = (await listProviders()).filter((provider) => provider.recipes.includes(recipe) && !provider.needsKey);
  const chosen = order.filter((id) => able.some((provider) => provider.id === id));
  return chosen.length > 0 ? { provider: chosen } : {};
}

/**
 * Who would be asked for a recipe as things are: the first of the chosen order, else the service's own choice.
 * @param {string} recipe
 * @returns {Promise<Provider | undefined>}
 */
export async function likelyProvider(recipe) {
  const [all, { provider: order }] = await Promise.all([listProviders(), providerChoice(recipe)]);
  const able = all.filter((one) => one.available && one.recipes.includes(/** @type {any} */ (recipe)));
  const isDefault = (/** @type {Provider} */ one) => one.offers?.find((offer) => offer.recipe === recipe)?.isDefault;
  const chosen = order?.map((id) => able.find((one) => one.id === id)).find((one) => one);
  return chosen ?? able.find(isDefault) ?? able[0];
}

/**
 * A notice that the recipe cannot be made by anybody now, with each provider's own reason; null if it can be made.
 * @param {string} recipe
 * @param {import("./types").HostSession} session
 */
export async function unavailableNotice(recipe, session) {
  const able = withoutKeyless(await listProviders()).filter((provider) => provider.recipes.includes(recipe));
  if (able.some((provider) => provider.available)) return null;
  const reasons = able.map((provider) => h("li", { dir: "auto" }, h("strong", {}, providerTitle(provider)), " ",
    provider.reason ?? ""));
  // In the public way nobody who reads this can set a key.
  const needsKey = session.mode === "personal" && able.some((provider) => provider.needsKey);
  return h("section", { class: "card stack unavailable" },
    h("h2", {}, icon("warning"), t(needsKey ? "keyNeededTitle" : "nobodyTitle")),
    needsKey ? h("p", { class: "muted" }, t("keyNeeded")) : null,
    reasons.length > 0 ? h("ul", { class: "stack tight" }, reasons) : null,
    needsKey ? h("a", { class: "button", href: "/settings" }, t("openSettings")) : null);
}
