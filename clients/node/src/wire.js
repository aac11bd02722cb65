"use strict";

const errors = require("./errors.js");

const BY_CODE = new Map([
  [-32700, errors.InvalidRequest],
  [-32600, errors.InvalidRequest],
  [-32601, errors.InvalidRequest],
  [-32602, errors.InvalidParameters],
  [-32603, errors.InternalError],
  [400, errors.InvalidImage],
  [401, errors.CredentialsError],
  [402, errors.InsufficientCredits],
  [403, errors.PermissionDenied],
  [404, errors.NotFound],
  [408, errors.TimedOut],
  [409, errors.Conflict],
  [413, errors.InvalidImage],
  [415, errors.InvalidImage],
  [422, errors.Rejected],
  [429, errors.RateLimited],
  [500, errors.InternalError],
  [502, errors.Unavailable],
  [503, errors.Unavailable],
  [504, errors.TimedOut],
  [507, errors.StorageFull],
]);

// Kinds that belong to another family than most of their code.
const BY_KIND = new Map([
  ["consent_required", errors.ConsentRequired],
  ["invalid_identity", errors.InvalidIdentity],
  ["invalid_receipt", errors.InvalidReceipt],
  ["provider_denied", errors.CredentialsError],
]);

/** The error for an error object of the wire: `{code, message, data}`. */
function errorFromWire(value) {
  if (!isObject(value)) {
    return new errors.ProtocolError("The service reported an error in a form this client does not understand.");
  }
  const data = isObject(value.data) ? value.data : {};
  const code = Number.isInteger(value.code) ? value.code : 0;
  const kind = typeof data.kind === "string" ? data.kind : "unknown";
  const Family = BY_KIND.get(kind) ?? BY_CODE.get(code) ?? errors.AtelierError;
  return new Family(typeof value.message === "string" ? value.message : "The service gave no reason.", {
    code,
    kind,
    retryable: data.retryable === true,
    retryAfterMs: Number.isFinite(data.retryAfterMs) ? data.retryAfterMs : undefined,
    generationId: typeof data.generationId === "string" ? data.generationId : undefined,
    details: isObject(data.details) ? data.details : {},
    data,
  });
}

/** The error object of the wire for what a handler of the host's threw. */
function errorToWire(error) {
  if (error instanceof errors.AtelierError) {
    return { code: error.code, message: error.message, data: { kind: error.kind, retryable: error.retryable } };
  }
  // What else it says is the host's own affair.
  return { code: -32603, message: "The host could not answer.", data: { kind: "internal", retryable: false } };
}

/** Why a generation has no result that was cancelled while what it needs was made ready. */
function cancelledBeforeSent() {
  return new errors.AtelierError(
    "The generation was cancelled before it was sent.", { code: -32800, kind: "request_cancelled" });
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

module.exports = { errorFromWire, errorToWire, cancelledBeforeSent, isObject };
