// How far is the picture? The id in the address is all that this screen needs: it survives a reload, another tab, and a
// host that was started anew.
import { asApiError, errorOfGeneration, get, originalAddress, photoAddress, post } from "../api.js";
import { errorBox } from "../components/error-box.js";
import { phaseList } from "../components/phases.js";
import { progressBar } from "../components/progress-bar.js";
import { announce, h, icon, useStyle } from "../dom.js";
import { go, setTitle } from "../router.js";
import { send } from "../sending.js";
import { currentPhoto, remember } from "../state.js";
import { isOver, watch } from "../watching.js";
import { plural, t, waitText } from "../words.js";

/** @typedef {import("../types").GenerationResult} Generation */

/** @type {import("../types").Screen} */
export default async function making({ id, signal }) {
  await useStyle("making");
  const place = h("section", { class: "page narrow making" }, h("h1", {}, t("makingTitle")), h("div", { class: "spinner" }));
  look();
  return place;

  async function look() {
    try {
      /** @type {Generation} */
      const generation = await get(`/generations/${encodeURIComponent(id)}`, undefined, signal);
      if (generation.recipe === "places") return go(`/places/${id}`, { replace: true });
      if (isOver(generation)) return end(generation);
      place.replaceChildren(...follow(generation));
    } catch (error) {
      if (signal.aborted) return;
      place.replaceChildren(h("h1", {}, t("makingTitle")), errorBox(asApiError(error), look));
      // The host was started anew, perhaps: it is asked again until it answers.
      if (asApiError(error).isLost) setTimeout(() => !signal.aborted && look(), 2000);
    }
  }

  /** @param {Generation} generation */
  function end(generation) {
    if (generation.images.length > 0) return go(`/result/${id}`, { replace: true });
    place.replaceChildren(...ended(generation));
    const name = place.querySelector("h1")?.textContent ?? "";
    setTitle(name);
    announce(name);
  }

  /** @param {Generation} generation */
  function follow(generation) {
    const bar = progressBar(t("makingTitle"));
    const phases = phaseList(generation.provider === "ondevice");
    const doing = h("p", { class: "doing", dir: "auto" });
    const left = h("p", { class: "muted number" });
    const lost = h("p", { class: "note warn", hidden: true }, icon("warning"), h("span", {}, t("hostGone")));
    const problem = errorBox();
    const cancel = h("button", { class: "button quiet", onclick: stop }, t("cancel"));
    let phase = "";

    /** @param {import("../types").ProgressEvent} progress */
    function show(progress) {
      bar.set(progress.overall, progress.message);
      // Whoever waits in another tab reads it there.
      document.title = `${Math.round(progress.overall * 100)} % · ${t("makingTitle")}`;
      doing.textContent = progress.message;
      left.textContent = progress.queuePosition ? plural("queuePosition", progress.queuePosition)
        : progress.etaMs === undefined ? "" : t("timeLeft", { time: waitText(progress.etaMs) });
      phases.show(progress.phase);
      // Screen readers hear each phase once, not every number.
      if (progress.phase !== phase) announce(progress.message);
      phase = progress.phase;
    }

    async function stop() {
      cancel.disabled = true;
      try {
        end(await post(`/generations/${encodeURIComponent(id)}/cancel`));
      } catch (error) {
        // It may have ended in the meantime: the stream says so.
        if (asApiError(error).kind !== "already_finished") problem.show(asApiError(error), stop);
        cancel.disabled = false;
      }
    }

    if (generation.progress) show({ generationId: id, state: generation.state, elapsedMs: 0, ...generation.progress });
    else bar.set(null);
    watch(id, {
      progress: show, finished: end, refused: (error) => problem.show(error),
      gone: () => { lost.hidden = false; }, back: () => { lost.hidden = true; },
    }, signal);
    return [h("h1", {}, t("makingTitle")), sourcePicture(generation), bar,
      h("div", { class: "row between" }, doing, left), phases.element, lost, problem, h("div", { class: "row" }, cancel),
      h("p", { class: "muted small" }, t("makingMayLeave"))];
  }

  /**
   * What ended without a picture: why, and the ways on.
   * @param {Generation} generation
   */
  function ended(generation) {
    const error = generation.error ? errorOfGeneration(generation.error) : null;
    const problem = errorBox();
    // What the photo is the reason for comes again with the same photo.
    const hope = !error || error.retryable;
    const again = h("button", { class: "button", onclick: repeat }, icon("again"), t("tryAgain"));
    async function repeat() {
      again.disabled = true;
      try {
        await send("/regenerate", { generationId: id });
      } catch (thrown) {
        problem.show(asApiError(thrown));
        again.disabled = false;
      }
    }
    const change = () => {
      if (generation.recipe !== "headshot") return go("/haircut");
      if (!currentPhoto()) remember("regenerate", id);
      return go("/style");
    };
    return [h("h1", {}, t(`ended.${generation.state}`)),
      error ? errorBox(error) : h("p", { class: "muted" }, t("nothingCharged")), problem,
      h("div", { class: "row" }, hope ? again : null,
        h("a", { class: hope ? "button quiet" : "button", href: "/capture" }, t("otherPhoto")),
        h("button", { class: "button quiet", onclick: change }, t("changeChoices")))];
  }
}

/**
 * The photo that the picture is made from, where there is one to see.
 * @param {Generation} generation
 */
function sourcePicture(generation) {
  if (generation.recipe === "create") return h("div", { class: "picture glow empty" });
  const image = h("img", { src: originalAddress(generation.generationId, 640), alt: t("yourPhoto") });
  const figure = h("figure", { class: "picture glow" }, image);
  image.addEventListener("error", () => {
    const photo = currentPhoto();
    if (photo && !image.src.includes("/photos/")) image.src = photoAddress(photo.preparedId);
    else figure.classList.add("empty");
  });
  return figure;
}
