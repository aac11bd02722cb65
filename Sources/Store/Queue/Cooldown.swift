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

  /// Pauses a provider or one of its models in every process. An existing pause of the same that ends no earlier stays
  /// unchanged.
  public func coolDown(_ cooldown: Cooldown) async throws(AtelierError) {
    let now = cooldown.setAt.milliseconds
    try await write { database in
      // Delete pauses that are over by Cooldown.isOver(at:), so that they do not block a new one.
      try database.cachedStatement(sql: "DELETE FROM provider_cooldown WHERE until <= ? OR set_at > ?")
        .execute(arguments: [now, now])
      try database.cachedStatement(
        sql: """
          INSERT INTO provider_cooldown (provider, model, until, kind, message, details, set_at)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (provider, model) DO UPDATE SET
            until = excluded.until, kind = excluded.kind, message = excluded.message, details = excluded.details,
            set_at = excluded.set_at
          WHERE excluded.until > until
          """
      ).execute(arguments: [
        try StoredText.identifier(cooldown.provider.rawValue), StoredText.readable(cooldown.model ?? ""),
        cooldown.until.milliseconds, cooldown.kind.rawValue, StoredText.readable(cooldown.message),
        try StoredText.json(JSONValue.object(cooldown.details)), now,
      ])
    }
  }

  /// Ends, for every process, the pauses that apply to a model, including the pause of its provider.
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
      let statement = try database.cachedStatement(
        sql: """
          SELECT * FROM provider_cooldown WHERE \(condition) AND set_at <= ? AND until > ? ORDER BY provider, model
          """)
      let now = surroundings.now().milliseconds
      return try Row.fetchAll(statement, arguments: StatementArguments(values) + [now, now]).map { row in
        let model: String = try row.value("model")
        return Cooldown(
          provider: ProviderID(rawValue: try row.value("provider")), model: model.isEmpty ? nil : model,
          setAt: Timestamp(milliseconds: try row.value("set_at")),
          until: Timestamp(milliseconds: try row.value("until")),
          // A kind that only a newer version knows is still a pause.
          kind: ErrorKind(rawValue: try row.value("kind")) ?? .rateLimited, message: try row.value("message"),
          details: try row.json("details"))
      }
    }
  }
}
