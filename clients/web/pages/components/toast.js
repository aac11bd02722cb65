// How is something told in passing? In a line at the bottom, which goes by itself, and may have one action.
import { h } from "../dom.js";

/** @type {HTMLElement | null} */
let shown = null;
let timer = 0;
/** @type {() => void} */
let whenGone = () => {};
let listening = new AbortController();

/**
 * Tells something. A line with an action stays while somebody is on it, and the keys for undoing carry out its action.
 * @param {string} text
 * @param {object} options
 * @param {string} [options.action] the word of the action
 * @param {() => void} [options.onAction]
 * @param {() => void} [options.onGone] called when the line goes without its action
 * @param {boolean} [options.stays]
 * @param {number} [options.ms]
 */
export function showToast(text, { action, onAction, onGone, stays = false, ms = 6000 } = {}) {
  hideToast();
  const act = () => {
    whenGone = () => {};
    hideToast();
    onAction?.();
  };
  const toast = h("div", { class: "toast", role: "status" }, h("span", { dir: "auto" }, text),
    action ? h("button", { class: "link", "aria-keyshortcuts": "Control+Z Meta+Z", onclick: act }, action) : null);
  shown = toast;
  whenGone = onGone ?? whenGone;
  listening = new AbortController();
  document.body.append(toast);
  if (action) onUndoKeys(act, listening.signal);
  if (!stays) goAfter(ms, toast);
}

/**
 * Takes the line away after a time, which stands still while the pointer or the focus is on it.
 * @param {number} ms
 * @param {HTMLElement} toast
 */
function goAfter(ms, toast) {
  let left = ms;
  let since = 0;
  const run = () => {
    clearTimeout(timer);
    since = performance.now();
    timer = window.setTimeout(hideToast, left);
  };
  const stop = () => {
    if (since > 0) left -= performance.now() - since;
    since = 0;
    clearTimeout(timer);
  };
  const goOn = () => {
    if (since === 0 && !toast.matches(":hover, :focus-within")) run();
  };
  toast.addEventListener("pointerenter", stop);
  toast.addEventListener("focusin", stop);
  toast.addEventListener("pointerleave", goOn);
  // The focus is still inside while it is told that it goes.
  toast.addEventListener("focusout", () => setTimeout(() => toast.isConnected && goOn()));
  run();
}

/**
 * @param {() => void} act
 * @param {AbortSignal} signal
 */
function onUndoKeys(act, signal) {
  document.addEventListener("keydown", (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "z";
    // Where somebody writes, these keys take back what was written.
    if (!isUndo || (event.target instanceof Element && event.target.closest("input, textarea"))) return;
    event.preventDefault();
    act();
  }, { signal });
}

/** Takes the line away. */
export function hideToast() {
  clearTimeout(timer);
  listening.abort();
  shown?.remove();
  shown = null;
  const gone = whenGone;
  whenGone = () => {};
  gone();
}
