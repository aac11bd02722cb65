import JSONRPC

/// How a host names one of its generations: by `generationId` or by `idempotencyKey`, among the params of a method.
public enum GenerationTarget: Hashable, Sendable {
  case id(GenerationID)
  /// The key it was asked for with; unique for an account.
  case idempotencyKey(String)
}

extension GenerationTarget: Codable {
  private enum CodingKeys: CodingKey { case generationId, idempotencyKey }

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
