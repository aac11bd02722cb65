/// What an operator should know about a server that keeps a ledger: what would break it, and what would lose a part of it.
struct PostgreSQLExamination {
  let server: PostgreSQLServer

  /// - Returns: faults first.
  func findings() throws -> [IntegrityReport.Finding] {
    let connection = try PostgreSQLOpening(server: server).open()
    let session = PostgreSQLSession(connection, beginning: [])
    return try faults(session, connection).map { IntegrityReport.Finding(kind: .weakServer, sentence: "\(subject) \($0)") }
      + advice(session).map { IntegrityReport.Finding(kind: .serverAdvice, sentence: "\(subject) \($0)") }
  }

  private var subject: String { "The database \(server.address.shown)" }

  private func faults(_ session: PostgreSQLSession, _ connection: PostgreSQLConnection) throws -> [String] {
    var faults: [String] = []
    let unordered: [String] = try session.values(
      """
      SELECT table_name || '.' || column_name FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C' ORDER BY 1
      """)
    if let first = unordered.first {
      faults.append(
        "compares texts in the order of a language, as \(first) does: what is refunded would not be found. Restore it with "
          + "the tables that Atelier makes.")
    }
    let disabled: [String] = try session.values(
      "SELECT CAST(tgname AS TEXT) FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'O' ORDER BY 1")
    if let first = disabled.first {
      faults.append(
        "does not follow all of its rules: \(first) is disabled. Enable it with ALTER TABLE … ENABLE TRIGGER ALL.")
    }
    let missing: Int = try session.value(
      "SELECT CAST(? AS BIGINT) - count(*) FROM pg_trigger WHERE NOT tgisinternal",
      [PostgreSQLSchema.triggerNames.count]) ?? 0
    if missing > 0 { faults.append("lacks \(missing) of its rules: some were dropped. Restore a backup.") }
    if let object = try PostgreSQLObjects.foreign(in: session).first {
      faults.append(
        "has \(object), which Atelier does not make: it may change what is written. Find out whose it is, and drop it.")
    }
    for (setting, good) in [("fsync", "on"), ("full_page_writes", "on")] where try self.setting(setting, session) != good {
      faults.append("may lose everything in a power failure: \(setting) is off. Set it to on in postgresql.conf.")
    }
    if try setting("synchronous_commit", session) == "off" {
      faults.append("tells that credits are recorded before they are: synchronous_commit is off. Set it to on.")
    }
    if try standbys(session) == 0, try !setting("synchronous_standby_names", session).isEmpty {
      faults.append(
        "waits for a standby that is not there, so that nothing can be recorded. Start the standby; or, if charges may be "
          + "lost with this server, empty synchronous_standby_names.")
    }
    faults += try lacks(session)
    if !connection.isEncrypted, server.address.transport == "verify-full" { faults.append("is reached without TLS.") }
    return faults
  }

  private func advice(_ session: PostgreSQLSession) throws -> [String] {
    var advice: [String] = []
    if try session.value("SELECT current_setting('is_superuser')") == "on" {
      advice.append("is used as a superuser, whom no rule binds. Give Atelier a role of its own: see docs/operating.md.")
    } else if try PostgreSQLRoles.mayBecomeOwner(server.address.user, in: session) {
      advice.append(
        "is used by a role that owns its tables or can make itself their owner, and so could alter what is written of "
          + "credits. Let services have a role of their own, with `atelier store prepare`: see docs/operating.md.")
    } else {
      advice += try surplus(session)
    }
    if try standbys(session) > 0, try setting("synchronous_standby_names", session).isEmpty {
      advice.append(
        "has a standby that confirms nothing: after a failover, the last charges are lost. Set synchronous_standby_names.")
    }
    let left: Int =
      try session.value(
        """
        SELECT CAST(current_setting('max_connections') AS BIGINT)
          - CAST(current_setting('superuser_reserved_connections') AS BIGINT) - count(*) FROM pg_stat_activity
        WHERE backend_type = 'client backend'
        """) ?? 0
    if left < Self.fewConnections {
      advice.append("has \(max(left, 0)) connections left; each process of Atelier uses up to four. Raise max_connections.")
    }
    return advice
  }

  /// What the role may not do, though services need it.
  private func lacks(_ session: PostgreSQLSession) throws -> [String] {
    if let first = try PostgreSQLRoles.hidden(from: server.address.user, in: session).first {
      return [PostgreSQLError.phrase(ofHiding: "row security is on for \(first)", server: server)]
    }
    let missing = try PostgreSQLRoles.missing(in: session)
    if missing.isEmpty { return [] }
    return [PostgreSQLError.phrase(ofLacking: missing.prefix(5).joined(separator: ", "), server: server)]
  }

  /// What a role that does not own the tables could do to them, or beside them.
  private func surplus(_ session: PostgreSQLSession) throws -> [String] {
    let surplus = try PostgreSQLRoles.surplus(of: server.address.user, in: session)
    if surplus.isEmpty { return [] }
    return [
      "lets “\(server.address.user)” do more than it needs: \(surplus.prefix(5).joined(separator: ", ")). Take it away with "
        + "`atelier store prepare`, which says what an administrator must do where that is not enough."
    ]
  }

  private static let fewConnections = 8

  private func standbys(_ session: PostgreSQLSession) throws -> Int {
    try session.value("SELECT count(*) FROM pg_stat_replication") ?? 0
  }

  private func setting(_ name: String, _ session: PostgreSQLSession) throws -> String {
    try session.value("SELECT current_setting(?)", [name]) ?? ""
  }
}
