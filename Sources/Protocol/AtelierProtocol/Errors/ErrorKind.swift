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
  /// Offer `details.upgradeOptions`.
  case insufficientCredits = "insufficient_credits"
  /// Use the connection's own account.
  case permissionDenied = "permission_denied"
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
    case .noApiKey, .invalidApiKey: 401
    case .insufficientCredits: 402
    case .permissionDenied, .providerDenied, .fileAccessDenied: 403
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

extension ErrorKind {
  /// The message for a person when nothing more exact is known.
  public var sentence: String {
    switch self {
    case .invalidImage: "Please check your image and try again."
    case .invalidDimensions: "The image is too small or too large: its sides must have 256 to 4096 pixels."
    case .tooManyImages: "At most three images can be used at once: remove one and try again."
    case .wrongRecipeInput: "The request does not fit its recipe: check what the recipe needs and try again."
    case .invalidReceipt: "The store does not confirm this purchase: restore your purchases in the app and try again."
    case .noApiKey: "This provider needs an API key: set one and try again."
    case .invalidApiKey: "The provider did not accept the API key: check it and set it again."
    case .insufficientCredits: "There are not enough credits left: get more, or use a provider that costs none."
    case .permissionDenied: "This connection may not act for that account."
    case .providerDenied:
      "The provider does not allow this API key to do that. Check the key's permissions, or choose another provider."
    case .fileAccessDenied: "Atelier is not allowed to use that file or folder: check its permissions and try again."
    case .notFound: "There is nothing with that id: it may have been deleted."
    case .templateNotFound: "There is no such template: choose another one."
    case .inputExpired: "The prepared image is no longer kept: prepare the photo again."
    case .timedOut: "This took too long: try again, or allow more time."
    case .idempotencyMismatch: "That idempotency key was used for a different request: choose a new one."
    case .alreadyFinished: "The generation has already ended and can no longer be cancelled."
    case .notFinished: "The generation has not ended yet: wait for its end, or cancel it first."
    case .imageTooLarge: "The image file is too large: choose a smaller one, or prepare it first."
    case .unsupportedImage: "This kind of file is not supported: use JPEG, PNG, WebP, HEIC or AVIF."
    case .contentBlocked: "The provider's safety rules refused this request: change the prompt or the photo."
    case .noImageReturned: "The provider returned no image: try again, perhaps in other words."
    case .noFaceFound: "No face was found: choose a photo that shows one face clearly."
    case .severalPeople: "Several people are equally prominent: choose a photo of one person, or crop it to one."
    case .faceTooSmall: "The face is too small: choose a photo taken closer, or one with a higher resolution."
    case .noPlacesFound: "No place could be verified, and nothing was charged: try again, perhaps with a town."
    case .unsupportedByProvider: "This provider cannot do that: choose another provider."
    case .rateLimited: "Too many requests. Please wait and try again."
    case .coolingDown: "The provider asked for a pause. Please wait and try again."
    case .dailyLimit: "Today's limit is reached. Please try again tomorrow."
    case .quotaExhausted: "The provider's quota is used up: check the plan and billing of your API key."
    case .concurrentLimit: "Another generation is still running. Please wait until it has ended."
    case .internal: "Something went wrong inside Atelier: try again, and run `atelier doctor` if it happens again."
    case .interrupted: "The service stopped before this was done, and nothing was charged: try again."
    case .providerError, .providerUnavailable: "Service temporarily unavailable. Please try again later."
    case .offline: "The provider cannot be reached: check the internet connection and try again."
    case .overloaded: "Atelier is busy. Please wait a moment and try again."
    case .providerTimeout: "The provider took too long to answer. Please try again."
    case .storageFull: "The disk is full: free some space and try again."
    case .storageUnavailable:
      "Atelier cannot write to its data directory: run `atelier doctor` to see why and what to do."
    }
  }

  /// ``sentence``, with the wait in whole seconds if waiting helps.
  /// - Parameter retryAfterMs: milliseconds until a retry makes sense.
  public func sentence(retryAfterMs: Int?) -> String {
    guard let retryAfterMs, self == .rateLimited || self == .coolingDown || self == .overloaded else { return sentence }
    let seconds = max(1, retryAfterMs / 1_000 + (retryAfterMs % 1_000 > 0 ? 1 : 0))
    let wait = seconds == 1 ? "1 second" : "\(seconds) seconds"
    return switch self {
    case .rateLimited: "Too many requests. Please wait \(wait) and try again."
    case .coolingDown: "The provider asked for a pause. Please wait \(wait) and try again."
    default: "Atelier is busy. Please wait \(wait) and try again."
    }
  }
}
