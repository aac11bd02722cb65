import AtelierProtocol
import GRDB
import JSON

/// A provider, or one of its models, that is left alone for a while because it said it was asked too often
/// (REQUIREMENTS 5.4).
public struct Cooldown: Sendable, Equatable {
  public var provider: ProviderID
  /// The model that is left alone; nil for all of the provider's, as when the limit is the key's.
  public var model: String?
  /// When the pause began, by the clock of then.
  public var setAt: Timestamp
  /// The pause is over from this moment on.
  public var until: Timestamp
  /// Why: `rate_limited` or `quota_exhausted`.
  public var kind: ErrorKind
  /// The sentence of the failure that began it.
  public var message: String
  /// The facts of that failure, for programs.
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

  /// Whether it is over. A clock that stands before the beginning was wrong then or is wrong now: the pause is not to
  /// last longer than it was meant to, so it is over.
  public func isOver(at now: Timestamp) -> Bool { now < setAt || until <= now }

  /// Whether requests for a model are to wait for its end.
  public func concerns(_ model: String) -> Bool { self.model == nil || self.model == model }
}

extension Store {
  /// The pauses of a provider and its models that all processes of the data directory keep to, the provider's own first.
  public func cooldowns(of provider: ProviderID) async throws(AtelierError) -> [Cooldown] {
    let name = try StoredText.identifier(provider.rawValue)
    return try await cooldowns(where: "provider = ?", [name])
  }

  /// Every pause that is not over, by provider and model.
  public func cooldowns() async throws(AtelierError) -> [Cooldown] {
    try await cooldowns(where: "TRUE", [])
  }

  /// Lets a provider or one of its models rest in every process. A pause of the same that stands and ends no earlier
  /// stays as it is.
  public func coolDown(_ cooldown: Cooldown) async throws(AtelierError) {
    let now = cooldown.setAt.milliseconds
    try await write { database in
      // Those that are over, as Cooldown.isOver(at:) has it, are neither kept nor in the way.
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

  /// Ends the pauses that requests for a model wait for, its provider's own among them, for every process.
  public func endCooldown(of provider: ProviderID, model: String) async throws(AtelierError) {
    try await write { database in
      try database.cachedStatement(sql: "DELETE FROM provider_cooldown WHERE provider = ? AND model IN ('', ?)")
        .execute(arguments: [try StoredText.identifier(provider.rawValue), StoredText.readable(model)])
    }
  }

  /// Ends all pauses of a provider and its models for every process, as when it has another key now.
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
          // A kind that only a newer version knows is a pause all the same.
          kind: ErrorKind(rawValue: try row.value("kind")) ?? .rateLimited, message: try row.value("message"),
          details: try row.json("details"))
      }
    }
  }
}
