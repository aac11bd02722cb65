import JSON

/// Where a generation stands.
public enum GenerationState: String, Codable, Sendable, CaseIterable {
  /// Durably accepted, waiting for a free slot or for the network.
  case queued
  /// It is being made.
  case running
  /// Every picture is there.
  case succeeded
  /// Some of the pictures are there, others failed.
  case partial
  /// None could be made; `error` says why.
  case failed
  /// It was cancelled; nothing was charged.
  case cancelled
  /// The service died while it was running; nothing was charged.
  case interrupted
  /// It waited too long to be started.
  case expired

  /// True when nothing can change any more: credits settled, files durable, one final answer given.
  public var isFinal: Bool { self != .queued && self != .running }
}

/// What a generation is doing. A phase never goes back.
public enum Phase: String, Codable, Sendable, CaseIterable {
  /// Waiting for a free slot or for its provider.
  case queued
  /// Reading and preparing the photo.
  case preparing
  /// Sending to the provider.
  case uploading
  /// Making the pictures.
  case processing
  /// Writing files and records.
  case saving
}

/// How a host names one of its generations: by `generationId` or by `idempotencyKey`, among the params of a method.
public enum GenerationTarget: Hashable, Sendable {
  case id(GenerationID)
  /// The key it was asked for with; unique for an account.
  case idempotencyKey(String)
}

extension GenerationTarget: Codable {
  enum CodingKeys: CodingKey {
    /// The generation; this or `idempotencyKey`.
    case generationId
    /// The key it was asked for with; this or `generationId`.
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

/// Whether an earlier, identical result may answer a request.
public enum CachePolicy: String, Codable, Sendable, CaseIterable {
  /// An identical earlier result answers, at no cost.
  case use
  /// New pictures are made in any case.
  case bypass
}

/// What becomes of a request while its provider cannot be reached.
public enum OfflinePolicy: String, Codable, Sendable, CaseIterable {
  /// The request fails at once.
  case fail
  /// Wait in the durable queue.
  case queue
}
