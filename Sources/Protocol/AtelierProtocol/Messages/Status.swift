import JSON

/// Returns the state of the service or, with `generationId` or `idempotencyKey`, that generation, whichever process
/// works on it.
public struct Status: RequestMessage {
  public static let method = "status"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

  /// The generation asked about; nil for the service.
  public var target: GenerationTarget?
  /// The account that the generation must belong to. Default: the connection's account; otherwise any for a
  /// `generationId` and `owner` for an `idempotencyKey`.
  public var account: AccountID?
  /// Whether the state of the service includes its metrics; not on a confined connection. Default false.
  public var metrics: Bool?

  public init(target: GenerationTarget? = nil, account: AccountID? = nil, metrics: Bool? = nil) {
    self.target = target
    self.account = account
    self.metrics = metrics
  }

  private enum CodingKeys: CodingKey { case account, metrics }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    account = try members.decodeIfPresent(AccountID.self, forKey: .account)
    target = try GenerationTarget(ifPresentIn: decoder)
    if target == nil, account != nil {
      throw JSONExpectation("an object with generationId or idempotencyKey beside account")
    }
    metrics = try members.decodeIfPresent(Bool.self, forKey: .metrics)
    if target != nil, metrics != nil { throw JSONExpectation("an object without metrics beside a generation") }
  }

  public func encode(to encoder: any Encoder) throws {
    try target?.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encodeIfPresent(account, forKey: .account)
    try members.encodeIfPresent(metrics, forKey: .metrics)
  }
}

extension Status {
  /// The service or the generation, depending on the params.
  public enum Result: Sendable, Equatable {
    case service(ServiceStatus)
    case generation(Generation)
  }
}

extension Status.Result: Codable {
  private enum CodingKeys: CodingKey { case generationId }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    if members.contains(.generationId) {
      self = .generation(try Generation(from: decoder))
    } else {
      self = .service(try ServiceStatus(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .service(let status): try status.encode(to: encoder)
    case .generation(let generation): try generation.encode(to: encoder)
    }
  }
}
