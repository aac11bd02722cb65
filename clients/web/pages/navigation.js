// What leads from each screen to the others? A bar at the top; on a telephone, the main ways are at the bottom.
import { h, icon } from "./dom.js";
import { t } from "./words.js";

/** @type {[path: string, word: string, icon: Parameters<typeof icon>[0], also: string[]][]} */
const WAYS = [
  ["/capture", "navPortrait", "camera", ["/preview", "/style"]],
  ["/haircut", "navHaircut", "scissors", []],
  ["/places", "navPlaces", "pin", []],
  ["/history", "navHistory", "clock", ["/result", "/making"]],
  ["/profile", "navProfile", "person", []],
];

/** @param {import("./types").HostSession} session */
export function drawNavigation(session) {
  const header = document.getElementById("header");
  if (!header) return;
  const skip = h("a", { class: "skip", href: "#screen", onclick: toScreen }, t("skipToContent"));
  const brand = h("a", { class: "brand", href: "/" }, icon("scissors"), h("span", {}, "Atelier"));
  if (!session.admitted) return header.replaceChildren(skip, brand);
  const ways = WAYS.map(([path, word, name]) => h("a", { class: "way", href: path }, icon(name), h("span", {}, t(word))));
  const navigation = h("nav", { class: "ways", "aria-label": t("navigation") }, ways);
  const settings = h("a", { class: "icon-button", href: "/settings", "aria-label": t("navSettings") }, icon("gear"));
  header.replaceChildren(skip, brand, navigation, settings);
  const mark = () => {
    const here = location.pathname;
    ways.forEach((way, at) => setCurrent(way, [WAYS[at][0], ...WAYS[at][3]].some((path) => here.startsWith(path))));
    setCurrent(settings, here === "/settings");
  };
  document.addEventListener("screen", mark);
  mark();
}

/** @param {Element} way @param {boolean} isCurrent */
function setCurrent(way, isCurrent) {
  if (isCurrent) way.setAttribute("aria-current", "page");
  else way.removeAttribute("aria-current");
}

/** @param {Event} event */
function toScreen(event) {
  event.preventDefault();
  document.getElementById("screen")?.focus();
}
