extension Status {
  /// The answer, by what was asked about.
  public enum Result: Sendable, Equatable {
    case service(ServiceStatus)
    case generation(GenerationStatus)
    case account(AccountStatus)
  }
}

extension Status.Result: Codable {
  private enum CodingKeys: CodingKey { case generationId, tier }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    if members.contains(.generationId) {
      self = .generation(try GenerationStatus(from: decoder))
    } else if members.contains(.tier) {
      self = .account(try AccountStatus(from: decoder))
    } else {
      self = .service(try ServiceStatus(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .service(let status): try status.encode(to: encoder)
    case .generation(let status): try status.encode(to: encoder)
    case .account(let status): try status.encode(to: encoder)
    }
  }
}
