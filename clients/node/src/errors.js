"use strict";

class AtelierError extends Error {
  constructor(message, { code = 0, kind = "unknown", retryable = false, retryAfterMs, generationId, details, data } = {}) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    this.kind = kind;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.generationId = generationId;
    this.details = details ?? {};
    this.data = data ?? {};
  }

  get hint() { return this.details.hint; }
}

class InvalidRequest extends AtelierError {}

class InvalidParameters extends InvalidRequest {
  get path() { return String(this.data.path ?? ""); }
  get expected() { return String(this.data.expected ?? ""); }
}

class InvalidImage extends AtelierError {}

class InvalidReceipt extends AtelierError {
  get reason() { return this.details.reason; }
}

class InvalidIdentity extends AtelierError {}
class CredentialsError extends AtelierError {}

class InsufficientCredits extends AtelierError {
  get required() { return this.details.required; }
  get available() { return this.details.available; }
  get upgradeOptions() { return this.details.upgradeOptions ?? []; }
}

class PermissionDenied extends AtelierError {}
class ConsentRequired extends PermissionDenied {}
class NotFound extends AtelierError {}
class TimedOut extends AtelierError {}
class Conflict extends AtelierError {}
class Rejected extends AtelierError {}
class RateLimited extends AtelierError {}
class InternalError extends AtelierError {}
class Unavailable extends AtelierError {}
class StorageFull extends AtelierError {}

class ProtocolError extends AtelierError {
  constructor(message) {
    super(message, { kind: "protocol_error" });
  }
}

class ConnectionLost extends AtelierError {
  constructor(message, { exitStatus = null, signal = null, log = "" } = {}) {
    super(message, { kind: "connection_lost", retryable: true });
    this.exitStatus = exitStatus;
    this.signal = signal;
    this.log = log;
  }
}

class ExecutableNotFound extends AtelierError {
  constructor(message) {
    super(message, { kind: "executable_not_found" });
  }
}

module.exports = {
  AtelierError,
  InvalidRequest,
  InvalidParameters,
  InvalidImage,
  InvalidReceipt,
  InvalidIdentity,
  CredentialsError,
  InsufficientCredits,
  PermissionDenied,
  ConsentRequired,
  NotFound,
  TimedOut,
  Conflict,
  Rejected,
  RateLimited,
  InternalError,
  Unavailable,
  StorageFull,
  ProtocolError,
  ConnectionLost,
  ExecutableNotFound,
};
