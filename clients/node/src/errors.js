export class AtelierError extends Error {
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
}

export class InvalidRequest extends AtelierError {}

export class InvalidParameters extends InvalidRequest {
  get path() { return String(this.data.path ?? ""); }
  get expected() { return String(this.data.expected ?? ""); }
}

export class InvalidImage extends AtelierError {}

export class InvalidReceipt extends AtelierError {
  get reason() { return this.details.reason; }
}

export class CredentialsError extends AtelierError {}

export class InsufficientCredits extends AtelierError {
  get required() { return this.details.required; }
  get available() { return this.details.available; }
  get upgradeOptions() { return this.details.upgradeOptions ?? []; }
}

export class PermissionDenied extends AtelierError {}
export class NotFound extends AtelierError {}
export class TimedOut extends AtelierError {}
export class Conflict extends AtelierError {}
export class Rejected extends AtelierError {}
export class RateLimited extends AtelierError {}
export class InternalError extends AtelierError {}
export class Unavailable extends AtelierError {}
export class StorageFull extends AtelierError {}

export class ProtocolError extends AtelierError {
  constructor(message) {
    super(message, { kind: "protocol_error" });
  }
}

export class ConnectionLost extends AtelierError {
  constructor(message, { exitStatus = null, signal = null, log = "" } = {}) {
    super(message, { kind: "connection_lost", retryable: true });
    this.exitStatus = exitStatus;
    this.signal = signal;
    this.log = log;
  }
}

export class ExecutableNotFound extends AtelierError {
  constructor(message) {
    super(message, { kind: "executable_not_found" });
  }
}
