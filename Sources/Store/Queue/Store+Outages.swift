import AtelierProtocol
import GRDB

extension Store {
  /// A failure this soon after an outage continues that outage, so its probe intervals do not start again from the
  /// shortest.
  private static let relapseMs: Int64 = 10 * 60 * 1000

  /// The providers that cannot be reached, shared by all processes.
  public func outages() async throws(AtelierError) -> [ProviderID: QueueState.Outage] {
    try await read { [self] in try outages(in: $0) }
  }

  func outages(in database: Database) throws -> [ProviderID: QueueState.Outage] {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT provider, since, next_probe, probe_set
          FROM provider_outage WHERE ended IS NULL
          """))
    let now = surroundings.now()
    return Dictionary(
      try rows.map { row in
        (
          ProviderID(rawValue: try row.value("provider")),
          QueueState.Outage(
            since: min(Timestamp(milliseconds: try row.value("since")), now),
            // A probe time recorded in the future was recorded by a wrong clock.
            nextProbe: try row.value("probe_set", as: Int64.self) > now.milliseconds
              ? now : Timestamp(milliseconds: try row.value("next_probe")))
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Records that a provider was not reached. Changes nothing if that is already known: a hundred requests that meet
  /// the same outage are one failure.
  func noteOutage(of provider: ProviderID, _ backoff: ProbeBackoff, in database: Database) throws {
    let name = try StoredText.identifier(provider.rawValue)
    let now = surroundings.now().milliseconds
    let last = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT ended, failures FROM provider_outage WHERE provider = ?"), arguments: [name])
    var failures = 1
    if let last {
      guard let ended = try last.optional("ended", as: Int64.self) else { return }
      let pause = now.subtractingReportingOverflow(ended)
      let isRelapse = !pause.overflow && (-Self.relapseMs..<Self.relapseMs).contains(pause.partialValue)
      if isRelapse, case let earlier = try last.value("failures", as: Int.self), earlier < .max { failures = earlier + 1 }
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO provider_outage (provider, since, failures, next_probe, probe_set) VALUES (?1, ?2, ?3, ?4, ?2)
        ON CONFLICT (provider) DO UPDATE SET
          since = excluded.since, ended = NULL, failures = excluded.failures, next_probe = excluded.next_probe,
          probe_set = excluded.probe_set
        """
    ).execute(arguments: [
      name, now, failures, later(now, by: backoff.pauseMs(afterFailures: failures, random: surroundings.random())),
    ])
  }

  /// Claims the probe of whether a provider can be reached again: one process has the claim at a time. A claim or a
  /// pause that was set in the future is over, because otherwise a wrong clock would make every process wait until that
  /// time.
  /// - Parameter leaseMs: how long the probe may take, in milliseconds; if this process dies, another one probes then.
  /// - Returns: false when it is not time yet, another process is probing, or the outage is over.
  public func claimProbe(of provider: ProviderID, leaseMs: Int) async throws(AtelierError) -> Bool {
    try await write { [self] database in
      let now = surroundings.now().milliseconds
      try database.cachedStatement(
        sql: """
          UPDATE provider_outage SET next_probe = ?1, probe_set = ?2
          WHERE provider = ?3 AND ended IS NULL AND (next_probe <= ?2 OR probe_set > ?2)
          """
      ).execute(arguments: [later(now, by: leaseMs), now, try StoredText.identifier(provider.rawValue)])
      return database.changesCount > 0
    }
  }

  /// Records that a probe did not reach the provider.
  public func putOffProbe(of provider: ProviderID, _ backoff: ProbeBackoff) async throws(AtelierError) {
    try await write { [self] database in
      let name = try StoredText.identifier(provider.rawValue)
      let failures = try Int.fetchOne(
        database, sql: "SELECT failures FROM provider_outage WHERE provider = ? AND ended IS NULL", arguments: [name])
      guard let failures, failures < .max else { return }
      let pause = backoff.pauseMs(afterFailures: failures + 1, random: surroundings.random())
      let now = surroundings.now().milliseconds
      try database.execute(
        sql: "UPDATE provider_outage SET failures = ?, next_probe = ?, probe_set = ? WHERE provider = ?",
        arguments: [failures + 1, later(now, by: pause), now, name])
    }
  }

  /// Records that a provider can be reached again. Does nothing if it always could.
  public func endOutage(of provider: ProviderID) async throws(AtelierError) {
    try await write { [self] database in
      try database.cachedStatement(sql: "UPDATE provider_outage SET ended = ? WHERE provider = ? AND ended IS NULL")
        .execute(arguments: [surroundings.now().milliseconds, try StoredText.identifier(provider.rawValue)])
    }
  }

  private func later(_ now: Int64, by milliseconds: Int) -> Int64 {
    let (sum, overflow) = now.addingReportingOverflow(Int64(milliseconds))
    return overflow ? .max : sum
  }
}

/// The pauses between two probes of an unreachable provider: doubling up to a limit, half of each random.
public struct ProbeBackoff: Sendable, Equatable {
  /// The first pause, in milliseconds.
  public var firstMs: Int
  /// The longest, in milliseconds.
  public var longestMs: Int

  public init(firstMs: Int, longestMs: Int) {
    self.firstMs = firstMs
    self.longestMs = longestMs
  }

  /// The pause after this many failures in a row, in milliseconds: between half of its full length and all of it.
  /// - Parameter random: spreads the probes of many machines over time.
  public func pauseMs(afterFailures failures: Int, random: UInt64) -> Int {
    let full = fullMs(afterFailures: failures)
    let half = full / 2
    return full - half + Int(random % UInt64(half + 1))
  }

  /// The full length of the pause after this many failures in a row, in milliseconds.
  public func fullMs(afterFailures failures: Int) -> Int {
    var full = min(max(1, firstMs), max(1, longestMs))
    var rest = failures
    while rest > 1, full < longestMs {
      full = full > longestMs / 2 ? longestMs : full * 2
      rest -= 1
    }
    return full
  }
}
