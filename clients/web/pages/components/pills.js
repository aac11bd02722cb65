// How does a person choose one of several? With radio buttons that look like pills; arrow keys work as everywhere.
import { h } from "../dom.js";

let groups = 0;

/**
 * @template {string} Value
 * @typedef {object} Choice
 * @property {Value} value
 * @property {string} title
 * @property {string} [hint]
 * @property {boolean} [disabled]
 * @property {Element} [mark] in front of the title
 */

/**
 * One of several, under a name.
 * @template {string} Value
 * @param {string} name
 * @param {Choice<Value>[]} all
 * @param {Value | undefined} chosen
 * @param {(value: Value) => void} change
 */
export function pills(name, all, chosen, change) {
  const group = `choice-${groups += 1}`;
  const pills = all.map(({ value, title, hint, disabled, mark }) => h("label", { class: "choice", title: hint },
    h("input", { type: "radio", name: group, value, checked: value === chosen, disabled, onchange: () => change(value) }),
    h("span", {}, mark ?? null, h("bdi", {}, title))));
  return h("fieldset", { class: "field" }, h("legend", {}, name), h("div", { class: "choices" }, pills));
}
