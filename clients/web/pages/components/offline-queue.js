// What waits for a provider that cannot be reached? Shown where something waits, with the means to hold it back.
import { get, post } from "../api.js";
import { h, icon } from "../dom.js";
import { listProviders, providerTitle } from "../providers.js";
import { dateText, plural, t } from "../words.js";

const LOOK_AGAIN_MS = 10_000;

/** @param {AbortSignal} signal */
export function offlineQueue(signal) {
  const element = h("section", { class: "card queue", hidden: true, "aria-live": "polite" });

  /** @param {import("../types").Queue} queue */
  async function draw(queue) {
    element.hidden = queue.waiting === 0 && !queue.paused;
    if (element.hidden) return;
    const providers = await listProviders().catch(() => []);
    const lines = queue.providers.map((line) => h("li", { class: "small muted" }, t("waitsFor", {
      name: providerTitle(providers.find((provider) => provider.id === line.id), line.id), count: line.waiting,
    }), line.nextProbeAt && !queue.paused ? ` · ${t("nextTry", { time: dateText(line.nextProbeAt) })}` : ""));
    const press = h("button", { class: "button quiet", onclick: () => ask(queue.paused ? "resume" : "pause", press) },
      t(queue.paused ? "resumeQueue" : "pauseQueue"));
    element.replaceChildren(h("div", { class: "row between" },
      h("div", { class: "stack tight grow" }, h("h2", {}, icon("clock"), plural("waiting", queue.waiting)),
        h("p", { class: "small muted" }, t(queue.paused ? "queuePaused" : "queueWaits"))), press),
    h("ul", {}, lines));
  }

  /** @param {"pause" | "resume"} action @param {HTMLButtonElement} button */
  async function ask(action, button) {
    button.disabled = true;
    try {
      await draw(await post(`/queue/${action}`));
      element.querySelector("button")?.focus();
    } catch {
      button.disabled = false;
    }
  }

  async function look() {
    if (!document.hidden) await get("/queue", undefined, signal).then(draw, () => {});
  }
  const timer = window.setInterval(look, LOOK_AGAIN_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
  look();
  return element;
}
