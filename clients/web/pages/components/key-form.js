// How is a provider's key set, replaced or removed? It goes to the host once, and is never shown again.
import { asApiError, put, remove } from "../api.js";
import { h, icon } from "../dom.js";
import { t } from "../words.js";
import { errorBox } from "./error-box.js";
import { confirm } from "./sheet.js";

/**
 * Where a key is made: the providers' own pages.
 * @type {Record<string, string>}
 */
const PAGES = { gemini: "https://aistudio.google.com/apikey", openai: "https://platform.openai.com/api-keys" };

/**
 * @param {import("../types").CredentialStatus} status
 * @param {string} title of the provider
 * @param {() => void} onChange
 */
export function keyForm(status, title, onChange) {
  const { provider } = status;
  const error = errorBox();
  const remark = h("p", { class: "small muted", role: "status", dir: "auto" }, status.reason ?? status.note ?? "");
  const field = h("input", { id: `key-${provider}`, class: "input", type: "password", autocomplete: "off",
    spellcheck: "false", required: true });
  const save = h("button", { class: "button quiet", type: "submit" }, t(status.configured ? "replaceKey" : "saveKey"));

  /** @param {() => Promise<any>} action */
  async function change(action) {
    save.disabled = true;
    error.show(null);
    try {
      const answer = await action();
      field.value = "";
      if (answer?.note) remark.textContent = answer.note;
      onChange();
    } catch (thrown) {
      const problem = asApiError(thrown);
      // This is where the settings are: no way to them is needed.
      problem.kind = "key_refused";
      error.show(problem);
    }
    save.disabled = false;
  }

  const isOurs = status.configured && status.source !== "environment";
  const erase = isOurs ? h("button", { class: "link", type: "button", onclick: async () => {
    if (await confirm(t("removeKeyAsk", { name: title }), t("removeKeyText"), t("removeKey"))) {
      change(() => remove(`/credentials/${provider}`));
    }
  } }, t("removeKey")) : null;
  const page = PAGES[provider];
  return h("form", { class: "stack tight", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    change(() => put(`/credentials/${provider}`, { key: field.value.trim() }));
  } },
  h("div", { class: "field" }, h("label", { for: field.id }, t("keyOf", { name: title })),
    status.configured ? h("p", { class: "note" }, icon("check"), h("span", {}, where(status))) : null,
    h("div", { class: "key-row" }, field, save)),
  remark.textContent ? remark : null, error,
  h("div", { class: "row small" }, erase, page
    ? h("a", { href: page, target: "_blank", rel: "noreferrer noopener" }, t("getKey")) : null));
}

/** @param {import("../types").CredentialStatus} status */
function where({ source, masked, environmentVariable }) {
  const key = masked ? `•••• ${masked.replace(/^…/, "")}` : "••••";
  return t(`stored.${source ?? "file"}`, { key, variable: environmentVariable ?? "" });
}
