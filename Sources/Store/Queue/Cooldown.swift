import AtelierProtocol
import GRDB
import JSON

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
  public var message: String
  /// The machine-readable details of that failure.
  public var details: JSONObject
  /// How often in a row the model has refused, without a success.
  public var refusals = 1

  public init(
    provider: ProviderID, model: String? = nil, setAt: Timestamp, until: Timestamp, kind: ErrorKind, message: String,
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
    let name = try StoredText.identifier(provider.rawValue)
    return try await cooldowns(where: "provider = ?", [name])
  }

  /// Every pause that is not over, by provider and model.
  public func cooldowns() async throws(AtelierError) -> [Cooldown] {
    try await cooldowns(where: "TRUE", [])
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
    return try await write { [self] database in
      // Not when the pause began: one that could not be recorded at once must not remove those that came after it.
      let now = surroundings.now().milliseconds
      // Delete pauses that are over by Cooldown.isOver(at:) and no longer remembered.
      try database.cachedStatement(sql: "DELETE FROM provider_cooldown WHERE until <= ? OR set_at > ?")
        .execute(arguments: [now.subtractingClamped(RefusalBackoff.rememberedMs), now])
      let name = try StoredText.identifier(cooldown.provider.rawValue)
      let model = StoredText.readable(cooldown.model ?? "")
      let earlier = try cooldowns(
        where: "provider = ? AND model = ?", [name, model], in: database
      ).first
      let pause = backoff?.lengthened(cooldown, after: earlier, sentAt: sentAt ?? cooldown.setAt) ?? cooldown
      try database.cachedStatement(
        sql: """
          INSERT INTO provider_cooldown (provider, model, until, kind, message, details, set_at, refusals)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
          ON CONFLICT (provider, model) DO UPDATE SET
            until = excluded.until, kind = excluded.kind, message = excluded.message, details = excluded.details,
            set_at = excluded.set_at, refusals = excluded.refusals
          WHERE excluded.until > until OR until <= ?9
          """
      ).execute(arguments: [
        name, model, pause.until.milliseconds, pause.kind.rawValue, StoredText.readable(pause.message),
        try StoredText.json(JSONValue.object(pause.details)), pause.setAt.milliseconds, pause.refusals, now,
      ])
      return database.changesCount > 0 ? pause : earlier ?? pause
    }
  }

  /// How often in a row a model, or its provider, has refused; 0 some time after the last pause.
  public func refusals(of provider: ProviderID, model: String) async throws(AtelierError) -> Int {
    try await read { [self] database in
      let now = surroundings.now()
      return try cooldowns(
        where: "provider = ? AND model IN ('', ?)",
        [try StoredText.identifier(provider.rawValue), StoredText.readable(model)], in: database
      ).filter { $0.isRemembered(at: now) }.map(\.refusals).max() ?? 0
    }
  }

  /// Whether a model, or its provider, has refused a request without a success since.
  public func hasRefused(_ provider: ProviderID, model: String) async throws(AtelierError) -> Bool {
    try await read { database in
      try Bool.fetchOne(
        database.cachedStatement(
          sql: "SELECT EXISTS (SELECT 1 FROM provider_cooldown WHERE provider = ? AND model IN ('', ?))"),
        arguments: [try StoredText.identifier(provider.rawValue), StoredText.readable(model)]) ?? false
    }
  }

  /// Ends, for every process, the pauses that apply to a model, including the pause of its provider, and forgets how
  /// often it has refused.
  public func endCooldown(of provider: ProviderID, model: String) async throws(AtelierError) {
    try await write { database in
      try database.cachedStatement(sql: "DELETE FROM provider_cooldown WHERE provider = ? AND model IN ('', ?)")
        .execute(arguments: [try StoredText.identifier(provider.rawValue), StoredText.readable(model)])
    }
  }

  /// Ends all pauses of a provider and its models for every process, for example when its key has changed.
  public func endCooldowns(of provider: ProviderID) async throws(AtelierError) {
    try await write { database in
      try database.cachedStatement(sql: "DELETE FROM provider_cooldown WHERE provider = ?")
        .execute(arguments: [try StoredText.identifier(provider.rawValue)])
    }
  }

  private func cooldowns(where condition: String, _ values: [String]) async throws(AtelierError) -> [Cooldown] {
    try await read { [self] database in
      // The same condition as Cooldown.isOver(at:).
      let now = surroundings.now().milliseconds
      return try cooldowns(
        where: "\(condition) AND set_at <= ? AND until > ?", StatementArguments(values) + [now, now], in: database)
    }
  }

  private func cooldowns(
    where condition: String, _ arguments: StatementArguments, in database: Database
  ) throws -> [Cooldown] {
    let statement = try database.cachedStatement(
      sql: "SELECT * FROM provider_cooldown WHERE \(condition) ORDER BY provider, model")
    return try Row.fetchAll(statement, arguments: arguments).map { row in
      let model: String = try row.value("model")
      var cooldown = Cooldown(
        provider: ProviderID(rawValue: try row.value("provider")), model: model.isEmpty ? nil : model,
        setAt: Timestamp(milliseconds: try row.value("set_at")),
        until: Timestamp(milliseconds: try row.value("until")),
        // A kind that only a newer version knows is still a pause.
        kind: ErrorKind(rawValue: try row.value("kind")) ?? .rateLimited, message: try row.value("message"),
        details: try row.json("details"))
      cooldown.refusals = try row.value("refusals")
      return cooldown
    }
  }
}

extension Int64 {
  fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
