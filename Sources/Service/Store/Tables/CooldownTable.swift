import AtelierProtocol
import JSON
import Localization

/// The SQL of the table `provider_cooldown`: which models, or providers, must not be asked, and which have refused a while
/// ago.
struct CooldownTable {
  let session: any SQLSession

  /// The pauses that are not over by ``Cooldown/isOver(at:)``, the provider's own before those of its models.
  /// - Parameter provider: nil for those of all providers, in their order.
  func current(of provider: ProviderID?, at now: Timestamp) throws -> [Cooldown] {
    guard let provider else { return try cooldowns(where: "set_at <= ? AND until > ?", Self.twice(now)) }
    return try cooldowns(
      where: "provider = ? AND set_at <= ? AND until > ?",
      [try StoredText.identifier(provider.rawValue)] + Self.twice(now))
  }

  /// When the current pause of each provider that ends last ends, of whichever model.
  func latestEnds(at now: Timestamp) throws -> [ProviderID: Timestamp] {
    let rows = try session.rows(
      "SELECT provider, until FROM provider_cooldown WHERE set_at <= ? AND until > ?", Self.twice(now))
    return Dictionary(
      try rows.map {
        (ProviderID(rawValue: try $0.value("provider")), Timestamp(milliseconds: try $0.value("until")))
      }, uniquingKeysWith: max)
  }

  private static func twice(_ now: Timestamp) -> SQLValues { [now.milliseconds, now.milliseconds] }

  /// The recorded pause of exactly this model, whether or not it is over; for nil, that of the provider.
  func cooldown(of provider: ProviderID, model: String?) throws -> Cooldown? {
    try cooldowns(
      where: "provider = ? AND model = ?",
      [try StoredText.identifier(provider.rawValue), StoredText.readable(model ?? "")]
    ).first
  }

  /// The recorded pauses of a model and of its provider, whether or not they are over.
  func cooldowns(of provider: ProviderID, concerning model: String) throws -> [Cooldown] {
    try cooldowns(where: Self.concerns, Self.names(provider, model))
  }

  /// Whether a pause of a model, or of its provider, is recorded.
  func isAny(of provider: ProviderID, concerning model: String) throws -> Bool {
    try session.finds("SELECT 1 FROM provider_cooldown WHERE \(Self.concerns) LIMIT 1", Self.names(provider, model))
  }

  private static let concerns = "provider = ? AND model IN ('', ?)"

  private static func names(_ provider: ProviderID, _ model: String) throws -> SQLValues {
    [try StoredText.identifier(provider.rawValue), StoredText.readable(model)]
  }

  private func cooldowns(where condition: String, _ values: SQLValues) throws -> [Cooldown] {
    try session.rows("SELECT * FROM provider_cooldown WHERE \(condition) ORDER BY provider, model", values)
      .map(Cooldown.init)
  }
}

extension CooldownTable {
  /// Records a pause. An existing pause of the same that ends no earlier stays while it lasts.
  /// - Returns: false when it stays.
  func keep(_ pause: Cooldown, at now: Timestamp) throws -> Bool {
    let count = try session.change(
      """
      INSERT INTO provider_cooldown (provider, model, until, kind, message, details, set_at, refusals)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT (provider, model) DO UPDATE SET
        until = excluded.until, kind = excluded.kind, message = excluded.message, details = excluded.details,
        set_at = excluded.set_at, refusals = excluded.refusals
      WHERE excluded.until > provider_cooldown.until OR provider_cooldown.until <= ?9
      """,
      [
        try StoredText.identifier(pause.provider.rawValue), StoredText.readable(pause.model ?? ""),
        pause.until.milliseconds, pause.kind.rawValue, StoredText.readable(pause.message),
        try StoredText.json(JSONValue.object(pause.details)), pause.setAt.milliseconds, pause.refusals,
        now.milliseconds,
      ])
    return count > 0
  }

  /// Notes which generation tries a model after a pause of it, or of its provider.
  func noteTrial(_ id: GenerationID, of provider: ProviderID, model: String) throws {
    try session.run(
      "UPDATE provider_cooldown SET trial = ? WHERE provider = ? AND model IN ('', ?)",
      [id.rawValue, provider.rawValue, model])
  }

  /// Deletes the pauses that had ended by a time, and those that a wrong clock let begin in the future.
  func delete(endedBy time: Int64, setAfter now: Timestamp) throws {
    try session.run("DELETE FROM provider_cooldown WHERE until <= ? OR set_at > ?", [time, now.milliseconds])
  }

  /// Deletes the pauses of a model and of its provider.
  func delete(of provider: ProviderID, concerning model: String) throws {
    try session.run("DELETE FROM provider_cooldown WHERE \(Self.concerns)", Self.names(provider, model))
  }

  /// Deletes the pauses of a provider and of all its models.
  func deleteAll(of provider: ProviderID) throws {
    try session.run(
      "DELETE FROM provider_cooldown WHERE provider = ?", [try StoredText.identifier(provider.rawValue)])
  }
}

extension Cooldown {
  /// - Parameter row: all columns of `provider_cooldown`.
  fileprivate init(_ row: SQLRow) throws {
    let model: String = try row.value("model")
    self.init(
      provider: ProviderID(rawValue: try row.value("provider")), model: model.isEmpty ? nil : model,
      setAt: Timestamp(milliseconds: try row.value("set_at")), until: Timestamp(milliseconds: try row.value("until")),
      // A kind that only a newer version knows is still a pause.
      kind: ErrorKind(rawValue: try row.value("kind")) ?? .rateLimited,
      message: Sentence(stored: try row.value("message")), details: try row.json("details"))
    refusals = try row.value("refusals")
  }
}

extension SQLSession {
  var cooldowns: CooldownTable { CooldownTable(session: self) }
}
