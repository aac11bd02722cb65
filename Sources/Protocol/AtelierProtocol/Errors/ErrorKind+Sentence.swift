import Localization

extension ErrorKind {
  /// What is said to the person in front of the screen when nothing more exact is known.
  public var sentence: Sentence {
    switch self {
    case .invalidImage: "Please check your image and try again."
    case .invalidDimensions: "The image is too small or too large: its sides must have 40 to 4096 pixels."
    case .tooManyImages: "At most three images can be used at once: remove one and try again."
    case .wrongRecipeInput: "Some of the choices do not fit together. Please check them and try again."
    case .invalidReceipt: "The store does not confirm this purchase: restore your purchases in the app and try again."
    case .noApiKey: "This provider needs an API key: set one, or choose another provider."
    case .invalidApiKey: "The provider did not accept the API key: set it again, or choose another provider."
    case .invalidIdentity: "The sign-in could not be verified. Please sign in again."
    case .insufficientCredits: "There are not enough credits left: get more, or use a provider that costs none."
    case .permissionDenied: "This is not allowed here."
    case .consentRequired: "Please accept the terms of use first."
    case .providerDenied: "The provider does not allow that here. Please choose another provider."
    case .fileAccessDenied: "Atelier is not allowed to use that file or folder: allow it, or choose another one."
    case .notFound: "This could not be found: it may have been deleted."
    case .templateNotFound: "There is no such hairstyle: choose another one."
    case .inputExpired: "The photo is no longer kept: choose it again."
    case .timedOut: "This took too long: try again, or allow more time."
    case .idempotencyMismatch: "This request differs from the one that was sent before it. Please start anew."
    case .alreadyFinished: "This has already ended and can no longer be cancelled."
    case .notFinished: "This is still being made: wait until it is done, or cancel it first."
    case .imageTooLarge: "The image file is too large: choose a smaller one."
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
    case .quotaExhausted: "The provider's quota is used up: try again later, or choose another provider."
    case .concurrentLimit: "Another generation is still running. Please wait until it has ended."
    case .internal: "Something went wrong inside Atelier. Please try again."
    case .interrupted: "The service stopped before this was done, and nothing was charged: try again."
    case .providerError, .providerUnavailable:
      "Service temporarily unavailable. Please try again later, or choose another provider."
    case .offline: "The provider cannot be reached: check the internet connection and try again."
    case .overloaded: "Atelier is busy. Please wait a moment and try again."
    case .providerTimeout: "The provider took too long to answer. Please try again."
    case .storageFull: "The disk is full. Please try again when there is room."
    case .storageUnavailable: "Nothing can be stored at the moment. Please try again later."
    }
  }

  /// ``sentence``, with the wait if waiting helps and its end is known.
  /// - Parameter retryAfterMs: milliseconds until a retry makes sense.
  public func sentence(retryAfterMs: Int?) -> Sentence {
    guard let retryAfterMs else { return sentence }
    return switch self {
    case .rateLimited: "Too many requests. Please wait \(Sentence.wait(retryAfterMs)) and try again."
    case .coolingDown: "The provider asked for a pause. Please wait \(Sentence.wait(retryAfterMs)) and try again."
    case .overloaded: "Atelier is busy. Please wait \(Sentence.wait(retryAfterMs)) and try again."
    case .providerError, .providerUnavailable:
      "Service temporarily unavailable. Please try again in \(Sentence.wait(retryAfterMs))."
    default: sentence
    }
  }

  /// What whoever runs the service can do about an error of this kind when nothing more exact is known, in English; nil if
  /// that is nothing.
  public var hint: String? {
    switch self {
    case .noApiKey: "Set a key with `atelier credentials set`, or with credentials/set."
    case .invalidApiKey: "Check the key where the provider issues it, and set it again with `atelier credentials set`."
    case .permissionDenied: "The connection may not act for the account that the request names."
    case .consentRequired: "account/consent records that the person has accepted them."
    case .providerDenied: "Check what the provider allows the API key to do."
    case .idempotencyMismatch: "The idempotency key was used for a different request: a changed request needs a new key."
    case .quotaExhausted: "Check the plan and billing of the API key."
    case .internal: "If it happens again, run `atelier doctor`, and look at the log."
    case .storageFull: "Free some space on the disk of the data directory."
    case .storageUnavailable:
      "Atelier cannot write to its data directory: run `atelier doctor` to see why and what to do."
    case .invalidImage, .invalidDimensions, .tooManyImages, .wrongRecipeInput, .invalidReceipt, .invalidIdentity,
      .insufficientCredits, .fileAccessDenied, .notFound, .templateNotFound, .inputExpired, .timedOut, .alreadyFinished,
      .notFinished, .imageTooLarge, .unsupportedImage, .contentBlocked, .noImageReturned, .noFaceFound, .severalPeople,
      .faceTooSmall, .noPlacesFound, .unsupportedByProvider, .rateLimited, .coolingDown, .dailyLimit, .concurrentLimit,
      .interrupted, .providerError, .providerUnavailable, .offline, .overloaded, .providerTimeout:
      nil
    }
  }
}

extension Sentence {
  /// A time to wait, as a person counts it, rounded up: in seconds, from two minutes on in minutes, and from two hours on
  /// in hours.
  static func wait(_ milliseconds: Int) -> Sentence {
    let minutes = roundedUp(milliseconds, 60_000)
    if milliseconds < 120_000 {
      let seconds = max(1, roundedUp(milliseconds, 1000))
      return seconds == 1 ? "1 second" : "\(seconds) seconds"
    }
    return minutes < 120 ? "\(minutes) minutes" : "\(roundedUp(minutes, 60)) hours"
  }

  private static func roundedUp(_ amount: Int, _ unit: Int) -> Int { amount / unit + (amount % unit > 0 ? 1 : 0) }
}
