import AtelierProtocol
import JSONRPC

/// Everything recorded of one generation.
public struct GenerationRow: Sendable, Equatable {
  public var id: GenerationID
  public var account: AccountID
  /// The process that works on it, or ended it.
  public var owner: OwnerID
  public var recipe: Recipe
  public var state: GenerationState
  public var phase: Phase
  public var message: String
  public var fraction: Double?
  public var sequence: Int64
  public var created: Timestamp
  public var started: Timestamp?
  public var finished: Timestamp?
  /// The params without inline image data; without prompt when `isPrivate`.
  public var request: JSONObject
  public var prompt: String?
  public var paramsHash: [UInt8]
  public var idempotencyKey: String?
  public var provider: ProviderID?
  public var model: String?
  public var promptVersion: String?
  public var metadata: JSONObject?
  public var parent: GenerationID?
  public var parentIndex: Int?
  public var isPrivate: Bool
  public var isDetached: Bool
  public var isRequeueable: Bool
  public var isCached: Bool
  public var images: [StoredImage]
  public var thumbnail: StoredArtifact?
  public var text: String?
  public var places: [Place]?
  public var usage: Usage?
  public var timings: Timings?
  public var warnings: [Warning]
  public var failures: [ImageFailure]
  /// Credits spent on it; 0 for the unmetered, the failed and the cached.
  public var creditsCharged: Int
  /// What it did to its account's credits; nil when nothing was held for it.
  public var credits: Credits?
  public var error: AtelierError?
  /// What a person thought of it.
  public var feedback: History.Entry.Feedback?
  /// Marked to be found again.
  public var isFavourite = false

  /// Whether it ended without a picture, without a charge and without a provider that may have done paid work, for a
  /// reason that may have passed: the same idempotency key may be used for another try.
  public var mayBeTriedAgain: Bool {
    guard images.isEmpty, creditsCharged == 0 else { return false }
    switch state {
    case .interrupted, .expired: return true
    case .failed: return error?.leavesKeyUsable ?? false
    case .queued, .running, .succeeded, .partial, .cancelled: return false
    }
  }
}

extension AtelierError {
  /// Whether no provider can have done paid work for a generation that failed with this, and another try may succeed.
  public var leavesKeyUsable: Bool {
    guard isRetryable, !mayHaveBeenCharged else { return false }
    return switch kind {
    case .offline, .overloaded, .providerUnavailable, .rateLimited, .coolingDown, .timedOut, .interrupted: true
    default: false
    }
  }

  /// Whether a provider may have done work that it charges for, although there is no picture of it.
  public var mayHaveBeenCharged: Bool { details["mayHaveBeenCharged"]?.bool == true }
}
