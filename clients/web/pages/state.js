// What does the page remember of the way from the photo to the picture? Only for this tab, but over a reload.

/** @typedef {import("./types").PreparedImage} PreparedImage */
/** @typedef {PreparedImage & { preparedId: string }} Photo */
/**
 * What was chosen on the screen of styles.
 * @typedef {object} StyleChoices
 * @property {number} [angle] absent: as in the photo
 * @property {string} background
 * @property {string} [aspectRatio]
 * @property {string} [size]
 * @property {"passport" | "none"} [crop]
 * @property {string} [passportSize]
 * @property {string} [headHeight]
 * @property {string} [pixels] exactly, such as 600x750; of a photo for a passport
 * @property {number} [maxBytes]
 * @property {number} [minBytes]
 * @property {number} count
 * @property {string} [provider]
 * @property {string} [format]
 */

/** @param {string} key */
function read(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Remembers a value for this tab; null forgets it.
 * @param {string} key
 * @param {unknown} value
 */
export function remember(key, value) {
  if (value === null) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(value));
}

/**
 * The photo to make pictures from, if one was prepared and is still kept.
 * @returns {Photo | null}
 */
export function currentPhoto() {
  /** @type {Photo | null} */
  const photo = read("photo");
  return photo && (!photo.expiresAt || Date.parse(photo.expiresAt) > Date.now()) ? photo : null;
}

/** @param {Photo | null} photo */
export const setPhoto = (photo) => remember("photo", photo);

/**
 * The choices of style, as they were left.
 * @returns {StyleChoices}
 */
export const styleChoices = () => ({ background: "auto", count: 1, ...read("style") });

/** @param {StyleChoices} choices */
export const setStyleChoices = (choices) => remember("style", choices);

/**
 * What another screen remembered under a key of its own.
 * @param {string} key
 * @returns {any}
 */
export const recall = read;

/** The path to go on to once a photo was chosen, such as `/haircut`; the styles of headshots by default. */
export const nextAfterPhoto = () => read("next") ?? "/style";

/** @param {string | null} path */
export const setNextAfterPhoto = (path) => remember("next", path);
