// How is a haircut chosen? By words, by pictures, from the library, or by all of them at once; the same screen also
// changes a photo in another way, or makes a picture from words alone.
import { asApiError, imageAddress, photoAddress } from "../api.js";
import { errorBox } from "../components/error-box.js";
import { estimateBox } from "../components/estimate.js";
import { hairstyleLibrary } from "../components/hairstyle-library.js";
import { pills } from "../components/pills.js";
import { referencePictures } from "../components/reference-pictures.js";
import { h, icon, useStyle } from "../dom.js";
import { providerChoice, unavailableNotice } from "../providers.js";
import { setTitle } from "../router.js";
import { send } from "../sending.js";
import { currentPhoto, recall, remember, setNextAfterPhoto } from "../state.js";
import { plural, t } from "../words.js";

/** @typedef {"hairstyle" | "edit" | "create"} Mode */
/**
 * What was chosen here.
 * @typedef {object} Choices
 * @property {Mode} mode
 * @property {string} prompt
 * @property {{ id: string, name: string }} [template]
 * @property {import("../components/reference-pictures.js").Reference[]} references
 * @property {"one" | "views" | "variations"} shape
 * @property {number} count
 * @property {boolean} waits whether the request may wait for a provider that cannot be reached
 */

/** @type {Record<Mode, string>} */
const TITLES = { hairstyle: "haircutTitle", edit: "editTitle", create: "createTitle" };

/** @type {Choices} */
const DEFAULTS = { mode: "hairstyle", prompt: "", references: [], shape: "one", count: 2, waits: true };

