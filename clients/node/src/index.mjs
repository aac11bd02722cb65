// The names for `import`. There is one implementation: an error of it has the same class for `import` and for `require`.

import studio from "./index.js";

export const {
  Atelier, Generation, VERSION,
  AtelierError, InvalidRequest, InvalidParameters, InvalidImage, InvalidReceipt, InvalidIdentity, CredentialsError,
  InsufficientCredits, PermissionDenied, ConsentRequired, NotFound, TimedOut, Conflict, Rejected,
  RateLimited, InternalError, Unavailable, StorageFull, ProtocolError, ConnectionLost,
  ExecutableNotFound,
} = studio;
