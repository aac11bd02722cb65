extension Generate.Answer: Codable {
  private enum CodingKeys: CodingKey { case outcome }

  public init(from decoder: any Decoder) throws {
    if try decoder.container(keyedBy: CodingKeys.self).contains(.outcome) {
      self = .finished(try Generate.Result(from: decoder))
    } else {
      self = .accepted(try Generate.Acceptance(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .finished(let result): try result.encode(to: encoder)
    case .accepted(let acceptance): try acceptance.encode(to: encoder)
    }
  }
}