/** @param {import("../types").ScreenContext} context */
export default async function haircut({ query, signal, session }) {
  await useStyle("haircut");
  /** @type {Choices} */
  const chosen = { ...DEFAULTS, ...recall("haircut") };
  const mode = query.get("mode");
  if (mode === "edit" || mode === "create" || mode === "hairstyle") chosen.mode = mode;
  const base = baseOf(query);

  const refusal = errorBox();
  const make = h("button", { class: "button large wide", type: "submit", disabled: true });
  const notice = h("div", {});
  const estimate = estimateBox(async () => (missing() ? null : { ...params(), ...await providerChoice(chosen.mode) }), {
    recipe: () => chosen.mode,
    usesPhoto: () => chosen.mode !== "create" || chosen.references.length > 0,
    onAnswer: (isAllowed) => { make.disabled = !isAllowed; },
    signal,
  });

  const photo = photoCard(base, query);
  const chip = h("div", { class: "row chosen" });
  const prompt = h("textarea", { id: "prompt", class: "input", rows: 3, maxlength: 8000, dir: "auto", value: chosen.prompt,
    oninput: () => change({ prompt: prompt.value }) });
  const promptLabel = h("label", { for: "prompt" });
  const library = hairstyleLibrary(chosen.template?.id, (template) => {
    change({ template: template ? { id: template.id, name: template.name } : undefined });
  }, signal);
  const librarySection = h("section", { class: "stack library" }, h("h2", {}, t("library")), library.element);
  const output = h("div", { class: "stack" });
  const heading = h("h1", {});
  const missingNote = h("p", { class: "small muted" });

  /** @param {Partial<Choices>} some */
  function change(some) {
    Object.assign(chosen, some);
    remember("haircut", chosen);
    draw("mode" in some || "shape" in some);
  }

  /** What has to be chosen before anything can be made, as a sentence; "" if nothing is missing. */
  function missing() {
    if (chosen.mode !== "create" && !base) return t("needsPhoto");
    if (chosen.mode === "hairstyle") {
      return chosen.prompt.trim() || chosen.template || chosen.references.length > 0 ? "" : t("needsHaircut");
    }
    return chosen.prompt.trim() ? "" : t("needsWords");
  }

  function params() {
    const { mode: recipe, template, references, shape, count, waits } = chosen;
    const isStyle = recipe === "hairstyle";
    return {
      recipe,
      image: recipe === "create" ? undefined : base,
      prompt: chosen.prompt.trim() || undefined,
      templateId: isStyle ? template?.id : undefined,
      references: references.length > 0 ? references.map(({ preparedId }) => ({ preparedId })) : undefined,
      output: shape === "views" && isStyle ? { mode: "multiAngle" } : shape === "variations" ? { count } : undefined,
      whenOffline: waits ? "queue" : undefined,
    };
  }

  /** @param {boolean} isNewForm whether other fields are shown than before */
  function draw(isNewForm) {
    const { mode: recipe, template, shape, count } = chosen;
    if (isNewForm) {
      heading.textContent = t(TITLES[recipe]);
      setTitle(heading.textContent);
      photo.hidden = recipe === "create";
      librarySection.hidden = recipe !== "hairstyle";
      promptLabel.textContent = t(`prompt.${recipe}`);
      prompt.placeholder = t(`promptExample.${recipe}`);
      drawOutput();
      unavailableNotice(recipe, session).then((found) => notice.replaceChildren(...(found ? [found] : [])), () => {});
    }
    chip.hidden = !template || recipe !== "hairstyle";
    chip.replaceChildren(h("span", { class: "badge", dir: "auto" }, template?.name ?? ""),
      h("button", { class: "link small", type: "button", onclick: () => { library.clear(); prompt.focus(); } },
        t("withoutTemplate")));
    const images = shape === "views" && recipe === "hairstyle" ? 4 : shape === "variations" ? count : 1;
    make.replaceChildren(icon(recipe === "hairstyle" ? "scissors" : "wand"), plural("makePictures", images));
    missingNote.textContent = missing();
    make.disabled = true;
    estimate.update();
  }

  function drawOutput() {
    /** @type {import("../components/pills.js").Choice<Choices["shape"]>[]} */
    const shapes = [{ value: "one", title: t("outSingle") }, { value: "variations", title: t("outVariations") }];
    if (chosen.mode === "hairstyle") shapes.splice(1, 0, { value: "views", title: t("outViews") });
    const shape = shapes.some(({ value }) => value === chosen.shape) ? chosen.shape : "one";
    const hadFocus = output.contains(document.activeElement);
    output.replaceChildren(pills(t("whatToMake"), shapes, shape, (value) => change({ shape: value })));
    if (shape === "variations") {
      output.append(pills(t("howMany"), ["2", "3", "4"].map((value) => ({ value, title: value })), String(chosen.count),
        (value) => change({ count: Number(value) })));
    }
    if (shape === "views") output.append(h("p", { class: "small muted" }, t("viewsHelp")));
    if (hadFocus) /** @type {HTMLElement | null} */ (output.querySelector("input:checked"))?.focus();
  }

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    make.disabled = true;
    refusal.show(null);
    try {
      await send("/generate", { ...params(), ...await providerChoice(chosen.mode) });
    } catch (thrown) {
      refusal.show(asApiError(thrown));
      make.disabled = false;
    }
  }

  /** @type {Mode[]} */
  const modes = ["hairstyle", "edit", "create"];
  const waits = h("input", { type: "checkbox", checked: chosen.waits, onchange: () => change({ waits: waits.checked }) });
  const form = h("form", { class: "haircut", onsubmit: submit },
    h("div", { class: "stack" }, photo,
      h("div", { class: "field" }, promptLabel, prompt, chip),
      referencePictures(chosen.references, (references) => change({ references }), signal)),
    h("div", { class: "stack order" }, output,
      h("label", { class: "row check" }, waits, h("span", { class: "grow small" }, t("mayWait"))),
      missingNote, estimate.element, refusal, make),
    librarySection);
  draw(true);
  return h("section", { class: "page" }, heading,
    pills(t("mode"), modes.map((value) => ({ value, title: t(`mode.${value}`) })), chosen.mode,
      (value) => change({ mode: value })), notice, form);
}

/**
 * The photo or the result to work on.
 * @param {URLSearchParams} query
 */
function baseOf(query) {
  const from = query.get("from");
  if (from) return { generationId: from, index: Number(query.get("index") ?? 0) };
  const photo = currentPhoto();
  return photo ? { preparedId: photo.preparedId } : undefined;
}

/** @param {ReturnType<typeof baseOf>} base @param {URLSearchParams} query */
function photoCard(base, query) {
  const choose = () => setNextAfterPhoto("/haircut");
  if (!base) {
    return h("a", { class: "card photo-missing", href: "/capture", onclick: choose }, icon("camera"),
      h("strong", {}, t("choosePhoto")), h("span", { class: "small muted" }, t("choosePhotoHelp")));
  }
  const source = base.generationId ? imageAddress(base.generationId, base.index ?? 0, 640)
    : photoAddress(base.preparedId ?? "");
  return h("div", { class: "row photo-chosen" },
    h("img", { class: "picture", src: source, alt: t(query.has("from") ? "resultToRefine" : "yourPhoto") }),
    h("div", { class: "stack tight grow" }, h("strong", {}, t(query.has("from") ? "resultToRefine" : "yourPhoto")),
      h("a", { href: "/capture", onclick: choose }, t("otherPhoto"))));
}
