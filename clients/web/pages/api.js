// How does the page ask the host, and what is an error? Every request of every screen goes through here.
import { currentLanguage, t } from "./words.js";

/** @typedef {import("./types").HostError} HostError */
const BASE = "/api/v1";

/** A refusal of the service or the host, with the sentence for the person; or that the host cannot be reached. */
export class ApiError extends Error {
  /** @param {number} status @param {HostError} body */
  constructor(status, body) {
    super(body.message);
    this.name = "ApiError";
    this.status = status;
    this.kind = body.kind;
    this.retryable = body.retryable;
    /** @type {Record<string, any>} */
    this.details = body.details ?? {};
    /** When a retry makes sense, by `performance.now()`, which no change of the clock moves; 0 if not known. */
    this.retryAt = body.retryAfterMs === undefined ? 0 : performance.now() + body.retryAfterMs;
  }

  /** How long the host still asks to wait, in milliseconds. */
  get waitMs() {
    return Math.max(0, this.retryAt - performance.now());
  }

  /** True when no answer came: what was asked may or may not have been done. */
  get isLost() {
    return this.kind === "host_gone" || this.kind === "connection_lost";
  }
}

/**
 * The error of a generation, in the form of an answer's.
 * @param {import("./types").ErrorBody} body
 */
export function errorOfGeneration(body) {
  return new ApiError(body.code, { code: body.code, message: body.message, ...body.data });
}

/**
 * The error that anything thrown stands for.
 * @param {unknown} error
 */
export function asApiError(error) {
  if (error instanceof ApiError) return error;
  return new ApiError(0, { code: 0, kind: "unexpected", message: String(error), retryable: false });
}

/** @type {(error: ApiError) => void} */
let whenNotAdmitted = () => {};

/**
 * What to do when the host no longer knows this browser.
 * @param {(error: ApiError) => void} action
 */
export function onNotAdmitted(action) {
  whenNotAdmitted = action;
}

/**
 * Asks the host and returns the body of its answer, or the answer itself for `raw`.
 * @param {string} method
 * @param {string} path below `/api/v1`
 * @param {{ body?: any, query?: Record<string, any>, signal?: AbortSignal, raw?: boolean }} options
 * @returns {Promise<any>}
 */
export async function ask(method, path, { body, query, signal, raw } = {}) {
  const search = new URLSearchParams(Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== ""));
  /** @type {Record<string, string>} */
  const headers = { "Accept-Language": currentLanguage() };
  const isFile = body instanceof Blob;
  if (body !== undefined) headers["Content-Type"] = isFile ? typeOfPhoto(body) : "application/json";
  let answer;
  try {
    answer = await fetch(BASE + path + (String(search) ? `?${search}` : ""), {
      method, headers, signal, body: body === undefined ? undefined : isFile ? body : JSON.stringify(body),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, { code: 0, kind: "host_gone", message: t("hostGone"), retryable: true });
  }
  if (answer.ok) {
    if (raw) return answer;
    return answer.status === 204 ? null : answer.json();
  }
  throw await refusal(answer);
}

/** @param {Response} answer */
async function refusal(answer) {
  /** @type {HostError} */
  let body = { code: answer.status, kind: "unexpected", message: t("unexpected"), retryable: answer.status >= 500 };
  try {
    body = (await answer.json()).error ?? body;
  } catch {
    // A proxy answered with something else than JSON: its status is all that is known.
  }
  const wait = Number(answer.headers.get("Retry-After"));
  if (body.retryAfterMs === undefined && wait > 0) body.retryAfterMs = wait * 1000;
  const error = new ApiError(answer.status, body);
  if (error.kind === "not_admitted") whenNotAdmitted(error);
  return error;
}

/**
 * Browsers know no type of HEIC files; the service decides by the content anyway.
 * @param {Blob} file
 */
function typeOfPhoto(file) {
  return file.type.startsWith("image/") ? file.type : "image/heic";
}

/**
 * The changes that the host has not answered yet.
 * @type {Set<Promise<unknown>>}
 */
const changes = new Set();

/** @param {string} method @param {string} path @param {any} [body] */
function change(method, path, body) {
  const asked = ask(method, path, { body });
  /** @type {Promise<unknown>} */
  const over = asked.catch(() => {}).finally(() => changes.delete(over));
  changes.add(over);
  return asked;
}

/**
 * Reads after the changes that were made before, so that a list shows the mark that was just set.
 * @param {string} path @param {Record<string, any>} [query] @param {AbortSignal} [signal]
 */
export async function get(path, query, signal) {
  await Promise.all(changes);
  return ask("GET", path, { query, signal });
}
/** @param {string} path @param {any} [body] @param {AbortSignal} [signal] */
export const post = (path, body = {}, signal) => ask("POST", path, { body, signal });
/** @param {string} path @param {any} body */
export const patch = (path, body) => change("PATCH", path, body);
/** @param {string} path @param {any} body */
export const put = (path, body) => change("PUT", path, body);
/** @param {string} path */
export const remove = (path) => change("DELETE", path);

/**
 * Records what the start says: whoever continues from there accepts the terms.
 * @param {import("./types").HostSession} session
 */
export async function acceptTerms({ terms }) {
  if (!terms) return;
  // Where this fails, the terms are asked for when they are in the way.
  await post("/account/consent", { version: terms.version }).catch(() => {});
}

/**
 * The address of a generation's picture.
 * @param {string} id
 * @param {number} index
 * @param {number} [maxSide]
 */
export function imageAddress(id, index, maxSide) {
  return `${BASE}/generations/${id}/images/${index}${maxSide ? `?maxSide=${maxSide}` : ""}`;
}

/**
 * The address of the photo that a generation was made from; it may answer 404.
 * @param {string} id
 * @param {number} [maxSide]
 */
export const originalAddress = (id, maxSide = 1280) => `${BASE}/generations/${id}/original?maxSide=${maxSide}`;

/**
 * The address of a sheet for printing with copies of a picture.
 * @param {string} id
 * @param {number} index
 * @param {{ paper: string, copies?: string, format: string }} sheet
 */
export function sheetAddress(id, index, { paper, copies, format }) {
  const query = new URLSearchParams({ paper, format, ...(copies ? { copies } : {}) });
  return `${BASE}/generations/${id}/images/${index}?${query}`;
}

/**
 * The path of an address, as `ask` takes it.
 * @param {string} address
 */
export const pathOf = (address) => address.slice(BASE.length);

/**
 * The address of a prepared photo.
 * @param {string} id
 */
export const photoAddress = (id) => `${BASE}/photos/${id}`;
