// How does a picture get on the screen when the connection is bad? It is asked for again with pauses, and then it is said
// why it does not come.
import { ApiError, asApiError, ask, pathOf } from "../api.js";
import { t } from "../words.js";

const PAUSES_MS = [1000, 2000, 4000];

/** @type {WeakMap<HTMLImageElement, AbortController>} What each element shows; another picture takes its place. */
const shown = new WeakMap();

/**
 * Shows the picture of an address of the host.
 * @param {HTMLImageElement} element
 * @param {string} address
 * @param {object} options
 * @param {() => void} [options.onLoad]
 * @param {(error: ApiError) => void} options.onLost the picture does not come; with the status 404, it was erased
 * @param {AbortSignal} options.signal
 */
export function showPicture(element, address, { onLoad, onLost, signal: left }) {
  const pauses = [...PAUSES_MS];
  shown.get(element)?.abort();
  const mine = new AbortController();
  shown.set(element, mine);
  const { signal } = mine;
  left.addEventListener("abort", () => mine.abort(), { signal });
  element.addEventListener("load", () => onLoad?.(), { signal });
  element.addEventListener("error", async () => {
    const error = await reasonOf(address);
    if (signal.aborted) return;
    const pause = pauses.shift();
    if (!error.retryable || pause === undefined) return onLost(error);
    setTimeout(() => {
      if (!signal.aborted) element.src = address;
    }, pause);
  }, { signal });
  element.src = address;
}

/**
 * An element of a picture tells nothing of why it stays empty: the host is asked.
 * @param {string} address
 */
async function reasonOf(address) {
  try {
    const answer = await ask("GET", pathOf(address), { raw: true });
    await answer.body?.cancel();
    return new ApiError(0, { code: 0, kind: "unexpected", message: t("unexpected"), retryable: true });
  } catch (error) {
    return asApiError(error);
  }
}
