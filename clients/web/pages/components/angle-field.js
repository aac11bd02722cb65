// In which direction does the person look? A slider from −1, the far left, to 1, the far right, with names for screen
// readers and a head that turns along.
import { h, svg } from "../dom.js";
import { t } from "../words.js";
import { pills } from "./pills.js";

/** @type {Record<string, number>} */
const NAMED = { left: -0.7, front: 0, right: 0.7 };

/**
 * The name of an angle, in words.
 * @param {number} angle
 */
export function angleName(angle) {
  const side = angle < 0 ? "Left" : "Right";
  const size = Math.abs(angle);
  if (size < 0.1) return t("angle.front");
  if (size < 0.4) return t(`angle.slight${side}`);
  return size < 0.85 ? t(`angle.half${side}`) : t(`angle.far${side}`);
}

/**
 * @param {number | undefined} chosen undefined: as in the photo
 * @param {(angle: number | undefined) => void} change
 */
export function angleField(chosen, change) {
  const head = drawHead();
  const name = h("output", { class: "angle-name" });
  const slider = h("input", {
    type: "range", min: "-1", max: "1", step: "0.05", value: String(chosen ?? 0), "aria-label": t("angle"),
    oninput: () => set(Number(slider.value)),
  });
  const names = h("div", {});
  /** @param {number | undefined} angle */
  function draw(angle) {
    const words = angle === undefined ? t("angle.asPhoto") : angleName(angle);
    name.textContent = words;
    slider.setAttribute("aria-valuetext", words);
    slider.classList.toggle("unset", angle === undefined);
    head.turn(angle ?? 0);
    for (const input of names.querySelectorAll("input")) input.checked = input.value === valueOf(angle);
  }
  /** @param {number | undefined} angle */
  function set(angle) {
    draw(angle);
    change(angle);
  }
  const all = [
    { value: "photo", title: t("angle.asPhoto") },
    ...Object.keys(NAMED).map((value) => ({ value, title: t(`angle.${value}`) })),
  ];
  names.append(pills(t("angle"), all, valueOf(chosen), (value) => {
    const angle = value === "photo" ? undefined : NAMED[value];
    slider.value = String(angle ?? 0);
    set(angle);
  }));
  draw(chosen);
  return h("div", { class: "stack tight" }, names,
    h("div", { class: "angle" }, head.element, h("div", { class: "grow" }, slider,
      h("div", { class: "angle-ends muted small", "aria-hidden": "true" }, h("span", {}, t("angle.left")), name,
        h("span", {}, t("angle.right"))))));
}

/** @param {number | undefined} angle */
function valueOf(angle) {
  if (angle === undefined) return "photo";
  return Object.keys(NAMED).find((name) => Math.abs(NAMED[name] - angle) < 0.03) ?? "";
}

/** A head that turns: what is in front of the face moves further than the face itself. */
function drawHead() {
  const hair = svg("path", { class: "head-hair", d: "M20 38C16 18 28 8 40 8s24 10 20 30c-3-12-8-16-20-16s-17 4-20 16z" });
  const eyes = svg("path", { d: "M31 39h4M45 39h4" });
  const nose = svg("path", { d: "M40 41v7" });
  const mouth = svg("path", { d: "M35 55c3 2.500 7 2.500 10 0" });
  const element = svg("svg", { class: "head", viewBox: "0 0 80 80", "aria-hidden": "true" },
    svg("path", { d: "M14 78c3-9 12-11 19-12M66 78c-3-9-12-11-19-12" }),
    svg("ellipse", { cx: "40", cy: "40", rx: "19", ry: "26", class: "head-face" }), hair, eyes, nose, mouth);
  return {
    element,
    /** @param {number} angle */
    turn(angle) {
      /** @type {[SVGElement, number][]} */
      const parts = [[hair, -2], [eyes, 7], [nose, 11], [mouth, 7]];
      for (const [part, distance] of parts) part.style.transform = `translateX(${angle * distance}px)`;
    },
  };
}
