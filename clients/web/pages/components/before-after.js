// What has changed? The photo over the picture, up to a line that can be moved by finger, mouse and keys.
import { h } from "../dom.js";
import { errorBox } from "./error-box.js";
import { showPicture } from "./picture.js";
import { t } from "../words.js";

/**
 * Both pictures, and the slider that moves the line between them. Where there is no photo, only the picture is seen.
 * @param {string | null} before the address of the photo
 * @param {AbortSignal} signal
 */
export function beforeAfter(before, signal) {
  const after = h("img", { class: "after", draggable: "false", alt: "" });
  const photo = h("img", { class: "before", draggable: "false", alt: t("yourPhoto") });
  const line = h("div", { class: "line", "data-drag": true, "aria-hidden": "true" });
  const tags = [h("span", { class: "tag tag-before" }, t("before")), h("span", { class: "tag tag-after" }, t("after"))];
  const wait = h("div", { class: "spinner small compare-wait", role: "img", "aria-label": t("loading") });
  const element = h("div", { class: "compare plain loading" }, after, photo, tags, line, wait);
  const problem = errorBox();
  const slider = h("input", {
    type: "range", min: "0", max: "100", step: "1", value: "0", "aria-label": t("beforeAfter"),
      oninput: () => set(Number(slider.value)),
  });
  const control = h("div", { class: "compare-control", hidden: true }, slider);

  /** @param {number} percent of the width that shows the photo */
  function set(percent) {
    const part = Math.min(100, Math.max(0, percent));
    slider.value = String(part);
    slider.setAttribute("aria-valuetext", t("beforePart", { percent: Math.round(part) }));
    photo.style.clipPath = `inset(0 ${100 - part}% 0 0)`;
    line.style.left = `${part}%`;
    element.classList.toggle("showing", part > 0);
  }

  // The photo is not kept in every case: then there is nothing to compare.
  if (before === null) photo.remove();
  else showPicture(photo, before, { signal, onLost: () => photo.remove(), onLoad: () => {
    element.classList.remove("plain");
    control.hidden = false;
    set(50);
  } });

  /** @param {string} address */
  function load(address) {
    problem.show(null);
    wait.hidden = false;
    element.classList.add("loading");
    showPicture(after, address, { signal, onLoad: () => {
      wait.hidden = true;
      element.classList.remove("loading");
    }, onLost: (error) => {
      wait.hidden = true;
      problem.show(error, error.retryable ? () => load(address) : null);
    } });
  }

  line.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    line.setPointerCapture(event.pointerId);
  });
  line.addEventListener("pointermove", (event) => {
    if (!line.hasPointerCapture(event.pointerId)) return;
    const box = element.getBoundingClientRect();
    set(((event.clientX - box.left) / box.width) * 100);
  });

  return {
    element, control, problem,
    /**
     * @param {string} address
     * @param {string} words what is seen, for those who do not see it
     * @param {{ width: number, height: number }} size
     */
    show(address, words, { width, height }) {
      load(address);
      after.alt = words;
      element.style.aspectRatio = `${width} / ${height}`;
      for (const part of [element, control]) part.style.setProperty("--ratio", String(width / height));
    },
  };
}
