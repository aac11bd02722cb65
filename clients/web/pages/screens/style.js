// What should the portrait look like? Everything that can be chosen, and what comes of it, before anything is sent.
import { asApiError, get, originalAddress, photoAddress } from "../api.js";
import { angleField } from "../components/angle-field.js";
import { pills } from "../components/pills.js";
import { errorBox } from "../components/error-box.js";
import { estimateBox } from "../components/estimate.js";
import { makerField } from "../components/maker.js";
import { h, icon, useStyle } from "../dom.js";
import { providerChoice } from "../providers.js";
import { go } from "../router.js";
import { send } from "../sending.js";
import { currentPhoto, recall, remember, setStyleChoices, styleChoices } from "../state.js";
import { t } from "../words.js";
import { backgroundField } from "./style-background.js";
import { byteFields, passportFields } from "./style-passport.js";

/** @typedef {import("../state.js").StyleChoices} StyleChoices */
/** @typedef {import("../types").OutputChoices} OutputChoices */

/** @type {import("../types").Screen} */
export default async function style({ signal }) {
  const photo = currentPhoto();
  /** @type {string | null} The generation to make again with other choices; it brings its own photo. */
  const again = recall("regenerate");
  if (!photo && !again) {
    go("/capture", { replace: true });
    return h("div");
  }
  const [styles, { providers }, order] = await Promise.all([
    get("/styles", {}, signal), get("/providers", {}, signal), providerChoice("headshot"), useStyle("style"),
  ]);
  const chosen = styleChoices();
  const make = h("button", { class: "button large wide", disabled: true, onclick: submit }, icon("wand"), t("makePortrait"));
  const problem = errorBox();
  const estimate = estimateBox(async () => (again ? { regenerate: params() } : { recipe: "headshot", ...params() }), {
    usesPhoto: () => true, onAnswer: (isAllowed) => { make.disabled = !isAllowed; }, signal,
  });
  const shape = h("div", { class: "stack" });
  const background = h("div", {});

  /** @param {Partial<StyleChoices>} change */
  function set(change) {
    Object.assign(chosen, change);
    // Passports want white; whoever has chosen another background than the usual one keeps it.
    if (change.crop === "passport" && chosen.background === "auto") {
      chosen.background = "white";
      drawBackground();
    }
    setStyleChoices(chosen);
    drawShape();
    problem.show(null);
    estimate.update();
  }

  function params() {
    const source = again ? { generationId: again } : { image: { preparedId: photo?.preparedId } };
    return { ...source, ...order, ...paramsOf(chosen, isLocal()) };
  }

  function isLocal() {
    const id = chosen.provider ?? order.provider?.[0] ?? styles.styles[0]?.defaultProvider;
    return providers.find((/** @type {import("../types").Provider} */ one) => one.id === id)?.local ?? false;
  }

  function drawBackground() {
    background.replaceChildren(backgroundField(styles.backgrounds, chosen.background, (id) => set({ background: id })));
  }

  function drawShape() {
    const focused = document.activeElement instanceof HTMLInputElement ? document.activeElement : null;
    const place = focused && shape.contains(focused) ? [...shape.querySelectorAll("input")].indexOf(focused) : -1;
    shape.replaceChildren(...shapeFields(chosen, styles.output, isLocal(), set));
    // The fields are made anew; the focus stays on the one that was just changed.
    shape.querySelectorAll("input")[place]?.focus();
  }

  async function submit() {
    make.disabled = true;
    problem.show(null);
    try {
      await send(again ? "/regenerate" : "/generate", again ? params() : { recipe: "headshot", ...params() });
      remember("regenerate", null);
    } catch (thrown) {
      const error = asApiError(thrown);
      problem.show(error);
      problem.scrollIntoView({ block: "nearest" });
      setTimeout(() => { make.disabled = false; }, error.waitMs);
    }
  }

  const source = again ? originalAddress(again) : photoAddress(photo?.preparedId ?? "");
  const variations = ["1", "2", "3", "4"].map((value) => ({ value, title: value }));
  const screen = h("section", { class: "page style" },
    h("h1", { class: "style-title" }, t("styleTitle")),
    h("div", { class: "style-photo" },
      h("figure", { class: "picture" }, h("img", { src: source, alt: t("yourPhoto") })),
      h("a", { class: "link small", href: "/capture" }, t("otherPhoto"))),
    h("div", { class: "stack style-fields" },
      angleField(chosen.angle, (angle) => set({ angle })),
      background, shape,
      pills(t("variations"), variations, String(chosen.count), (count) => set({ count: Number(count) })),
      makerField(providers, "headshot", chosen.provider ?? order.provider?.[0], (provider) => set({ provider }))),
    h("div", { class: "style-send stack" }, estimate.element, problem, make));
  drawBackground();
  set({});
  return screen;
}

