import AtelierProtocol

/// The SQL of the table `provider_outage`: which providers cannot be reached, and which could not be a while ago.
struct OutageTable {
  let session: any SQLSession

  /// An outage that lasts.
  struct Entry {
    var provider: ProviderID
    var since: Timestamp
    var nextProbe: Timestamp
    /// When `nextProbe` was set.
    var probeSet: Timestamp
  }

  /// The outages that last.
  func lasting() throws -> [Entry] {
    try session.rows("SELECT provider, since, next_probe, probe_set FROM provider_outage WHERE ended IS NULL").map { row in
      Entry(
        provider: ProviderID(rawValue: try row.value("provider")),
        since: Timestamp(milliseconds: try row.value("since")),
        nextProbe: Timestamp(milliseconds: try row.value("next_probe")),
        probeSet: Timestamp(milliseconds: try row.value("probe_set")))
    }
  }

  /// The latest outage of a provider: when it ended, nil while it lasts, and how often the provider was not reached.
  /// - Returns: nil when there never was one.
  func latest(of provider: ProviderID) throws -> (ended: Timestamp?, failures: Int)? {
    try session.row(
      "SELECT ended, failures FROM provider_outage WHERE provider = ?", [try StoredText.identifier(provider.rawValue)]
    ).map { (ended: try $0.time("ended"), failures: try $0.value("failures")) }
  }

  /// How often in a row a provider was not reached, while its outage lasts.
  func failures(of provider: ProviderID) throws -> Int? {
    try session.value(
      "SELECT failures FROM provider_outage WHERE provider = ? AND ended IS NULL",
      [try StoredText.identifier(provider.rawValue)])
  }
}

extension OutageTable {
  /// Begins an outage, in place of one that has ended.
  func begin(of provider: ProviderID, at now: Timestamp, failures: Int, nextProbe: Timestamp) throws {
    try session.run(
      """
      INSERT INTO provider_outage (provider, since, failures, next_probe, probe_set) VALUES (?1, ?2, ?3, ?4, ?2)
      ON CONFLICT (provider) DO UPDATE SET
        since = excluded.since, ended = NULL, failures = excluded.failures, next_probe = excluded.next_probe,
        probe_set = excluded.probe_set
      """,
      [try StoredText.identifier(provider.rawValue), now.milliseconds, failures, nextProbe.milliseconds])
  }

  /// Puts the next probe off when it is time for it, or when a wrong clock has set it.
  /// - Returns: false when it is not time yet, or the outage is over.
  func claimProbe(of provider: ProviderID, at now: Timestamp, until next: Timestamp) throws -> Bool {
    let count = try session.change(
      """
      UPDATE provider_outage SET next_probe = ?1, probe_set = ?2
      WHERE provider = ?3 AND ended IS NULL AND (next_probe <= ?2 OR probe_set > ?2)
      """,
      [next.milliseconds, now.milliseconds, try StoredText.identifier(provider.rawValue)])
    return count > 0
  }

  func putOffProbe(of provider: ProviderID, failures: Int, at now: Timestamp, until next: Timestamp) throws {
    try session.run(
      "UPDATE provider_outage SET failures = ?, next_probe = ?, probe_set = ? WHERE provider = ?",
      [failures, next.milliseconds, now.milliseconds, try StoredText.identifier(provider.rawValue)])
  }

  /// Ends an outage, if there is one.
  func end(of provider: ProviderID, at now: Timestamp) throws {
    try session.run(
      "UPDATE provider_outage SET ended = ? WHERE provider = ? AND ended IS NULL",
      [now.milliseconds, try StoredText.identifier(provider.rawValue)])
  }
}

extension SQLSession {
  var outages: OutageTable { OutageTable(session: self) }
}
