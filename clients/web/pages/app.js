// How does the page start? Words and session first, both at once; then the screen of the address.
import { acceptTerms, ApiError, ask, asApiError, onNotAdmitted } from "./api.js";
import { h } from "./dom.js";
import { drawNavigation } from "./navigation.js";
import { paint, start } from "./router.js";
import { loadWords, t } from "./words.js";

/** @typedef {import("./types").HostSession} HostSession */

/** Each screen of the page, by its path. To add a screen, add its line and its file. */
const ROUTES = [
  { pattern: "/", load: () => import("./screens/start.js") },
  { pattern: "/capture", load: () => import("./screens/capture.js") },
  { pattern: "/preview", load: () => import("./screens/preview.js") },
  { pattern: "/style", load: () => import("./screens/style.js") },
  { pattern: "/making/:id", load: () => import("./screens/making.js") },
  { pattern: "/result/:id", load: () => import("./screens/result.js") },
  { pattern: "/haircut", load: () => import("./screens/haircut.js") },
  { pattern: "/places", load: () => import("./screens/places.js") },
  { pattern: "/places/:id", load: () => import("./screens/places-result.js") },
  { pattern: "/history", load: () => import("./screens/history.js") },
  { pattern: "/profile", load: () => import("./screens/profile.js") },
  { pattern: "/settings", load: () => import("./screens/settings.js") },
  { pattern: "/not-found", load: () => import("./screens/not-found.js") },
];

/** A one-time secret or a token is in the fragment, which browsers send nowhere; it is taken out of the address at once. */
function takeFragment() {
  const fragment = location.hash.slice(1);
  if (fragment) history.replaceState({}, "", location.pathname + location.search);
  return fragment;
}

/** @returns {Promise<HostSession>} */
async function openSession() {
  const fragment = takeFragment();
  /** @type {HostSession} */
  const session = await ask("GET", "/session");
  if (!fragment) return session;
  if (session.mode === "public") {
    const path = await (await import("./sign-in.js")).finishSignIn(fragment);
    if (path === null) return session;
    // The sentence about the terms is on the start, and nowhere else.
    if (path === "/") await acceptTerms(session);
    history.replaceState({}, "", path === "/" ? "/capture" : path);
  } else if (session.admitted) {
    return session;
  } else {
    await ask("POST", "/session", { body: { secret: fragment } });
  }
  return ask("GET", "/session");
}

/**
 * Loaded after the first screen: once the host is gone, it is too late.
 * @type {typeof import("./screens/error-page.js").errorPage | null}
 */
let errorPage = null;

/** @param {unknown} error */
function brokenScreen(error) {
  const known = asApiError(error);
  if (known.isLost && errorPage) return errorPage(known);
  const box = /** @type {import("./components/error-box.js").ErrorBox} */ (document.createElement("error-box"));
  box.error = known;
  box.retry = () => location.reload();
  return h("section", { class: "page narrow" }, h("h1", {}, t("errorTitle")), box);
}

/** @param {unknown} error @param {HostSession} [session] */
async function showErrorPage(error, session) {
  const { errorPage } = await import("./screens/error-page.js");
  paint(errorPage(asApiError(error), session));
}

async function main() {
  const [session, words] = await Promise.allSettled([openSession(), loadWords(), import("./components/error-box.js")]);
  if (words.status === "rejected") {
    return showErrorPage(new ApiError(0, { code: 0, kind: "host_gone", message: t("hostGone"), retryable: true }));
  }
  if (session.status === "rejected") return showErrorPage(session.reason);
  const host = session.value;
  onNotAdmitted((error) => showErrorPage(error, host));
  drawNavigation(host);
  if (host.mode === "personal" && !host.admitted) {
    const message = t("notAdmittedText");
    return showErrorPage(new ApiError(401, { code: 401, kind: "not_admitted", message, retryable: false }), host);
  }
  if (!host.admitted && location.pathname !== "/") history.replaceState({}, "", "/");
  await start(ROUTES, host, brokenScreen);
  ({ errorPage } = await import("./screens/error-page.js"));
  if (host.admitted) (await import("./sending.js")).resume();
}

main();
