// The shears of the first screen: how do they turn under the finger, and how do they cut and fly away?
import { h, svg } from "../dom.js";
import { t } from "../words.js";

/** Flat drawings one behind the other give each half its thickness. */
const LAYERS = 6;
const LAYER_DISTANCE = 3;
const OPEN_DEGREES = 15;
const DEGREES_PER_PIXEL = 0.45;
/** What is left of the speed after each sixtieth of a second. */
const FRICTION = 0.955;
const BLADE = "M95 268L84 246 86 62Q88 26 101 4Q112 40 116 248L112 268Z";
const SHANK = "M95 262L112 262Q118 300 133 330L118 340Q98 306 95 262Z";
const EDGE = "M101 4Q112 40 116 248L108 248Q107 60 101 4Z";

/** Turns, cuts and flies. With reduced motion, the shears stand still. */
export function shears() {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const left = half(false);
  const right = half(true);
  const screw = h("div", { class: "shears-screw" }, [0, 1, 2, 3, 4].map((at) => layer(h("i", {}), at, 5)));
  const body = h("div", { class: "shears-body" }, left, right, screw);
  const element = h("div", { class: "shears", role: "img", "aria-label": t("shears"), tabindex: isStill ? false : "0" },
    body);
  let turned = new DOMMatrix().rotateAxisAngle(1, 0, 0, -14).rotateAxisAngle(0, 1, 0, 26).rotateAxisAngle(0, 0, 1, 22);
  /** Degrees in a sixtieth of a second, about the vertical and the horizontal axis. */
  let speed = { x: 0, y: 0 };
  let frame = 0;
  let held = { x: 0, y: 0 };
  let isHeld = false;

  function draw() {
    body.style.transform = turned.toString();
  }

  /**
   * As one spins a globe: about the axes of the screen, however the shears lie.
   * @param {number} x degrees to the right
   * @param {number} y degrees down
   */
  function turn(x, y) {
    turned = new DOMMatrix().rotateAxisAngle(0, 1, 0, x).rotateAxisAngle(1, 0, 0, -y).multiply(turned);
    draw();
  }

  function spin() {
    if (!element.isConnected) return;
    if (!isHeld) {
      turn(speed.x, speed.y);
      speed = { x: speed.x * FRICTION, y: speed.y * FRICTION };
      // At rest, they sway a little: that is how a person notices that they can be turned.
      if (Math.hypot(speed.x, speed.y) < 0.06) turn(Math.cos(performance.now() / 1700) * 0.08,
        Math.sin(performance.now() / 2300) * 0.03);
    }
    frame = requestAnimationFrame(spin);
  }

  element.addEventListener("pointerdown", (event) => {
    if (isStill) return;
    element.setPointerCapture(event.pointerId);
    isHeld = true;
    held = { x: event.clientX, y: event.clientY };
    speed = { x: 0, y: 0 };
  });
  element.addEventListener("pointermove", (event) => {
    if (!isHeld) return;
    speed = { x: (event.clientX - held.x) * DEGREES_PER_PIXEL, y: (event.clientY - held.y) * DEGREES_PER_PIXEL };
    held = { x: event.clientX, y: event.clientY };
    turn(speed.x, speed.y);
  });
  for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => { isHeld = false; });
  element.addEventListener("keydown", (event) => {
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowLeft: [-3, 0], ArrowRight: [3, 0], ArrowUp: [0, -3], ArrowDown: [0, 3] };
    const step = steps[event.key];
    if (!step || isStill) return;
    event.preventDefault();
    speed = { x: step[0], y: step[1] };
  });

  draw();
  if (!isStill) frame = requestAnimationFrame(spin);

  return {
    element,
    /** Cuts twice and flies off the screen; resolved when they are gone. */
    async leave() {
      if (isStill) return;
      cancelAnimationFrame(frame);
      isHeld = true;
      const cut = [OPEN_DEGREES, 1, OPEN_DEGREES + 5, 0];
      const timing = { duration: 520, easing: "ease-in-out", fill: /** @type {const} */ ("forwards") };
      left.animate(cut.map((angle) => ({ transform: `rotateZ(${-angle}deg)` })), timing);
      await right.animate(cut.map((angle) => ({ transform: `rotateZ(${angle}deg)` })), timing).finished;
      // Thrown: up at first, then gravity takes over.
      const flight = Array.from({ length: 13 }, (_, at) => {
        const time = at / 12;
        const x = 90 * time;
        const y = -120 * time + 75 * time * time;
        const spun = `rotateZ(${-420 * time}deg) rotateX(${200 * time}deg)`;
        return { transform: `translate3d(${x}vw, ${y}vh, ${260 * time}px) ${turned} ${spun}` };
      });
      await body.animate(flight, { duration: 620, easing: "linear", fill: "forwards" }).finished;
    },
  };
}

/**
 * One half: blade, shank and ring. The other half is its mirror image, a little behind.
 * @param {boolean} isMirror
 */
function half(isMirror) {
  const layers = Array.from({ length: LAYERS }, (_, at) => {
    const isFace = at === 0 || at === LAYERS - 1;
    const parts = svg("g", { transform: isMirror ? "translate(200 0) scale(-1 1)" : false },
      svg("path", { class: "shears-steel", d: BLADE }), svg("path", { class: "shears-steel", d: SHANK }),
      isFace ? svg("path", { class: "shears-edge", d: EDGE }) : null,
      svg("ellipse", { class: "shears-ring", cx: "142", cy: "392", rx: "34", ry: "58", transform: "rotate(-16 142 392)" }));
    return layer(svg("svg", { viewBox: "0 0 200 470", class: isFace ? "shears-face" : "shears-core" }, parts), at, LAYERS);
  });
  const element = h("div", { class: "shears-half" }, layers);
  element.style.transform = `rotateZ(${isMirror ? OPEN_DEGREES : -OPEN_DEGREES}deg)`;
  element.style.zIndex = isMirror ? "0" : "1";
  element.classList.add(isMirror ? "shears-back" : "shears-front");
  return element;
}

/**
 * @template {HTMLElement | SVGElement} E
 * @param {E} element
 * @param {number} at
 * @param {number} count
 */
function layer(element, at, count) {
  element.style.transform = `translateZ(${(at - (count - 1) / 2) * LAYER_DISTANCE}px)`;
  return element;
}
