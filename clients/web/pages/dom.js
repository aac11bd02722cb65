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
  camera: "M4 8h3l2-3h6l2 3h3a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1zM12 10a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z",
  scissors: "M6 3l8.500 13M18 3L9.500 16M7 16a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5zM17 16a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z",
  pin: "M12 21s-7-6.300-7-11.500A7 7 0 0 1 19 9.500C19 14.700 12 21 12 21zM12 7a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.500 20.500c.8-4 3.800-6 7.500-6s6.700 2 7.500 6",
  gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 2.500v3M12 18.500v3M2.500 12h3M18.500 12h3M5.300 5.300l2.100 2.100M16.600 16.600l2.100 2.100M5.300 18.700l2.100-2.100M16.600 7.400l2.100-2.100",
  photos: "M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM4 16l4.500-4.500 4 4 2.500-2.500 5 5M15.500 7.500a1 1 0 1 0 0 2 1 1 0 0 0 0-2z",
  flip: "M4 12a8 8 0 0 1 14-5.300L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.300L4 15M4 20v-5h5",
  download: "M12 4v11M7.500 11l4.500 4.500 4.500-4.500M4 19.500h16",
  share: "M12 15V4M8 7.500L12 3.500l4 4M5 12v7.500h14V12",
  heart: "M12 20s-8-4.800-8-10.500A4.500 4.500 0 0 1 12 7a4.500 4.500 0 0 1 8 2.500C20 15.200 12 20 12 20z",
  trash: "M4 6.500h16M9 6.500V4h6v2.500M6 6.500l1 13.500h10l1-13.500M10 10.500v6M14 10.500v6",
  star: "M12 3.500l2.600 5.600 6.100.7-4.500 4.200 1.200 6-5.400-3-5.400 3 1.200-6-4.500-4.200 6.100-.7z",
  again: "M19.500 12a7.500 7.500 0 1 1-2.200-5.300L20 9M20 4v5h-5",
  wand: "M4 20L15 9M17.500 3v4M15.500 5h4M19.500 12v3M18 13.500h3M8.500 4v3M7 5.500h3",
  check: "M4.500 12.500l5 5 10-11",
  close: "M5.500 5.500l13 13M18.500 5.500l-13 13",
  back: "M14.500 5l-7 7 7 7",
  next: "M9.500 5l7 7-7 7",
  up: "M5 14.500l7-7 7 7",
  down: "M5 9.500l7 7 7-7",
  plus: "M12 5v14M5 12h14",
  search: "M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500L20.500 20.500",
  shield: "M12 3l7.500 3v5.500c0 4.500-3.200 8-7.500 9.500-4.300-1.500-7.500-5-7.500-9.500V6z",
  cloud: "M7 18.500a4.500 4.500 0 0 1-.5-9 6 6 0 0 1 11.500 1.500 3.800 3.800 0 0 1-.5 7.500z",
  warning: "M12 4l9 16H3zM12 10v4.500M12 17v.5",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5.500M12 7.500v.5",
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
    const link = h("link", { rel: "stylesheet", href: address, onload: () => resolve(), onerror: () => resolve() });
    document.head.append(link);
  });
}
