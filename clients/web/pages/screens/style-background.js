// What stands behind the person? One of the backgrounds that the service lists, or a colour of one's own.
import { pills } from "../components/pills.js";
import { h } from "../dom.js";
import { t } from "../words.js";

/** What the service calls the background that stands for every colour. */
const ANY_COLOUR = "#rrggbb";
const FIRST_COLOUR = "#1e90ff";

/**
 * @param {import("../types").BackgroundOption[]} backgrounds
 * @param {string} chosen
 * @param {(background: string) => void} change
 */
export function backgroundField(backgrounds, chosen, change) {
  const isColour = chosen.startsWith("#");
  const colour = h("input", {
    type: "color", class: "colour", value: isColour ? chosen : FIRST_COLOUR, "aria-label": t("colour"),
      oninput: () => change(colour.value),
  });
  const place = h("label", { class: "row colour-row", hidden: !isColour }, colour, h("span", {}, t("chooseColour")));
  const all = backgrounds.map((one) => ({ value: one.id, title: backgroundTitle(one), mark: swatch(one.id),
    hint: t(`backgroundHint.${wordOf(one.id)}`, {}, one.description) }));
  const field = pills(t("background"), all, isColour ? ANY_COLOUR : chosen, (value) => {
    place.hidden = value !== ANY_COLOUR;
    change(value === ANY_COLOUR ? colour.value : value);
  });
  field.append(place);
  return field;
}

/** @param {string} id */
const wordOf = (id) => (id.startsWith("#") ? "colour" : id);

/**
 * What a background is called: by the page's words, or by the service's, which may have others.
 * @param {{ id: string, title: string }} background
 */
export const backgroundTitle = ({ id, title }) => t(`background.${wordOf(id)}`, {}, title);

/** @param {string} id */
function swatch(id) {
  return h("i", { class: `swatch swatch-${wordOf(id)}`, "aria-hidden": "true" });
}
