// How is an error shown? With the service's own sentence, and what the person can do about it.
import { h, icon } from "../dom.js";
import { ApiError, ask } from "../api.js";
import { t, waitText } from "../words.js";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * `<error-box>`: set `error`, and `retry` if the same can be tried again. While the host asks to wait, the time is counted
 * down by a clock that no change of the date moves, and the button waits as long. While the host does not answer, it is
 * asked again and again; once it does, the same is tried again.
 */
export class ErrorBox extends HTMLElement {
  /** @type {ApiError | null} */
  error = null;
  /** @type {(() => void) | null} */
  retry = null;
  #timer = 0;
  #asking = new AbortController();
  /** Grows from box to box as well: a host that answers may still not do what is tried again. */
  #pause = FIRST_PAUSE_MS;

  connectedCallback() {
    this.setAttribute("role", "alert");
    const { error } = this;
    this.hidden = !error;
    this.replaceChildren();
    if (!error) return;
    const wait = h("p", { class: "error-wait" });
    const button = this.retry ? h("button", { class: "button quiet", onclick: () => this.retry?.() }, t("tryAgain")) : null;
    const shop = error.kind === "insufficient_credits"
      ? h("button", { class: "button", onclick: () => openShop(error) }, t("getCredits")) : null;
    const settings = error.kind === "no_api_key" || error.kind === "invalid_api_key"
      ? h("a", { class: "button quiet", href: "/settings" }, t("openSettings")) : null;
    const actions = h("div", { class: "row" }, shop, settings, button);
    this.append(h("p", { class: "error-text" }, icon("warning"), h("span", { dir: "auto" }, error.message)), wait);
    if (actions.childElementCount > 0) this.append(actions);
    const tick = () => {
      const left = error.waitMs;
      wait.hidden = left <= 0;
      wait.textContent = left > 0 ? t("waitUntilRetry", { time: waitText(left) }) : "";
      if (button) button.disabled = left > 0;
      if (left <= 0) clearInterval(this.#timer);
    };
    this.#timer = window.setInterval(tick, 500);
    tick();
    if (error.isLost) this.#waitForHost();
    else this.#pause = FIRST_PAUSE_MS;
  }

  /** What is tried again may be large, or a reload of the page: first, the host is asked whether it is there. */
  #waitForHost() {
    const mine = new AbortController();
    const { signal } = mine;
    this.#asking = mine;
    let timer = 0;
    const askHost = async () => {
      clearTimeout(timer);
      this.#pause = Math.min(LONGEST_PAUSE_MS, 2 * this.#pause);
      try {
        await ask("GET", "/session", { signal });
        if (signal.aborted) return;
        const { retry } = this;
        this.show(null);
        retry?.();
      } catch {
        if (signal.aborted) return;
        timer = window.setTimeout(askHost, this.#pause);
      }
    };
    timer = window.setTimeout(askHost, this.#pause);
    addEventListener("online", askHost, { signal });
    signal.addEventListener("abort", () => clearTimeout(timer));
  }

  disconnectedCallback() {
    this.#asking.abort();
    clearInterval(this.#timer);
  }

  /**
   * Shows another error, or none.
   * @param {ApiError | null} error
   * @param {(() => void) | null} [retry]
   */
  show(error, retry = null) {
    this.disconnectedCallback();
    this.error = error;
    this.retry = retry;
    if (this.isConnected) this.connectedCallback();
  }
}

/** @param {ApiError} error */
async function openShop(error) {
  const { openShop: open } = await import("./shop.js");
  open(error.details.upgradeOptions);
}

customElements.define("error-box", ErrorBox);

/**
 * Makes a box for an error; without one, it is hidden until `show` is called.
 * @param {ApiError | null} [error]
 * @param {() => void} [retry]
 */
export function errorBox(error = null, retry) {
  const box = /** @type {ErrorBox} */ (document.createElement("error-box"));
  box.error = error;
  box.retry = retry ?? null;
  box.hidden = !error;
  return box;
}
