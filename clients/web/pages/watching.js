// How is a generation followed? By one stream of events, which is opened again whenever it breaks.
import { get, ApiError, asApiError } from "./api.js";

/** @typedef {import("./types").GenerationResult} Generation */
/**
 * @typedef {object} Watcher
 * @property {(progress: import("./types").ProgressEvent) => void} progress
 * @property {(generation: Generation) => void} finished called once, at the end
 * @property {(error: ApiError) => void} [refused] the generation cannot be followed, for example because it was deleted
 * @property {() => void} [gone] the host does not answer; it is asked again and again
 * @property {() => void} [back] the host answers again
 */

const HIDDEN_LIMIT_MS = 60_000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * True when nothing of a generation can change any more.
 * @param {Generation} generation
 */
export const isOver = (generation) => generation.state !== "queued" && generation.state !== "running";

/**
 * Follows a generation until it ends, or until `signal` is aborted.
 *
 * A page that is hidden for long gives its stream back: a browser opens only six connections to a host.
 * @param {string} id
 * @param {Watcher} watcher
 * @param {AbortSignal} signal
 */
export function watch(id, watcher, signal) {
  /** @type {EventSource | null} */
  let stream = null;
  let timer = 0;
  let failures = 0;
  /** How many streams in a row have told nothing: perhaps the host has too many of them. */
  let silent = 0;

  function close() {
    stream?.close();
    stream = null;
    clearTimeout(timer);
  }

  function open() {
    close();
    if (signal.aborted) return;
    stream = new EventSource(`/api/v1/generations/${encodeURIComponent(id)}/events`);
    stream.addEventListener("progress", (event) => {
      answered();
      silent = 0;
      watcher.progress(JSON.parse(event.data));
    });
    stream.addEventListener("finished", (event) => end(JSON.parse(event.data)));
    stream.addEventListener("error", lookAgain);
  }

  function answered() {
    if (failures > 0) watcher.back?.();
    failures = 0;
  }

  /** @param {Generation} generation */
  function end(generation) {
    answered();
    close();
    if (!signal.aborted) watcher.finished(generation);
  }

  /** A stream tells nothing of why it broke: the generation itself is asked for. */
  async function lookAgain() {
    close();
    try {
      /** @type {Generation} */
      const generation = await get(`/generations/${encodeURIComponent(id)}`, undefined, signal);
      if (isOver(generation)) return end(generation);
      answered();
      if (generation.progress) {
        watcher.progress({ generationId: id, state: generation.state, elapsedMs: 0, ...generation.progress });
      }
      failures = 1;
      timer = window.setTimeout(open, Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** silent));
      silent += 1;
    } catch (thrown) {
      if (signal.aborted) return;
      const error = asApiError(thrown);
      if (!error.isLost && !error.retryable) return watcher.refused?.(error);
      failures += 1;
      watcher.gone?.();
      timer = window.setTimeout(lookAgain, Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures));
    }
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) timer = window.setTimeout(close, HIDDEN_LIMIT_MS);
    else if (!stream) lookAgain();
  }, { signal });
  signal.addEventListener("abort", close);
  open();
}
