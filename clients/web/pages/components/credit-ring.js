// How many credits are left? A ring, in a colour and always in words as well.
import { h, svg } from "../dom.js";
import { currentLanguage, plural, t } from "../words.js";

const RADIUS = 52;

/**
 * The level of a balance: the service's own, or by what is left.
 * @param {import("../types").CreditBalance} balance
 */
export function levelOf(balance) {
  if (balance.level) return balance.level;
  return balance.available === 0 ? "red" : "green";
}

/** @param {import("../types").CreditBalance} balance of an account that is metered */
export function creditRing(balance) {
  const available = balance.available ?? 0;
  const whole = Math.max(balance.allocation ?? 0, available, 1);
  const level = levelOf(balance);
  // Whoever has bought more than the allocation has more than the whole.
  const words = balance.allocation === null || available > balance.allocation ? plural("youHave", available)
    : t("creditsOf", { left: plural("credits", available), all: number(balance.allocation) });
  const arc = svg("circle", { class: "ring-arc", cx: 60, cy: 60, r: RADIUS, pathLength: 100, "stroke-dasharray": "0 100" });
  // Drawn empty first, so that it fills before one's eyes.
  requestAnimationFrame(() => requestAnimationFrame(() => {
    arc.setAttribute("stroke-dasharray", `${available === 0 ? 0 : Math.max(1, (100 * available) / whole)} 100`);
  }));
  return h("div", { class: `ring level-${level}` },
    h("div", { class: "ring-face" },
      svg("svg", { viewBox: "0 0 120 120", "aria-hidden": "true" },
        svg("circle", { class: "ring-ground", cx: 60, cy: 60, r: RADIUS }), arc),
      h("span", { class: "ring-number number", "aria-hidden": "true" }, number(available))),
    h("div", { class: "stack tight" }, h("p", { class: "ring-words" }, words),
      h("p", { class: "ring-level" }, t(`level.${level}`)),
      balance.held > 0 ? h("p", { class: "small muted" }, plural("held", balance.held)) : null));
}

/** @param {number} value */
const number = (value) => new Intl.NumberFormat(currentLanguage()).format(value);
