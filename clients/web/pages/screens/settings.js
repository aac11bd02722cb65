// How shall the pages and the service behave? The language, who makes the pictures, the keys, and what is kept.
import { asApiError, get } from "../api.js";
import { errorBox } from "../components/error-box.js";
import { keyForm } from "../components/key-form.js";
import { providerList } from "../components/provider-list.js";
import { h, icon, useStyle } from "../dom.js";
import { forgetProviders, listProviders, providerTitle, withoutKeyless } from "../providers.js";
import { chooseLanguage, currentLanguage, LANGUAGES, t } from "../words.js";

/** @typedef {import("../types").CredentialStatus} CredentialStatus */

/** @param {import("../types").ScreenContext} context */
export default async function settings({ signal, session }) {
  await useStyle("settings");
  const place = h("div", { class: "stack" });

  async function drawProviders() {
    try {
      forgetProviders();
      // Keys belong to whoever runs the host; in the public way there is nothing to set.
      const [providers, keys] = await Promise.all([listProviders(),
        session.mode === "personal" ? get("/credentials", undefined, signal) : { providers: [] }]);
      place.replaceChildren(providerList(withoutKeyless(providers), (provider) => {
        const status = keys.providers.find((/** @type {CredentialStatus} */ each) => each.provider === provider.id);
        return status ? keyForm(status, providerTitle(provider), drawProviders) : "";
      }));
    } catch (thrown) {
      if (!signal.aborted) place.replaceChildren(errorBox(asApiError(thrown), drawProviders));
    }
  }

  await drawProviders();
  const language = h("select", { id: "language", class: "input", onchange: () => chooseLanguage(language.value) },
    Object.entries(LANGUAGES).map(([tag, name]) => h("option", { value: tag, lang: tag }, name)));
  language.value = currentLanguage();
  const privacy = [["shield", t("privacy.local")], ["cloud", t("privacy.cloud")], ["clock", t("privacy.prepared")],
    ["info", t("privacy.page")],
    ["pin", t(session.map?.tiles ? "privacy.tiles" : "privacy.noTiles")]];
  return h("section", { class: "page medium" }, h("h1", {}, t("settingsTitle")),
    h("div", { class: "field language" }, h("label", { for: "language" }, t("language")), language),
    h("section", { class: "stack" }, h("h2", {}, t("providers")), h("p", { class: "muted" }, t("providersText")), place),
    h("section", { class: "card stack" }, h("h2", {}, t("privacy")),
      h("ul", { class: "stack tight" },
        privacy.map(([name, text]) => h("li", { class: "note" }, icon(/** @type {any} */ (name)), h("span", {}, text)))),
      h("p", {}, h("a", { href: "/profile" }, t("toDelete")))),
    h("p", { class: "small muted center" }, `Atelier ${session.version}`));
}
