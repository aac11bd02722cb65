// Which screen stands for which path? Screens are loaded when they are first needed.
import { ApiError } from "./api.js";
import { h, announce } from "./dom.js";
import { t } from "./words.js";

/** @typedef {import("./types").Screen} Screen */
/** @typedef {import("./types").HostSession} HostSession */
/** @typedef {{ pattern: string, load: () => Promise<{ default: Screen }> }} Route */

/** @type {Route[]} */
let routes = [];
/** @type {HostSession} */
let session;
/** @type {AbortController | null} */
let current = null;
/** @type {(error: unknown) => Element} */
let whenBroken = () => h("p", {}, t("unexpected"));

/** What the host said of itself at the start. */
export function hostSession() {
  return session;
}

/**
 * Shows the screen of the address, and follows links and the browser's back button.
 * @param {Route[]} all
 * @param {HostSession} host
 * @param {(error: unknown) => Element} broken what to show when a screen cannot be made
 */
export function start(all, host, broken) {
  routes = all;
  session = host;
  whenBroken = broken;
  addEventListener("popstate", () => show());
  document.addEventListener("click", follow);
  return show();
}

/**
 * Goes to a path.
 * @param {string} path
 * @param {{ replace?: boolean }} options
 */
export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"]({}, "", path);
  return show();
}

/**
 * A click on a link of our own becomes a change of screen.
 * @param {MouseEvent} event
 */
function follow(event) {
  const asksForTab = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || event.button !== 0 || asksForTab) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.pathname.startsWith("/api/") || link.pathname.startsWith("/assets/")) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

/**
 * The route of a path, and what stands for its `:id`.
 * @param {Route[]} all
 * @param {string} path
 */
export function match(all, path) {
  const steps = path.replace(/\/+$/, "").split("/");
  for (const route of all) {
    const wanted = route.pattern.replace(/\/+$/, "").split("/");
    if (wanted.length !== steps.length) continue;
    let id = "";
    const fits = wanted.every((step, at) => {
      if (step !== ":id") return step === steps[at];
      id = decodeURIComponent(steps[at]);
      return id !== "";
    });
    if (fits) return { route, id };
  }
  return null;
}

/**
 * Loads a screen. One that does not come means what any lost answer means: the host is gone.
 * @param {Route} route
 */
async function load(route) {
  try {
    return await route.load();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ApiError(0, { code: 0, kind: "host_gone", message: t("hostGone"), retryable: true });
  }
}

async function show() {
  current?.abort();
  const mine = new AbortController();
  current = mine;
  const found = match(routes, location.pathname) ?? match(routes, "/not-found");
  const context = {
    path: location.pathname, id: found?.id ?? "", query: new URLSearchParams(location.search), signal: mine.signal, session,
  };
  let element;
  try {
    if (!found) throw new Error("no route");
    element = await (await load(found.route)).default(context);
  } catch (error) {
    element = whenBroken(error);
  }
  // Another screen was asked for while this one was being made.
  if (mine.signal.aborted) return;
  paint(element);
}

/**
 * Says in the tab of the browser what is on the screen.
 * @param {string} name
 */
export function setTitle(name) {
  document.title = name ? `${name} · Atelier` : "Atelier";
}

/**
 * Puts an element in place of the screen; the focus goes to its heading.
 * @param {Element} element
 */
export function paint(element) {
  const place = document.getElementById("screen");
  if (!place) return;
  place.replaceChildren(element);
  const heading = place.querySelector("h1");
  const name = heading?.textContent ?? "";
  setTitle(name);
  scrollTo(0, 0);
  if (heading && !place.contains(document.activeElement)) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
  announce(name);
  document.dispatchEvent(new CustomEvent("screen"));
}
