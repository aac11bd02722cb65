// Which pictures show how it should look? Up to two, chosen, dropped or pasted, and prepared by the host.
import { ask, asApiError, photoAddress } from "../api.js";
import { h, icon } from "../dom.js";
import { t } from "../words.js";
import { errorBox } from "./error-box.js";

/** @typedef {{ preparedId: string, expiresAt?: string }} Reference */
const MOST = 2;

/**
 * @param {Reference[]} initial
 * @param {(references: Reference[]) => void} onChange
 * @param {AbortSignal} signal
 */
export function referencePictures(initial, onChange, signal) {
  let references = initial.filter((each) => !each.expiresAt || Date.parse(each.expiresAt) > Date.now());
  let loading = 0;
  const error = errorBox();
  const input = h("input", { type: "file", accept: "image/*,.heic,.heif", multiple: true, class: "hidden-text",
    "aria-label": t("addReference"),
    onchange: () => {
      add([...(input.files ?? [])]);
      input.value = "";
    } });
  const slots = h("div", { class: "references" });

  function draw() {
    const shown = references.map((each, at) => h("div", { class: "reference picture" },
      h("img", { src: photoAddress(each.preparedId), alt: t("referenceNumber", { number: at + 1 }) }),
      h("button", { class: "icon-button", type: "button", "aria-label": t("removeReference", { number: at + 1 }),
        onclick: () => remove(at) },
        icon("close"))));
    const waiting = Array.from({ length: loading }, () => h("div", { class: "reference picture" },
      h("div", { class: "spinner small", role: "img", "aria-label": t("loading") })));
    const free = references.length + loading < MOST
      ? h("label", { class: "reference add" }, input, icon("plus"), h("span", { class: "small" }, t("addReference"))) : null;
    slots.replaceChildren(...shown, ...waiting, ...(free ? [free] : []));
  }

  /** @param {number} at */
  function remove(at) {
    references = references.filter((_, index) => index !== at);
    draw();
    input.focus();
    onChange(references);
  }

  /** @param {File[]} files */
  async function add(files) {
    const pictures = files.filter((file) => file.type.startsWith("image/") || /\.hei[cf]$/i.test(file.name));
    const taken = pictures.slice(0, MOST - references.length - loading);
    if (taken.length === 0) return;
    error.show(null);
    loading += taken.length;
    draw();
    await Promise.all(taken.map(async (file) => {
      try {
        const { preparedId, expiresAt } = await ask("POST", "/photos", { body: file, signal });
        references = [...references, { preparedId, expiresAt }];
      } catch (thrown) {
        if (!signal.aborted) error.show(asApiError(thrown));
      } finally {
        loading -= 1;
      }
    }));
    draw();
    onChange(references);
  }

  const element = h("div", { class: "field", ondragover: (/** @type {DragEvent} */ event) => event.preventDefault(),
    ondrop: (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      add([...(event.dataTransfer?.files ?? [])]);
    } }, h("span", { class: "label" }, t("references")), slots, h("p", { class: "small muted" }, t("referencesHelp")),
      error);
  document.addEventListener("paste", (event) => add([...(event.clipboardData?.files ?? [])]), { signal });
  draw();
  return element;
}
