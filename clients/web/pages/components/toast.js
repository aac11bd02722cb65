// How is something told in passing? In a line at the bottom, which goes by itself, and may have one action.
import { h } from "../dom.js";

/** @type {HTMLElement | null} */
let shown = null;
let timer = 0;

/**
 * @param {string} text
 * @param {{ action?: string, onAction?: () => void, stays?: boolean, ms?: number }} options
 */
export function showToast(text, { action, onAction, stays = false, ms = 6000 } = {}) {
  hideToast();
  const act = () => {
    hideToast();
    onAction?.();
  };
  shown = h("div", { class: "toast", role: "status" }, h("span", { dir: "auto" }, text),
    action ? h("button", { class: "link", onclick: act }, action) : null);
  document.body.append(shown);
  if (!stays) timer = window.setTimeout(hideToast, ms);
}

/** Takes the line away. */
export function hideToast() {
  clearTimeout(timer);
  shown?.remove();
  shown = null;
}
