/// The stable name of an error of the service. More may be added; a client that does not know a kind decides by the
/// code. The comment of each case says what a host does about it.
public enum ErrorKind: String, Codable, Sendable, CaseIterable {
  /// Tell the person. `details` may say more.
  case invalidImage = "invalid_image"
  /// Choose another photo. If `details.remedy` is `image/prepare`, that makes it fit.
  case invalidDimensions = "invalid_dimensions"
  /// Send fewer pictures.
  case tooManyImages = "too_many_images"
  /// Correct the request; `details.member`, if there, names the param.
  case wrongRecipeInput = "wrong_recipe_input"
  /// Do not finish the shop's transaction. `details.reason` says why.
  case invalidReceipt = "invalid_receipt"
  /// Ask for a key.
  case noApiKey = "no_api_key"
  /// Ask for the key again.
  case invalidApiKey = "invalid_api_key"
  /// Let the person sign in again. `details.hint` says what was wrong with the identity token.
  case invalidIdentity = "invalid_identity"
  /// Offer `details.upgradeOptions`.
  case insufficientCredits = "insufficient_credits"
  /// Use the connection's own account.
  case permissionDenied = "permission_denied"
  /// Show the terms of use, and record with `account/consent` that the person accepts them.
  case consentRequired = "consent_required"
  /// Check what the key may do, or choose another provider.
  case providerDenied = "provider_denied"
  /// Show the message: it names what is missing.
  case fileAccessDenied = "file_access_denied"
  /// Look for the generation in `history`.
  case notFound = "not_found"
  /// List the templates.
  case templateNotFound = "template_not_found"
  /// Prepare the photo again.
  case inputExpired = "input_expired"
  /// Try again, or raise `timeoutMs`.
  case timedOut = "timed_out"
  /// Choose a new key.
  case idempotencyMismatch = "idempotency_mismatch"
  /// Use the result. `details.state` says how it ended.
  case alreadyFinished = "already_finished"
  /// Wait for the end. `details.state` says where it stands.
  case notFinished = "not_finished"
  /// Choose a smaller file. If `details.remedy` is `image/prepare`, that makes it fit. `details` has `bytes` and `maxBytes`.
  case imageTooLarge = "image_too_large"
  /// Choose another file.
  case unsupportedImage = "unsupported_image"
  /// Change the request.
  case contentBlocked = "content_blocked"
  /// Try again.
  case noImageReturned = "no_image_returned"
  /// Choose another photo.
  case noFaceFound = "no_face_found"
  /// Choose a photo of one person, or let the person crop it. `details.faces` counts the people.
  case severalPeople = "several_people"
  /// Choose a photo taken closer. `details.facePixels` is the width of the face.
  case faceTooSmall = "face_too_small"
  /// Try again, perhaps in other words or with a town.
  case noPlacesFound = "no_places_found"
  /// Choose another provider, or ask for something else.
  case unsupportedByProvider = "unsupported_by_provider"
  /// Wait `retryAfterMs`.
  case rateLimited = "rate_limited"
  /// Wait `retryAfterMs`.
  case coolingDown = "cooling_down"
  /// Wait `retryAfterMs`.
  case dailyLimit = "daily_limit"
  /// Tell whoever pays for the key.
  case quotaExhausted = "quota_exhausted"
  /// Wait for the other generation.
  case concurrentLimit = "concurrent_limit"
  /// Report it.
  case `internal`
  /// Send the request again.
  case interrupted
  /// Try again later.
  case providerError = "provider_error"
  /// Try again later, or use another provider.
  case providerUnavailable = "provider_unavailable"
  /// Try again when online.
  case offline
  /// Wait `retryAfterMs`.
  case overloaded
  /// Try again.
  case providerTimeout = "provider_timeout"
  /// Free space on the disk.
  case storageFull = "storage_full"
  /// Try again later. `status` says why the store is not healthy, and the service's log names the file.
  case storageUnavailable = "storage_unavailable"

  /// The code that is sent, with the meaning of the same HTTP status.
  public var code: Int {
    switch self {
    case .invalidImage, .invalidDimensions, .tooManyImages, .wrongRecipeInput, .invalidReceipt: 400
    case .noApiKey, .invalidApiKey, .invalidIdentity: 401
    case .insufficientCredits: 402
    case .permissionDenied, .consentRequired, .providerDenied, .fileAccessDenied: 403
    case .notFound, .templateNotFound, .inputExpired: 404
    case .timedOut: 408
    case .idempotencyMismatch, .alreadyFinished, .notFinished: 409
    case .imageTooLarge: 413
    case .unsupportedImage: 415
    case .contentBlocked, .noImageReturned, .noFaceFound, .severalPeople, .faceTooSmall, .noPlacesFound,
      .unsupportedByProvider:
      422
    case .rateLimited, .coolingDown, .dailyLimit, .quotaExhausted, .concurrentLimit: 429
    case .internal, .interrupted: 500
    case .providerError: 502
    case .providerUnavailable, .offline, .overloaded, .storageUnavailable: 503
    case .providerTimeout: 504
    case .storageFull: 507
    }
  }

  /// True when the same request may succeed later, unchanged.
  public var isRetryable: Bool { consequences.retry == .later }

  /// What follows from an error of this kind.
  public var consequences: ErrorConsequences { ErrorConsequences(of: self) }
}
