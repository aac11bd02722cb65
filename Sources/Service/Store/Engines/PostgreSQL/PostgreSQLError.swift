import AtelierProtocol
import JSON

/// What an error of PostgreSQL means.
enum PostgreSQLError {
  /// Nil for an error of something else.
  static func fault(_ error: any Error, server: PostgreSQLServer) -> EngineFault? {
    let fault: PostgreSQLFault
    switch error {
    case let error as PostgreSQLFault: fault = error
    case SQLFault.damaged(let detail): fault = PostgreSQLFault(state: "XX001", message: detail)
    default: return nil
    }
    let reason = reason(fault, server: server)
    var wireError = fault.isDamage ? .storeDamaged : reason?.atelierError ?? AtelierError(.internal)
    if let state = fault.state { wireError.details["postgresql"] = .string(state) }
    return EngineFault(reason: reason, wireError: wireError, isDamage: fault.isDamage, message: fault.message)
  }

  /// An error about a database, whose hint names it for those who may not know where it is.
  /// - Parameter sentence: is given what to call the database.
  static func told(
    _ kind: StoreError.Kind, server: PostgreSQLServer, _ sentence: (_ database: String) -> String
  ) -> StoreError {
    StoreError(
      kind, sentence("The database \(server.address.shown)"), hint: sentence("The database on the server"))
  }

  /// What an operator must do about rights that a role lacks.
  static func lackOfRights(_ what: String, server: PostgreSQLServer) -> StoreError {
    StoreError(
      .failed, "The database \(server.address.shown) \(phrase(ofLacking: what, server: server))",
      hint: "The database on the server does not let “\(server.address.user)” do what it must (\(what)). Let the role that "
        + "owns the tables grant it, with `atelier store prepare`.")
  }

  /// The same, to follow the name of the database.
  static func phrase(ofLacking what: String, server: PostgreSQLServer) -> String {
    "does not let “\(server.address.user)” do what it must (\(what)). Let the role that owns the tables grant it: "
      + PostgreSQLPreparation.command(for: server)
  }

  /// What an operator must do about rows that a role would not see.
  static func hiddenRows(_ what: String, server: PostgreSQLServer) -> StoreError {
    told(.failed, server: server) { "\($0) \(phrase(ofHiding: what, server: server))" }
  }

  /// The same, to follow the name of the database.
  static func phrase(ofHiding what: String, server: PostgreSQLServer) -> String {
    "hides rows from “\(server.address.user)” (\(what)), so that nothing in it can be relied upon; it is not damaged. Let "
      + "an administrator of the server say: ALTER ROLE \(PostgreSQLRoles.quoted(server.address.user)) BYPASSRLS; or switch "
      + "row security off for each table: ALTER TABLE … DISABLE ROW LEVEL SECURITY."
  }

  /// Why something may be missing that Atelier has made, and what to do.
  static let restoring = "If a backup is being put in its place, wait until that is done; if not, do so now."

  /// What a fault says about the server; nil when the statement is at fault.
  static func reason(_ fault: PostgreSQLFault, server: PostgreSQLServer) -> StoreError? {
    if fault.isDamage {
      return told(.damagedDatabase, server: server) { "\($0) is damaged (\(fault.message)). Put a backup in its place." }
    }
    if fault.state == PostgreSQLFault.sharedSession.state { return sharedSession(server) }
    if fault.isOfHiddenRows { return hiddenRows(fault.message, server: server) }
    if fault.lacksObjects {
      return told(.failed, server: server) {
        "\($0) lacks something that Atelier has made, or hides it (\(fault.message)). \(restoring) If "
          + "“\(server.address.user)” has lost the right to use its schema, let the role that owns the tables grant it, with"
          + " `atelier store prepare`."
      }
    }
    switch (fault.remedy, fault.state) {
    // Until somebody grants it, a change waits as for a disk that is full.
    case (_, "42501"): return lackOfRights(fault.message, server: server)
    case (.none, _): return nil
    case (.again, _), (_, "55P03"), (_, "55006"):
      return told(.busy, server: server) { "\($0) is busy with other processes. Try again when they are done." }
    case (_, "53100"):
      return told(.storageFull, server: server) { "The disk of \($0) is full. Free some space there." }
    case (_, "25006"):
      return told(.failed, server: server) {
        "\($0) only lets itself be read: it is a standby, or default_transaction_read_only is on. Connect to the primary "
          + "server, or set it to off."
      }
    case (_, "53300"):
      return told(.failed, server: server) {
        "\($0) has no connection left for “\(server.address.user)” (\(fault.message)). Each process of Atelier needs up to "
          + "four: raise max_connections, the CONNECTION LIMIT of the role or the database, or that of the pooler."
      }
    case _ where fault.isOfThePassword:
      return told(.failed, server: server) {
        "\($0) cannot be used (\(fault.message)). The password of “\(server.address.user)” is taken from "
          + "ATELIER_STORE_PASSWORD, from the file that `store.passwordFile` or --password-file names, or from the "
          + "desktop's keyring."
      }
    default: return told(.failed, server: server) { "\($0) cannot be used (\(fault.message))." }
    }
  }

  private static func sharedSession(_ server: PostgreSQLServer) -> StoreError {
    told(.foreignDatabase, server: server) {
      "\($0) is reached through something that gives one session of the server to several connections, as a pooler in "
        + "transaction or statement mode does: what one has set or locked would be another's. Connect to the server itself, "
        + "or to an address where each connection has a session of its own (PgBouncer: pool_mode = session and "
        + "server_reset_query = DISCARD ALL; Supabase: port 5432)."
    }
  }
}
