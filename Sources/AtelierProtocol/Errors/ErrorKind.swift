/// The stable name of an application error (PROTOCOL 6); more may come, and clients go by the code then.
public enum ErrorKind: String, Codable, Sendable, CaseIterable {
  case invalidImage = "invalid_image"
  case invalidDimensions = "invalid_dimensions"
  case tooManyImages = "too_many_images"
  case wrongRecipeInput = "wrong_recipe_input"
  case invalidReceipt = "invalid_receipt"
  case noApiKey = "no_api_key"
  case invalidApiKey = "invalid_api_key"
  case insufficientCredits = "insufficient_credits"
  case permissionDenied = "permission_denied"
  case fileAccessDenied = "file_access_denied"
  case notFound = "not_found"
  case templateNotFound = "template_not_found"
  case inputExpired = "input_expired"
  case timedOut = "timed_out"
  case idempotencyMismatch = "idempotency_mismatch"
  case alreadyFinished = "already_finished"
  /// Something that is done with results only was asked of a generation that goes on.
  case notFinished = "not_finished"
  case imageTooLarge = "image_too_large"
  case unsupportedImage = "unsupported_image"
  case contentBlocked = "content_blocked"
  case noImageReturned = "no_image_returned"
  case noFaceFound = "no_face_found"
  case unsupportedByProvider = "unsupported_by_provider"
  case rateLimited = "rate_limited"
  case coolingDown = "cooling_down"
  case dailyLimit = "daily_limit"
  case quotaExhausted = "quota_exhausted"
  case concurrentLimit = "concurrent_limit"
  case `internal`
  /// The service died while it worked on the generation.
  case interrupted
  case providerError = "provider_error"
  case providerUnavailable = "provider_unavailable"
  case offline
  case overloaded
  case providerTimeout = "provider_timeout"
  case storageFull = "storage_full"

  /// The code on the wire; it reads like an HTTP status.
  public var code: Int {
    switch self {
    case .invalidImage, .invalidDimensions, .tooManyImages, .wrongRecipeInput, .invalidReceipt: 400
    case .noApiKey, .invalidApiKey: 401
    case .insufficientCredits: 402
    case .permissionDenied, .fileAccessDenied: 403
    case .notFound, .templateNotFound, .inputExpired: 404
    case .timedOut: 408
    case .idempotencyMismatch, .alreadyFinished, .notFinished: 409
    case .imageTooLarge: 413
    case .unsupportedImage: 415
    case .contentBlocked, .noImageReturned, .noFaceFound, .unsupportedByProvider: 422
    case .rateLimited, .coolingDown, .dailyLimit, .quotaExhausted, .concurrentLimit: 429
    case .internal, .interrupted: 500
    case .providerError: 502
    case .providerUnavailable, .offline, .overloaded: 503
    case .providerTimeout: 504
    case .storageFull: 507
    }
  }

  /// True when the same request may succeed later without anybody changing it.
  public var isRetryable: Bool {
    switch self {
    case .timedOut, .noImageReturned, .rateLimited, .coolingDown, .dailyLimit, .concurrentLimit, .interrupted,
      .providerError, .providerUnavailable, .offline, .overloaded, .providerTimeout:
      true
    default: false
    }
  }
}
