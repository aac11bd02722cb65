// Which haircuts are in the library? A search, the categories, and the haircuts, most used first.
import { asApiError, get } from "../api.js";
import { afterPause } from "../after-pause.js";
import { h, icon } from "../dom.js";
import { plural, t } from "../words.js";
import { errorBox } from "./error-box.js";
import { pills } from "./pills.js";

/**
 * The host tells no paths; whether there is a picture.
 * @typedef {import("../types").Template & { hasThumbnail?: boolean }} Template
 */
const CATEGORIES = /** @type {const} */ (["short", "medium", "long", "curly", "updo", "braids", "color", "trendy", "beard"]);
const PAGE = 24;

/**
 * @param {string | undefined} selected the id of the haircut that is chosen
 * @param {(template: Template | null) => void} onSelect
 * @param {AbortSignal} signal
 */
export function hairstyleLibrary(selected, onSelect, signal) {
  let category = "";
  /** @type {string | undefined} */
  let cursor;
  let asked = 0;
  const error = errorBox();
  const list = h("ul", { class: "hairstyles", "aria-label": t("library") });
  const more = h("button", { class: "button quiet", type: "button", hidden: true, onclick: () => load(false) },
    t("showMore"));
  const none = h("p", { class: "muted", hidden: true }, t("noHairstyles"));
  const search = h("input", { class: "input", type: "search", placeholder: t("searchHairstyles"),
    "aria-label": t("searchHairstyles") });
  search.addEventListener("input", afterPause(() => load(true), 250));

  /** @param {boolean} isNew */
  async function load(isNew) {
    const mine = ++asked;
    error.show(null);
    try {
      const query = { category, search: search.value.trim(), limit: PAGE, cursor: isNew ? undefined : cursor };
      const page = await get("/hairstyles", query, signal);
      if (mine !== asked) return;
      const cards = page.templates.map(card);
      if (isNew) list.replaceChildren(...cards);
      else list.append(...cards);
      if (!isNew) cards[0]?.querySelector("button")?.focus();
      cursor = page.nextCursor;
      more.hidden = !cursor;
      none.hidden = list.childElementCount > 0;
    } catch (thrown) {
      if (!signal.aborted) error.show(asApiError(thrown), () => load(isNew));
    }
  }

  /** @param {Template} template */
  function card(template) {
    const press = () => select(selected === template.id ? null : template);
    const button = h("button", { class: "hairstyle", type: "button", "aria-pressed": String(template.id === selected),
      onclick: press },
      template.hasThumbnail ? h("img", { src: `/api/v1/hairstyles/${template.id}/thumbnail`, alt: "", loading: "lazy" })
        : null,
      h("span", { class: "hairstyle-name", dir: "auto" }, template.name, icon("check")),
      h("span", { class: "small muted", dir: "auto" }, template.tags.slice(0, 3).join(" · ")),
      template.popularity > 0 ? h("span", { class: "small muted" }, plural("timesUsed", template.popularity)) : null);
    button.dataset.id = template.id;
    return h("li", {}, button);
  }

  /** @param {Template | null} template */
  function select(template) {
    selected = template?.id;
    for (const button of list.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.id === selected));
    }
    onSelect(template);
  }

  const options = ["", ...CATEGORIES].map((value) => ({ value, title: t(`category.${value || "all"}`) }));
  load(true);
  const element = h("div", { class: "stack" }, search,
    pills(t("category"), options, "", (value) => {
      category = value;
      load(true);
    }), error, none, list, more);
  return { element, clear: () => select(null) };
}
