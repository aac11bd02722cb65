// How is a picture looked at closely? By pinching, by the wheel, by keys and by a double click; a swipe asks for the next.
import { h } from "../dom.js";
import { t } from "../words.js";

const MOST = 8;
const STEP = 1.4;
const SWIPE_PIXELS = 60;

/**
 * A frame whose content can be enlarged and moved.
 * @param {Element} content
 * @param {{ onSwipe: (step: -1 | 1) => void, onScale?: (scale: number) => void }} events
 */
export function zoomView(content, { onSwipe, onScale }) {
  const layer = h("div", { class: "zoom-layer" }, content);
  const frame = h("div", { class: "zoom-view", tabindex: "0", role: "group", "aria-label": t("zoomHint") }, layer);
  let scale = 1;
  let x = 0;
  let y = 0;
  /** @type {Map<number, { x: number, y: number }>} The fingers, or the mouse with its button held. */
  const held = new Map();
  let start = { x: 0, y: 0 };
  let wasPinch = false;

  function draw() {
    const box = frame.getBoundingClientRect();
    // The picture never leaves its frame.
    const slackX = (box.width * (scale - 1)) / 2;
    const slackY = (box.height * (scale - 1)) / 2;
    x = Math.min(slackX, Math.max(-slackX, x));
    y = Math.min(slackY, Math.max(-slackY, y));
    layer.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    frame.classList.toggle("zoomed", scale > 1);
    onScale?.(scale);
  }

  /**
   * Enlarges so that what is under a point stays under it.
   * @param {number} factor
   * @param {{ x: number, y: number }} [point] in the window; the middle by default
   */
  function zoom(factor, point) {
    const box = frame.getBoundingClientRect();
    const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    const next = Math.min(MOST, Math.max(1, scale * factor));
    const at = point ?? middle;
    x = (at.x - middle.x) * (1 - next / scale) + x * (next / scale);
    y = (at.y - middle.y) * (1 - next / scale) + y * (next / scale);
    scale = next;
    draw();
  }

  function reset() {
    scale = 1;
    draw();
  }

  frame.addEventListener("wheel", (event) => {
    // A plain wheel scrolls the page while nothing is enlarged.
    if (!event.ctrlKey && scale === 1 && event.deltaY > 0) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 120 : 400)), { x: event.clientX, y: event.clientY });
  }, { passive: false });

  frame.addEventListener("dblclick", (event) => (scale > 1 ? reset() : zoom(2.5, { x: event.clientX, y: event.clientY })));

  frame.addEventListener("keydown", (event) => {
    const keys = {
      "+": () => zoom(STEP), "=": () => zoom(STEP), "-": () => zoom(1 / STEP), "0": reset,
      ArrowLeft: () => (scale > 1 ? move(40, 0) : onSwipe(-1)), ArrowRight: () => (scale > 1 ? move(-40, 0) : onSwipe(1)),
      ArrowUp: () => scale > 1 && move(0, 40), ArrowDown: () => scale > 1 && move(0, -40),
    };
    if (event.ctrlKey || event.metaKey || !(event.key in keys)) return;
    if (scale === 1 && (event.key === "ArrowUp" || event.key === "ArrowDown")) return;
    event.preventDefault();
    keys[/** @type {keyof typeof keys} */ (event.key)]();
  });

  /**
   * @param {number} right
   * @param {number} down
   */
  function move(right, down) {
    x += right;
    y += down;
    draw();
  }

  frame.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || (event.target instanceof Element && event.target.closest("[data-drag]"))) return;
    frame.setPointerCapture(event.pointerId);
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (held.size === 1) start = { x: event.clientX, y: event.clientY };
    wasPinch = held.size > 1;
  });

  frame.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...held].find(([pointer]) => pointer !== event.pointerId)?.[1];
    if (other) {
      const factor = distance(now, other) / Math.max(1, distance(before, other));
      zoom(factor, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    } else if (scale > 1) {
      move(now.x - before.x, now.y - before.y);
    }
    held.set(event.pointerId, now);
  });

  frame.addEventListener("pointerup", (event) => {
    if (!held.delete(event.pointerId) || wasPinch || scale > 1) return;
    const across = event.clientX - start.x;
    const isSwipe = Math.abs(across) > SWIPE_PIXELS && Math.abs(across) > 2 * Math.abs(event.clientY - start.y);
    if (isSwipe) onSwipe(across > 0 ? -1 : 1);
  });
  frame.addEventListener("pointercancel", (event) => held.delete(event.pointerId));

  return { element: frame, zoom, reset };
}

/**
 * @param {{ x: number, y: number }} a
 * @param {{ x: number, y: number }} b
 */
function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
