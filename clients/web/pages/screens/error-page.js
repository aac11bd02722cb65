// What does the page show when nothing else can be shown? Why, and how the person gets on.
import { errorBox } from "../components/error-box.js";
import { ask } from "../api.js";
import { h, icon } from "../dom.js";
import { t } from "../words.js";

const LONGEST_PAUSE_MS = 10_000;

/**
 * @param {import("../api.js").ApiError} error
 * @param {import("../types").HostSession} [session] absent when the host has never answered
 */
export function errorPage(error, session) {
  if (error.kind === "link_used") return admission("linkUsedTitle", "linkUsedText");
  if (error.kind === "not_admitted" && session?.mode === "public") return fromTheStart();
  if (error.kind === "not_admitted") return admission("notAdmittedTitle", "notAdmittedText");
  if (error.isLost) return hostGone();
  return h("section", { class: "page narrow" }, h("h1", {}, t("errorTitle")), errorBox(error, () => location.reload()));
}

/**
 * At one's own machine, a new link comes from the program itself.
 * @param {string} title
 * @param {string} text
 */
function admission(title, text) {
  return h("section", { class: "page narrow" }, h("h1", {}, t(title)), h("p", {}, t(text)),
    h("div", { class: "card stack tight" }, h("h2", {}, t("newLinkTitle")),
      h("ol", { class: "steps" }, [1, 2, 3].map((step) => h("li", {}, t(`newLink.${step}`))))),
    h("div", { class: "row" }, h("button", { class: "button quiet", onclick: () => location.reload() }, t("tryAgain"))));
}

/** In a shop, whoever is no longer known begins anew. */
function fromTheStart() {
  return h("section", { class: "page narrow" }, h("h1", {}, t("signedOutTitle")), h("p", {}, t("signedOutText")),
    h("div", { class: "row" }, h("a", { class: "button", href: "/", target: "_self" }, t("toStart"))));
}

/** The host is asked until it is back; then the page goes on where it was. */
function hostGone() {
  const page = h("section", { class: "page narrow" }, h("h1", {}, t("hostGoneTitle")),
    h("p", { class: "note" }, icon("cloud"), h("span", {}, t("hostGone"))), h("div", { class: "spinner small" }),
    h("div", { class: "row" }, h("button", { class: "button quiet", onclick: () => location.reload() }, t("tryAgain"))));
  /** @param {number} pause */
  const wait = (pause) => setTimeout(async () => {
    if (!page.isConnected) return;
    try {
      await ask("GET", "/session");
      location.reload();
    } catch {
      wait(Math.min(LONGEST_PAUSE_MS, pause * 2));
    }
  }, pause);
  wait(1000);
  return page;
}
