// What does an authority ask of a photo? A country, or a size of one's own; how high the head is; exact pixels.
import { h } from "../dom.js";
import { currentLanguage, t } from "../words.js";

/** @typedef {import("../state.js").StyleChoices} StyleChoices */
/** @typedef {import("../types").OutputChoices} OutputChoices */
/** @typedef {import("../types").PassportPreset} PassportPreset */

/** Stands for a size that is written. */
const OTHER = "";

let fields = 0;

/**
 * @param {StyleChoices} chosen
 * @param {OutputChoices} output
 * @param {(change: Partial<StyleChoices>) => void} set
 */
export function passportFields(chosen, output, set) {
  const common = output.passportSizes.map(String);
  const presets = output.passportPresets ?? [];
  const size = chosen.passportSize ?? common[0];
  const isListed = common.includes(size) || presets.some(({ id }) => id === size);
  const id = `passport-${fields += 1}`;
  const list = h("select", { class: "input", id, onchange: () => set({ passportSize: list.value, headHeight: undefined }) },
    common.map((value) => option(value, t(`passport.${value}`), value === size)),
    presets.map((preset) => [titleOf(preset), preset.id]).sort(([one], [other]) => one.localeCompare(other))
      .map(([title, value]) => option(value, title, value === size)),
    option(OTHER, t("passportOther"), !isListed));
  return [
    h("div", { class: "field" }, h("label", { for: id }, t("passportSize")), list),
    ...(isListed ? [] : [textField(t("passportWritten"), size, "36x47", (passportSize) => set({ passportSize }))]),
    textField(t("headHeight"), chosen.headHeight, "26-30", (text) => set({ headHeight: text || undefined })),
    textField(t("exactPixels"), chosen.pixels, "600x750", (text) => set({ pixels: text || undefined })),
  ];
}

/**
 * The limits of a portal on the file.
 * @param {StyleChoices} chosen
 * @param {boolean} hasLeast whether the format can be filled up
 * @param {(change: Partial<StyleChoices>) => void} set
 */
export function byteFields(chosen, hasLeast, set) {
  const most = textField(t("maxKilobytes"), kilobytes(chosen.maxBytes), "240", (text) => set({ maxBytes: bytes(text) }),
    "decimal");
  if (!hasLeast) return [most];
  return [most,
    textField(t("minKilobytes"), kilobytes(chosen.minBytes), "20", (text) => set({ minBytes: bytes(text) }), "decimal")];
}

/**
 * What a preset is called: a country by the browser's words, anything else by the service's.
 * @param {PassportPreset} preset
 */
function titleOf({ id, title, size }) {
  const country = /^[a-z]{2}$/.test(id)
    ? new Intl.DisplayNames([currentLanguage()], { type: "region", fallback: "none" }).of(id.toUpperCase()) : undefined;
  return `${country ?? title} (${size})`;
}

/** @param {string} value @param {string} title @param {boolean} selected */
const option = (value, title, selected) => h("option", { value, selected }, title);

/**
 * @param {string} name
 * @param {string | undefined} value
 * @param {string} example
 * @param {(text: string) => void} change
 * @param {string} [inputmode]
 */
function textField(name, value, example, change, inputmode) {
  const id = `passport-${fields += 1}`;
  const input = h("input", { class: "input", id, value: value ?? "", placeholder: example, maxlength: "32", inputmode,
    autocomplete: "off", onchange: () => change(input.value.trim()) });
  return h("div", { class: "field" }, h("label", { for: id }, name), input);
}

/** @param {number | undefined} bytes */
const kilobytes = (bytes) => (bytes === undefined ? undefined : String(bytes / 1000));

/** @param {string} text */
function bytes(text) {
  const number = Number(text.replace(",", "."));
  return text && Number.isFinite(number) ? Math.round(number * 1000) : undefined;
}
