// What does an address show that stands for nothing?
import { h } from "../dom.js";
import { t } from "../words.js";

/** @type {import("../types").Screen} */
export default function notFound() {
  return h("section", { class: "page narrow center" },
    h("h1", {}, t("notFoundTitle")), h("p", { class: "muted" }, t("notFoundText")),
    h("a", { class: "button", href: "/" }, t("toStart")));
}
