// How is something deleted that one may want back? It leaves the screen at once, and the host is asked a little later.
import { asApiError, remove } from "../api.js";
import { hideToast, showToast } from "./toast.js";
import { t } from "../words.js";

const TIME_TO_UNDO_MS = 6000;

/**
 * Deletes generations with time to undo. Leaving the screen or the page carries out what is pending.
 * @param {AbortSignal} signal aborted when the screen is left
 */
export function removing(signal) {
  /** @type {Map<string, () => void>} What puts each of them back on the screen. */
  const pending = new Map();

  /** @param {string} id */
  async function carryOut(id) {
    const undo = pending.get(id);
    if (!undo) return;
    pending.delete(id);
    try {
      await remove(`/generations/${id}`);
    } catch (thrown) {
      undo();
      showToast(asApiError(thrown).message);
    }
  }

  signal.addEventListener("abort", () => {
    if (pending.size > 0) hideToast();
    for (const id of [...pending.keys()]) carryOut(id);
  });
  addEventListener("pagehide", () => {
    for (const id of pending.keys()) {
      // The page is going: the browser sends this without it.
      fetch(`/api/v1/generations/${id}`, { method: "DELETE", keepalive: true });
    }
    pending.clear();
  }, { signal });

  /** @param {string} id @param {() => void} undo puts it back on the screen */
  return (id, undo) => {
    pending.set(id, undo);
    showToast(t("deleted"), { action: t("undo"), ms: TIME_TO_UNDO_MS, onGone: () => carryOut(id), onAction: () => {
      pending.delete(id);
      undo();
    } });
  };
}

/**
 * Lets a row be swiped to the left with a finger.
 * @param {HTMLElement} row
 * @param {() => void} onSwiped
 */
export function swipeable(row, onSwiped) {
  let startX = 0;
  let moved = 0;
  const rest = () => {
    moved = 0;
    row.style.translate = "";
    row.classList.remove("swiping");
  };
  row.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    startX = event.clientX;
    row.classList.add("swiping");
  });
  row.addEventListener("pointermove", (event) => {
    if (!row.classList.contains("swiping")) return;
    moved = Math.min(0, event.clientX - startX);
    row.style.translate = `${moved}px`;
  });
  row.addEventListener("pointerup", () => {
    const isFar = moved < -0.35 * row.clientWidth;
    rest();
    if (isFar) onSwiped();
  });
  row.addEventListener("pointercancel", rest);
}
