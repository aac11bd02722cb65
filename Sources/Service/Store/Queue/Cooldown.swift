import AtelierProtocol
import JSON
import Localization

/// A pause of requests to a provider or one of its models, which said that it received too many.
public struct Cooldown: Sendable, Equatable {
  public var provider: ProviderID
  /// The paused model; nil for all models of the provider, as when the limit belongs to the key.
  public var model: String?
  /// When the pause began, by the system clock at that time.
  public var setAt: Timestamp
  /// When the pause ends.
  public var until: Timestamp
  /// Why: `rate_limited` or `quota_exhausted`.
  public var kind: ErrorKind
  /// The message of the failure that caused the pause.
  public var message: Sentence
  /// The machine-readable details of that failure.
  public var details: JSONObject
  /// How often in a row the model has refused, without a success.
  public var refusals = 1

  public init(
    provider: ProviderID, model: String? = nil, setAt: Timestamp, until: Timestamp, kind: ErrorKind, message: Sentence,
    details: JSONObject = [:]
  ) {
    self.provider = provider
    self.model = model
    self.setAt = setAt
    self.until = until
    self.kind = kind
    self.message = message
    self.details = details
  }

  /// Whether the pause is over. If the clock is before its beginning, the clock was wrong then or is wrong now. The
  /// pause must not last longer than intended, so it is over.
  public func isOver(at now: Timestamp) -> Bool { now < setAt || until <= now }

  /// Whether requests for a model must wait for its end.
  public func concerns(_ model: String) -> Bool { self.model == nil || self.model == model }
}

extension Store {
  /// The pauses of a provider and its models that all processes of the data directory observe, the provider's own
  /// first.
  public func cooldowns(of provider: ProviderID) async throws(AtelierError) -> [Cooldown] {
    try await read { [self] in try $0.cooldowns.current(of: provider, at: surroundings.now()) }
  }

  /// Every pause that is not over, by provider and model.
  public func cooldowns() async throws(AtelierError) -> [Cooldown] {
    try await read { [self] in try $0.cooldowns.current(of: nil, at: surroundings.now()) }
  }

  /// Pauses a provider or one of its models in every process. An existing pause of the same that ends no earlier stays.
  /// - Parameters:
  ///   - cooldown: the pause that the provider asks for.
  ///   - sentAt: when the refused request was sent; nil for when the pause begins.
  ///   - backoff: lengthens the pause; nil records it as it is.
  /// - Returns: the recorded pause.
  @discardableResult
  public func coolDown(
    _ cooldown: Cooldown, sentAt: Timestamp? = nil, backoff: RefusalBackoff? = nil
  ) async throws(AtelierError) -> Cooldown {
    return try await write { [self] session in
      // Not when the pause began: one that could not be recorded at once must not remove those that came after it.
      let now = surroundings.now()
      // Those that are over and no longer remembered.
      let forgotten = now.milliseconds.subtractingClamped(RefusalBackoff.rememberedMs)
      try session.cooldowns.delete(endedBy: forgotten, setAfter: now)
      let earlier = try session.cooldowns.cooldown(of: cooldown.provider, model: cooldown.model)
      let pause = backoff?.lengthened(cooldown, after: earlier, sentAt: sentAt ?? cooldown.setAt) ?? cooldown
      return try session.cooldowns.keep(pause, at: now) ? pause : earlier ?? pause
    }
  }

  /// How often in a row a model, or its provider, has refused; 0 some time after the last pause.
  public func refusals(of provider: ProviderID, model: String) async throws(AtelierError) -> Int {
    try await read { [self] session in
      let now = surroundings.now()
      return try session.cooldowns.cooldowns(of: provider, concerning: model)
        .filter { $0.isRemembered(at: now) }.map(\.refusals).max() ?? 0
    }
  }

  /// Whether a model, or its provider, has refused a request without a success since.
  public func hasRefused(_ provider: ProviderID, model: String) async throws(AtelierError) -> Bool {
    try await read { try $0.cooldowns.isAny(of: provider, concerning: model) }
  }

  /// Ends, for every process, the pauses that apply to a model, including the pause of its provider, and forgets how
  /// often it has refused.
  public func endCooldown(of provider: ProviderID, model: String) async throws(AtelierError) {
    try await write { try $0.cooldowns.delete(of: provider, concerning: model) }
  }

  /// Ends all pauses of a provider and its models for every process, for example when its key has changed.
  public func endCooldowns(of provider: ProviderID) async throws(AtelierError) {
    try await write { try $0.cooldowns.deleteAll(of: provider) }
  }
}

extension Int64 {
  fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
