// Who will make it, where does the photo go, and what does it cost? Told before anything is sent.
import { asApiError, errorOfGeneration, post } from "../api.js";
import { afterPause } from "../after-pause.js";
import { h, icon } from "../dom.js";
import { likelyProvider, listProviders, providerTitle } from "../providers.js";
import { hostSession } from "../router.js";
import { dollarText, plural, t } from "../words.js";
import { errorBox } from "./error-box.js";

/** @typedef {import("../types").Estimate} Estimate */

/**
 * @param {() => Promise<Record<string, any> | null>} paramsOf the params of `generate`; null while something is missing
 * @param {object} options
 * @param {() => boolean} [options.usesPhoto] whether a photo goes along
 * @param {() => string} [options.recipe] what would be made; who would make it is told even while something is missing
 * @param {(name: string) => string} [options.told] what is said of the provider, in place of that it makes the picture
 * @param {(isAllowed: boolean) => void} options.onAnswer
 * @param {AbortSignal} options.signal
 */
export function estimateBox(paramsOf, { usesPhoto, recipe: recipeNow, told, onAnswer, signal }) {
  const lines = h("ul", { class: "estimate stack tight", "aria-live": "polite" });
  const refusal = errorBox();
  const terms = h("div", {});
  let asked = 0;

  async function askNow() {
    const mine = ++asked;
    const params = await paramsOf();
    if (!params) {
      show(null);
      const maker = recipeNow ? await likelyProvider(recipeNow()).catch(() => undefined) : undefined;
      if (maker && mine === asked) showMaker(maker, maker.id);
      return;
    }
    try {
      const [estimate, providers] = await Promise.all([post("/estimate", params, signal), listProviders()]);
      if (mine === asked) show(estimate, providers.find((provider) => provider.id === estimate.provider), params.recipe);
    } catch (error) {
      if (signal.aborted || mine !== asked) return;
      lines.replaceChildren();
      const problem = asApiError(error);
      refusal.show(problem, problem.retryable ? askNow : null);
      onAnswer(false);
    }
  }

  /** @param {Estimate | null} estimate @param {import("../types").Provider} [provider] @param {string} [recipe] */
  function show(estimate, provider, recipe) {
    lines.replaceChildren();
    terms.replaceChildren();
    const problem = estimate?.refusal ? errorOfGeneration(estimate.refusal) : null;
    refusal.show(problem, problem?.retryable ? askNow : null);
    if (problem?.kind === "consent_required") askForConsent();
    onAnswer(estimate?.allowed ?? false);
    if (!estimate) return;
    showMaker(provider, estimate.provider);
    const usdPerImage = provider?.offers?.find((offer) => offer.recipe === recipe)?.usdPerImage ?? 0;
    const usd = usdPerImage * Math.max(1, estimate.images);
    if (estimate.balance.metered) {
      lines.append(line("info", t("costs", { price: plural("credits", estimate.cost) })),
        line("person", plural("youHave", estimate.balance.available ?? 0)));
    } else if (usd > 0) {
      lines.append(line("info", t("costs", { price: t("aboutPrice", { price: dollarText(usd) }) })));
    } else if (provider?.local) {
      lines.append(line("info", t("free")));
    }
  }

  /** @param {import("../types").Provider | undefined} provider @param {string} id */
  function showMaker(provider, id) {
    const name = providerTitle(provider, id);
    const isLocal = provider?.local ?? false;
    lines.replaceChildren(line("wand", told ? told(name) : t("madeBy", { name })));
    if (usesPhoto?.()) lines.append(line(isLocal ? "shield" : "cloud", t(isLocal ? "photoStays" : "photoGoes", { name })));
  }

  /** The terms can be accepted where they are in the way. */
  async function askForConsent() {
    const { consentSection } = await import("./own-data.js");
    refusal.show(null);
    terms.replaceChildren(consentSection(hostSession(), undefined, askNow));
  }

  const soon = afterPause(askNow);
  return { element: h("div", { class: "stack tight" }, lines, terms, refusal), update: soon };
}

/** @param {Parameters<typeof icon>[0]} name @param {string} text */
const line = (name, text) => h("li", { class: "note" }, icon(name), h("span", { dir: "auto" }, text));
