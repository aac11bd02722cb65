// How is a request sent so that it is made exactly once? It is written down first, with a key of its own, and kept until
// it is answered. After a reload, or when the host is back, the same key finds what the host has made of it.
import { post, asApiError } from "./api.js";
import { showToast, hideToast } from "./components/toast.js";
import { go, hostSession } from "./router.js";
import { t } from "./words.js";

/** @typedef {import("./types").PendingRequest} PendingRequest */
/** @typedef {import("./types").GenerationResult} Generation */
const PENDING = "pending:";
/** After this time, a person no longer waits for the picture: it is not sent behind their back. */
const SENT_WITHIN_MS = 5 * 60_000;
/** After this time, a person no longer remembers that they wanted it. */
const TOLD_WITHIN_MS = 24 * 60 * 60_000;

/**
 * Sends a request and goes to the screen that shows its progress.
 * @param {PendingRequest["path"]} path
 * @param {Record<string, any>} params of `generate` or `regenerate`
 * @returns {Promise<void>} Rejected with the refusal, if there is one.
 */
export async function send(path, params) {
  const key = crypto.randomUUID();
  /** @type {PendingRequest} */
  const request = { path, params: { ...params, idempotencyKey: key }, at: Date.now(), account: accountTag() };
  localStorage.setItem(PENDING + key, JSON.stringify(request));
  const generation = await deliver(request);
  await go(placeOf(generation));
}

/** What tells whose request it is; a browser may have others' as well. */
const accountTag = () => hostSession().account?.appAccountToken;

/** The names of the requests that have no answer yet. */
const pendingNames = () => Object.keys(localStorage).filter((key) => key.startsWith(PENDING));

/** Forgets what has no answer yet: it is somebody else's from now on, or its photo is gone. */
export function forgetPending() {
  for (const name of pendingNames()) localStorage.removeItem(name);
}

/**
 * The path where a generation is followed.
 * @param {Generation} generation
 */
const placeOf = (generation) => (generation.recipe === "places" ? "/places/" : "/making/") + generation.generationId;

/** Sends again what has no answer yet: the page was reloaded, or the browser was closed. */
export async function resume() {
  for (const name of pendingNames()) {
    const request = pendingRequest(name);
    const age = request ? Date.now() - request.at : NaN;
    // A clock that was set back makes the age unknown as well.
    const isMine = request?.account === accountTag() && age >= 0 && age < TOLD_WITHIN_MS;
    if (!request || !isMine || age > SENT_WITHIN_MS) {
      localStorage.removeItem(name);
      if (isMine) showToast(t("notSent"));
      continue;
    }
    try {
      const generation = await deliver(request);
      await go(placeOf(generation));
    } catch (error) {
      localStorage.removeItem(name);
      showToast(asApiError(error).message);
    }
  }
}

/**
 * What was written down under a name; null if it cannot be read.
 * @param {string} name
 * @returns {PendingRequest | null}
 */
function pendingRequest(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Sends a request until there is an answer.
 * @param {PendingRequest} request
 * @returns {Promise<Generation>}
 */
async function deliver(request) {
  const name = PENDING + request.params.idempotencyKey;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const generation = await post(request.path, request.params);
      localStorage.removeItem(name);
      if (attempt > 0) hideToast();
      return generation;
    } catch (thrown) {
      const error = asApiError(thrown);
      if (!error.isLost) {
        localStorage.removeItem(name);
        throw error;
      }
      showToast(t("sendingAgain"), { stays: true });
      await new Promise((done) => setTimeout(done, Math.min(10_000, 500 * 2 ** attempt)));
    }
  }
}
