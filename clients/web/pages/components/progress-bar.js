// How far is it? A bar that people see and screen readers tell.
import { h } from "../dom.js";

/** `<progress-bar>`: `set(fraction, text)`, from 0 to 1; null for a time that is not known. */
export class ProgressBar extends HTMLElement {
  #fill = h("div", { class: "progress-fill" });

  connectedCallback() {
    this.setAttribute("role", "progressbar");
    this.setAttribute("aria-valuemin", "0");
    this.setAttribute("aria-valuemax", "100");
    if (!this.#fill.isConnected) this.append(this.#fill);
  }

  /** @param {number | null} fraction @param {string} [text] */
  set(fraction, text) {
    if (text) this.setAttribute("aria-valuetext", text);
    this.classList.toggle("unknown", fraction === null);
    if (fraction === null) return this.removeAttribute("aria-valuenow");
    this.setAttribute("aria-valuenow", String(Math.round(fraction * 100)));
    this.#fill.style.transform = `scaleX(${Math.min(1, Math.max(0, fraction))})`;
  }
}

customElements.define("progress-bar", ProgressBar);

/** @param {string} name what is in progress, for screen readers */
export function progressBar(name) {
  const bar = /** @type {ProgressBar} */ (document.createElement("progress-bar"));
  bar.setAttribute("aria-label", name);
  return bar;
}
