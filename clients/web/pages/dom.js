// How are elements made? One function, which takes texts as text nodes: nothing here reads HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element.
 *
 * `on…` members are listeners, `class`, `aria-…` and the like are attributes, true is an attribute without a value, and
 * false, null and undefined are left out. Strings and numbers among the children become text nodes.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * Makes an element of SVG, as `h` does.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes, ...children) {
  return fill(/** @type {any} */ (document.createElementNS(SVG, tag)), attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, any> | undefined} attributes
 * @param {any[]} children
 * @returns {E}
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The drawings of the icons: paths in a square of 24. */
const ICONS = {
  camera: "M4 8h3l2-3h6l2 3h3a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1z"
    + "M12 10a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
  scissors: "M6 3l8.5 13M18 3L9.5 16M7 16a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM17 16a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  pin: "M12 21s-7-6.3-7-11.5A7 7 0 0 1 19 9.5C19 14.7 12 21 12 21zM12 7a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6",
  gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1"
    + "M5.3 18.7l2.1-2.1M16.6 7.4l2.1-2.1",
  photos: "M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM4 16l4.5-4.5 4 4 2.5-2.5 5 5"
    + "M15.5 7.5a1 1 0 1 0 0 2 1 1 0 0 0 0-2z",
  flip: "M4 12a8 8 0 0 1 14-5.3L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.3L4 15M4 20v-5h5",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4 19.5h16",
  printer: "M7 8.5V4h10v4.5M7 17H4V9.5h16V17h-3M7 13.5h10V20H7zM17 11.8v.2",
  share: "M12 15V4M8 7.5L12 3.5l4 4M5 12v7.5h14V12",
  heart: "M12 20s-8-4.8-8-10.5A4.5 4.5 0 0 1 12 7a4.5 4.5 0 0 1 8 2.5C20 15.2 12 20 12 20z",
  trash: "M4 6.5h16M9 6.5V4h6v2.5M6 6.5l1 13.5h10l1-13.5M10 10.5v6M14 10.5v6",
  star: "M12 3.5l2.6 5.6 6.1.7-4.5 4.2 1.2 6-5.4-3-5.4 3 1.2-6-4.5-4.2 6.1-.7z",
  again: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9M20 4v5h-5",
  wand: "M4 20L15 9M17.5 3v4M15.5 5h4M19.5 12v3M18 13.5h3M8.5 4v3M7 5.5h3",
  check: "M4.5 12.5l5 5 10-11",
  close: "M5.5 5.5l13 13M18.5 5.5l-13 13",
  back: "M14.5 5l-7 7 7 7",
  next: "M9.5 5l7 7-7 7",
  up: "M5 14.5l7-7 7 7",
  down: "M5 9.5l7 7 7-7",
  plus: "M12 5v14M5 12h14",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20.5 20.5",
  shield: "M12 3l7.5 3v5.5c0 4.5-3.2 8-7.5 9.5-4.3-1.5-7.5-5-7.5-9.5V6z",
  cloud: "M7 18.5a4.5 4.5 0 0 1-.5-9 6 6 0 0 1 11.5 1.5 3.8 3.8 0 0 1-.5 7.5z",
  warning: "M12 4l9 16H3zM12 10v4.5M12 17v.5",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5.5M12 7.5v.5",
};

/**
 * An icon beside words or in a button that has a name; a screen reader passes over it.
 * @param {keyof typeof ICONS} name
 */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

/**
 * Tells people who hear the page what has happened, once.
 * @param {string} text
 */
export function announce(text) {
  const live = document.getElementById("live");
  if (live && live.textContent !== text) live.textContent = text;
}

/**
 * Loads the style of one screen, once; resolved when it can be seen.
 * @param {string} name of a file in `screens/`, without `.css`
 * @returns {Promise<void>}
 */
export function useStyle(name) {
  const address = `/assets/screens/${name}.css`;
  if (document.querySelector(`link[href="${address}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    const link = h("link", { rel: "stylesheet", href: address, onload: () => resolve() });
    // Without its style, a screen is still better than none; when it is opened again, the style is asked for again.
    link.addEventListener("error", () => {
      link.remove();
      resolve();
    });
    document.head.append(link);
  });
}
