// What can be done with a picture? Save, share, make again, mark as a favourite, delete.
import { asApiError, imageAddress, patch, remove } from "../api.js";
import { errorBox } from "../components/error-box.js";
import { confirm, openSheet } from "../components/sheet.js";
import { showToast } from "../components/toast.js";
import { h, icon } from "../dom.js";
import { go } from "../router.js";
import { send } from "../sending.js";
import { remember, setStyleChoices, styleChoices } from "../state.js";
import { t } from "../words.js";
import { openPrintSheet } from "./result-sheet.js";

/** @typedef {import("../types").GenerationResult} Generation */
/** @typedef {import("../types").ResultImage} ResultImage */

/**
 * @param {Generation} generation
 * @param {() => ResultImage} current the picture that is looked at
 * @param {AbortSignal} signal
 */
export function resultActions(generation, current, signal) {
  const id = generation.generationId;
  const problem = errorBox();
  const save = h("a", { class: "button large grow" }, icon("download"), t("save"));
  const share = h("button", { class: "button large quiet", hidden: !navigator.canShare, onclick: shareFile },
    icon("share"), t("share"));
  const favourite = h("button", {
    class: "icon-button", "aria-pressed": String(generation.favorite === true), "aria-label": t("favourite"), onclick: mark,
  }, icon("heart"));
  const element = h("div", { class: "stack tight" },
    h("div", { class: "row" }, save, share),
    h("div", { class: "row between" },
      h("button", { class: "button quiet", onclick: again }, icon("again"), t("regenerate")),
      generation.recipe === "headshot" ? h("button", { class: "button quiet", onclick: print }, icon("printer"), t("print"))
        : null,
      h("div", { class: "row tight" }, favourite,
        h("button", { class: "icon-button", "aria-label": t("deletePicture"), onclick: erase }, icon("trash")))),
    problem);

  /** @param {ResultImage} image */
  function nameOf(image) {
    const day = generation.createdAt.slice(0, 10);
    const ending = image.mimeType.split("/")[1]?.replace("jpeg", "jpg") ?? "jpg";
    return `atelier-${generation.recipe}-${day}-${id.slice(-6)}-${image.index + 1}.${ending}`;
  }

  function print() {
    const { index } = current();
    openPrintSheet(id, index, `atelier-${id.slice(-6)}-${index + 1}`);
  }

  async function shareFile() {
    const image = current();
    try {
      const answer = await fetch(imageAddress(id, image.index), { signal });
      const file = new File([await answer.blob()], nameOf(image), { type: image.mimeType });
      if (navigator.canShare({ files: [file] })) await navigator.share({ files: [file] });
      else showToast(t("cannotShare"));
    } catch (error) {
      // The person has closed the sheet of the system.
      if (error instanceof DOMException && error.name === "AbortError") return;
      showToast(t("cannotShare"));
    }
  }

  async function mark() {
    const isMarked = favourite.getAttribute("aria-pressed") !== "true";
    favourite.setAttribute("aria-pressed", String(isMarked));
    try {
      await patch(`/generations/${id}`, { favorite: isMarked });
    } catch (error) {
      favourite.setAttribute("aria-pressed", String(!isMarked));
      problem.show(asApiError(error));
    }
  }

  async function erase() {
    if (!await confirm(t("deleteTitle"), t("deleteText"), t("deletePicture"))) return;
    try {
      await remove(`/generations/${id}`);
      await go("/history", { replace: true });
      showToast(t("deletedToast"));
    } catch (error) {
      problem.show(asApiError(error), erase);
    }
  }

  /** A headshot goes back to its choices; anything else is made again from the same photo, perhaps with other words. */
  function again() {
    if (generation.recipe !== "headshot") return againWithWords(generation);
    const { angle, background } = generation.style ?? {};
    setStyleChoices({ ...styleChoices(), angle: angleNumber(angle), background: background ?? styleChoices().background });
    remember("regenerate", id);
    return go("/style");
  }

  return {
    element,
    /** The picture that is looked at is another one now. */
    draw() {
      const image = current();
      save.href = imageAddress(id, image.index);
      save.setAttribute("download", nameOf(image));
    },
  };
}

/** @param {import("../types").Angle | undefined} angle */
function angleNumber(angle) {
  return typeof angle === "string" ? { left: -0.7, front: 0, right: 0.7 }[angle] : angle;
}

/** @param {Generation} generation */
function againWithWords(generation) {
  const problem = errorBox();
  const prompt = h("textarea", { class: "input", id: "again-prompt", maxlength: "8000", dir: "auto" });
  prompt.value = generation.prompt ?? "";
  const button = h("button", { class: "button", onclick: submit }, icon("again"), t("regenerate"));
  const close = openSheet(t("regenerate"), [
    h("div", { class: "field" }, h("label", { for: "again-prompt" }, t("factPrompt")), prompt), problem,
    h("div", { class: "row end" }, button),
  ]);
  async function submit() {
    button.disabled = true;
    problem.show(null);
    const words = prompt.value.trim();
    try {
      await send("/regenerate", { generationId: generation.generationId, ...(words ? { prompt: words } : {}) });
      close();
    } catch (error) {
      problem.show(asApiError(error));
      button.disabled = false;
    }
  }
}
