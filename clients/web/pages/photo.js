// How does a photo get from the person to the host? From the camera, a file, the clipboard or by dropping, always this way.
import { ApiError, ask } from "./api.js";
import { remember, setPhoto } from "./state.js";
import { t } from "./words.js";

/** What the host takes at most; a larger file is refused before it is sent. */
const MOST_BYTES = 40_000_000;

/** What a file dialog offers; browsers know no type of HEIC files, so their endings are named. */
export const PHOTO_TYPES = "image/*,.heic,.heif,.avif";

/**
 * Sends a photo to be prepared, and remembers it as the one to make pictures from.
 * @param {Blob} file
 * @param {AbortSignal} signal
 * @returns {Promise<import("./state.js").Photo>}
 */
export async function preparePhoto(file, signal) {
  checkPhoto(file);
  const photo = await ask("POST", "/photos", { body: file, signal });
  setPhoto(photo);
  // An earlier picture is no longer what is to be made again.
  remember("regenerate", null);
  return photo;
}

/**
 * Refuses what cannot be a photo before it is sent.
 * @param {Blob} file
 */
export function checkPhoto(file) {
  if (file.size === 0) throw refused(415, "unsupported_media_type", t("fileIsEmpty"));
  const name = file instanceof File ? file.name : "";
  const isPicture = file.type.startsWith("image/") || /\.(heic|heif|avif|jpe?g|png|webp)$/i.test(name);
  if (!isPicture) throw refused(415, "unsupported_media_type", t("fileIsNoPhoto"));
  if (file.size > MOST_BYTES) throw refused(413, "body_too_large", t("fileTooLarge"));
}

/**
 * @param {number} code
 * @param {string} kind
 * @param {string} message
 */
function refused(code, kind, message) {
  return new ApiError(code, { code, kind, message, retryable: false });
}

/**
 * Takes photos that are dropped on the page or pasted into it.
 * @param {(file: Blob) => void} take
 * @param {(isOver: boolean) => void} over when a file is held over the page, and when it no longer is
 * @param {AbortSignal} signal
 */
export function takeDroppedPhotos(take, over, signal) {
  let depth = 0;
  const options = { signal };
  /** @param {DragEvent} event */
  const hasFile = (event) => Boolean(event.dataTransfer?.types.includes("Files"));
  document.addEventListener("dragenter", (event) => {
    if (!hasFile(event)) return;
    depth += 1;
    over(true);
  }, options);
  document.addEventListener("dragleave", (event) => {
    if (hasFile(event)) depth = Math.max(0, depth - 1);
    if (depth === 0) over(false);
  }, options);
  // Without this, the browser would open the file in place of the page.
  document.addEventListener("dragover", (event) => event.preventDefault(), options);
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    over(false);
    const file = event.dataTransfer?.files[0];
    if (file) take(file);
  }, options);
  document.addEventListener("paste", (event) => {
    const file = event.clipboardData?.files[0];
    if (file) take(file);
  }, options);
}
