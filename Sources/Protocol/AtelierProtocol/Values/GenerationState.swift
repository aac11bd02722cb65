import JSON

/// The state of a generation.
public enum GenerationState: String, Codable, Sendable, CaseIterable {
  /// Durably accepted; waits for a free slot or for its provider.
  case queued
  /// The pictures are being made.
  case running
  /// Ended with every picture.
  case succeeded
  /// Ended with some of the pictures; `failures` says what happened to the others.
  case partial
  /// Ended without a picture; `error` says why.
  case failed
  /// Cancelled; nothing was charged.
  case cancelled
  /// The service died while it was running; nothing was charged.
  case interrupted
  /// Waited too long for its provider; nothing was charged.
  case expired

  /// True when nothing can change any more: the credits are charged or released, the files are durable, and the final
  /// answer is given.
  public var isFinal: Bool { self != .queued && self != .running }
}

/// A generation, named in the params of a method by `generationId` or by `idempotencyKey`.
public enum GenerationTarget: Hashable, Sendable {
  case id(GenerationID)
  /// The key of the request that started it; unique within an account.
  case idempotencyKey(String)
}

extension GenerationTarget: Codable {
  enum CodingKeys: CodingKey {
    /// The id of the generation; either this or `idempotencyKey`.
    case generationId
    /// The key of the request that started the generation; either this or `generationId`.
    case idempotencyKey
  }

  public init(from decoder: any Decoder) throws {
    guard let target = try GenerationTarget(ifPresentIn: decoder) else {
      throw JSONExpectation("an object with generationId or idempotencyKey")
    }
    self = target
  }

  /// - Returns: nil when neither member is there.
  init?(ifPresentIn decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let id = try members.decodeIfPresent(GenerationID.self, forKey: .generationId)
    let key = try members.decode(Limited<IdempotencyKeyLength>.self, forKey: .idempotencyKey).wrappedValue
    switch (id, key) {
    case (let id?, nil): self = .id(id)
    case (nil, let key?): self = .idempotencyKey(key)
    case (nil, nil): return nil
    case (_?, _?): throw JSONExpectation("an object with generationId or idempotencyKey, not both")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .id(let id): try members.encode(id, forKey: .generationId)
    case .idempotencyKey(let key): try members.encode(key, forKey: .idempotencyKey)
    }
  }
}

/// Whether an identical earlier result may be reused.
public enum CachePolicy: String, Codable, Sendable, CaseIterable {
  /// An identical earlier result is reused, at no cost.
  case use
  /// New pictures are always made.
  case bypass
}

/// What happens to a request while its provider cannot be reached.
public enum OfflinePolicy: String, Codable, Sendable, CaseIterable {
  /// The request fails at once.
  case fail
  /// The request waits in the offline queue.
  case queue
}