/**
 * The params that the choices stand for.
 * @param {StyleChoices} chosen
 * @param {boolean} isLocal
 */
export function paramsOf(chosen, isLocal) {
  const isPassport = isLocal && chosen.crop === "passport";
  const format = isLocal ? chosen.format ?? (chosen.background === "transparent" ? "png" : "jpeg") : undefined;
  const output = {
    count: chosen.count,
    crop: isLocal ? chosen.crop : undefined,
    passportSize: isPassport ? chosen.passportSize : undefined,
    headHeight: isPassport ? chosen.headHeight : undefined,
    aspectRatio: isLocal && chosen.crop ? undefined : chosen.aspectRatio,
    size: isPassport && chosen.pixels ? chosen.pixels : isLocal ? chosen.size : undefined,
    format: isLocal ? chosen.format : undefined,
    maxBytes: format === "jpeg" || format === "webp" ? chosen.maxBytes : undefined,
    minBytes: format === "jpeg" ? chosen.minBytes : undefined,
  };
  const style = { angle: chosen.angle, background: chosen.background };
  return { style, output, ...(chosen.provider ? { provider: chosen.provider } : {}) };
}

/**
 * Shape and size: a passport photo has both by rule, the whole photo has its own shape, and a provider elsewhere its own
 * sizes.
 * @param {StyleChoices} chosen
 * @param {OutputChoices | undefined} output
 * @param {boolean} isLocal
 * @param {(change: Partial<StyleChoices>) => void} set
 */
function shapeFields(chosen, output, isLocal, set) {
  if (!output) return [];
  const ratios = output.aspectRatios.map((value) => ({ value, title: value.replace(":", " : "), mark: ratioMark(value) }));
  const crops = output.crops.map((value) => ({ value: String(value), title: t(`crop.${value}`) }));
  const all = isLocal ? [...ratios, ...crops] : ratios;
  const current = (isLocal ? chosen.crop : undefined) ?? chosen.aspectRatio ?? output.aspectRatios[0];
  /** @type {Element[]} */
  const fields = [pills(t("shape"), all, current, (value) => set(value.includes(":")
    ? { aspectRatio: value, crop: undefined } : { crop: /** @type {any} */ (value) }))];
  if (!isLocal) return fields;
  const isPassport = chosen.crop === "passport";
  if (isPassport) fields.push(...passportFields(chosen, output, set));
  const sizes = [512, 1024, 2048].filter((size) => size >= output.minimumSize && size <= output.maximumSize)
    .map((size) => ({ value: String(size), title: t("pixels", { size }) }));
  if (!isPassport || !chosen.pixels) fields.push(pills(t("size"), sizes,
    chosen.size ?? String(output.defaultSize), (size) => set({ size })));
  const formats = output.formats.map((value) => ({ value: String(value), title: String(value).toUpperCase() }));
  const usual = chosen.background === "transparent" ? "png" : String(output.formats[0]);
  fields.push(pills(t("format"), formats, chosen.format ?? usual, (format) => set({ format })));
  const format = chosen.format ?? usual;
  if (format !== "png") fields.push(...byteFields(chosen, format === "jpeg", set));
  return fields;
}

/**
 * A small frame in the shape of a ratio.
 * @param {string} ratio
 */
function ratioMark(ratio) {
  const [width, height] = ratio.split(":").map(Number);
  const mark = h("i", { class: "ratio", "aria-hidden": "true" });
  mark.style.aspectRatio = `${width} / ${height}`;
  return mark;
}
