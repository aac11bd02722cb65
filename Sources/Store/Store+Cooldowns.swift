import AtelierProtocol
import GRDB
import JSONRPC

extension Store {
  /// The pause of a provider that all processes of the data directory keep to.
  /// - Returns: nil when there is none or it is over.
  public func cooldown(of provider: ProviderID) async throws(AtelierError) -> Cooldown? {
    let name = try StoredText.identifier(provider.rawValue)
    return try await cooldowns(where: "provider = ?", [name]).first
  }

  /// Every pause that is not over, by provider.
  public func cooldowns() async throws(AtelierError) -> [Cooldown] {
    try await cooldowns(where: "TRUE", [])
  }

  /// Lets a provider rest in every process. A pause that stands and ends no earlier stays as it is.
  public func coolDown(_ cooldown: Cooldown) async throws(AtelierError) {
    try await write { [self] database in
      try database.cachedStatement(
        sql: """
          INSERT INTO provider_cooldown (provider, until, kind, message, details, set_at) VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (provider) DO UPDATE SET
            until = excluded.until, kind = excluded.kind, message = excluded.message, details = excluded.details,
            set_at = excluded.set_at
          WHERE excluded.until > until
          """
      ).execute(arguments: [
        try StoredText.identifier(cooldown.provider.rawValue), cooldown.until.milliseconds, cooldown.kind.rawValue,
        StoredText.readable(cooldown.message), try StoredText.json(JSONValue.object(cooldown.details)),
        surroundings.now().milliseconds,
      ])
    }
  }

  /// Ends a provider's pause for every process, as when it has another key now. One that has none is fine.
  public func endCooldown(of provider: ProviderID) async throws(AtelierError) {
    try await write { database in
      try database.cachedStatement(sql: "DELETE FROM provider_cooldown WHERE provider = ?")
        .execute(arguments: [try StoredText.identifier(provider.rawValue)])
    }
  }

  private func cooldowns(where condition: String, _ values: [String]) async throws(AtelierError) -> [Cooldown] {
    try await read { [self] database in
      let statement = try database.cachedStatement(
        sql: "SELECT * FROM provider_cooldown WHERE \(condition) AND until > ? ORDER BY provider")
      let arguments = StatementArguments(values) + [surroundings.now().milliseconds]
      return try Row.fetchAll(statement, arguments: arguments).map { row in
        Cooldown(
          provider: ProviderID(rawValue: try row.value("provider")),
          until: Timestamp(milliseconds: try row.value("until")),
          // A kind that only a newer version knows is a pause all the same.
          kind: ErrorKind(rawValue: try row.value("kind")) ?? .rateLimited, message: try row.value("message"),
          details: try row.json("details"))
      }
    }
  }
}
