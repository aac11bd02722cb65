/// What follows from an error of a kind, wherever the service has to decide: one row for each kind.
///
/// What an error says beside its kind may change it: that no retry helps (``AtelierError/retryable``), or that what was sent
/// may have been charged.
public struct ErrorConsequences: Sendable, Equatable {
  /// Whether the same request may succeed later, unchanged.
  public enum Retry: Sendable, Equatable {
    case never
    case later
    /// Only if the error says when: time renews what is used up, but otherwise somebody has to pay.
    case onceRenewed
  }

  /// Whether a generation may wait in the offline queue until its provider can do the work.
  public enum Waiting: Sendable, Equatable {
    case no
    case yes
    /// An account's own limit has the same kind, but names no provider.
    case ifOfAProvider
  }

  /// Whether all processes leave the provider alone for a while.
  public enum Pause: Sendable, Equatable {
    case none
    case brief
    /// Until time renews what is used up; a day if the provider does not say when. Where time does not help, there is no
    /// pause: each request asks anew, because somebody may have helped meanwhile.
    case untilRenewed
  }

  /// Whether a request that the offline queue sent in vain counts as one of its attempts.
  public enum Attempt: Sendable, Equatable {
    case free
    case counts
    /// Once the model has refused so often that it is asked as seldom as possible.
    case countsAfterLongestPause
  }

  public var retry: Retry
  /// Whether the provider refuses before doing any work, so that it may be sent the same at once.
  public var isSentAgain: Bool
  /// Whether another provider may succeed with the same request. A faulty request, or one that safety rules refuse, fails
  /// everywhere.
  public var isPassedOn: Bool
  /// Whether it describes the present state of the provider, not the request.
  public var isOfTheMoment: Bool
  public var waiting: Waiting
  public var attempt: Attempt
  public var pause: Pause
  /// Whether the provider has answered, so that no outage begins.
  public var wasReached: Bool
  /// Whether a generation that failed so leaves its idempotency key for another try.
  public var leavesKeyUsable: Bool
  /// Whether the store cannot do it now but may later: the disk is full or fails, its files are not in their place, no more
  /// files can be opened, or another process writes.
  public var isOfTheStore: Bool
  /// Whether the end of another generation would lift the refusal.
  public var isLiftedByAnEnd: Bool

  /// Nothing follows but what is named.
  private init(
    retry: Retry = .never, isSentAgain: Bool = false, isPassedOn: Bool = false, isOfTheMoment: Bool = false,
    waiting: Waiting = .no, attempt: Attempt = .free, pause: Pause = .none, wasReached: Bool = false,
    leavesKeyUsable: Bool = false, isOfTheStore: Bool = false, isLiftedByAnEnd: Bool = false
  ) {
    self.retry = retry
    self.isSentAgain = isSentAgain
    self.isPassedOn = isPassedOn
    self.isOfTheMoment = isOfTheMoment
    self.waiting = waiting
    self.attempt = attempt
    self.pause = pause
    self.wasReached = wasReached
    self.leavesKeyUsable = leavesKeyUsable
    self.isOfTheStore = isOfTheStore
    self.isLiftedByAnEnd = isLiftedByAnEnd
  }
}

extension ErrorConsequences {
  /// What follows from an error of this kind.
  public init(of kind: ErrorKind) {
    self =
      switch kind {
      // The request, the photo or the account must change.
      case .invalidImage, .invalidDimensions, .tooManyImages, .wrongRecipeInput, .invalidReceipt, .invalidIdentity,
        .permissionDenied, .consentRequired, .fileAccessDenied, .notFound, .templateNotFound, .inputExpired,
        .idempotencyMismatch, .alreadyFinished, .notFinished, .imageTooLarge, .unsupportedImage, .contentBlocked,
        .noFaceFound, .severalPeople, .faceTooSmall, .internal:
        ErrorConsequences()
      case .insufficientCredits: ErrorConsequences(isLiftedByAnEnd: true)
      case .noImageReturned, .noPlacesFound, .dailyLimit: ErrorConsequences(retry: .later)
      case .concurrentLimit: ErrorConsequences(retry: .later, isLiftedByAnEnd: true)
      case .timedOut, .interrupted: ErrorConsequences(retry: .later, leavesKeyUsable: true)

      // The provider.
      case .noApiKey, .invalidApiKey: ErrorConsequences(isPassedOn: true, isOfTheMoment: true)
      case .providerDenied, .unsupportedByProvider: ErrorConsequences(isPassedOn: true)
      case .providerError, .providerTimeout: ErrorConsequences(retry: .later, isPassedOn: true)
      case .quotaExhausted:
        ErrorConsequences(retry: .onceRenewed, isPassedOn: true, isOfTheMoment: true, pause: .untilRenewed)
      case .rateLimited:
        ErrorConsequences(
          retry: .later, isSentAgain: true, isPassedOn: true, isOfTheMoment: true, waiting: .ifOfAProvider,
          attempt: .countsAfterLongestPause, pause: .brief, wasReached: true, leavesKeyUsable: true)
      case .coolingDown:
        ErrorConsequences(
          retry: .later, isPassedOn: true, isOfTheMoment: true, waiting: .yes, wasReached: true, leavesKeyUsable: true)
      case .providerUnavailable:
        ErrorConsequences(
          retry: .later, isSentAgain: true, isPassedOn: true, isOfTheMoment: true, waiting: .yes, attempt: .counts,
          leavesKeyUsable: true)
      case .offline:
        ErrorConsequences(
          retry: .later, isPassedOn: true, isOfTheMoment: true, waiting: .yes, leavesKeyUsable: true)

      // This machine.
      case .overloaded: ErrorConsequences(retry: .later, leavesKeyUsable: true, isOfTheStore: true)
      case .storageFull: ErrorConsequences(isOfTheStore: true)
      case .storageUnavailable: ErrorConsequences(retry: .later, isOfTheStore: true)
      }
  }
}
