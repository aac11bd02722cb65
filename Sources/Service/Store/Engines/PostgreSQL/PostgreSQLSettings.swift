import POSIX

/// What every session on a server is set to.
///
/// It is set when the connection is there, because poolers refuse what is asked for at its beginning, and then read back in
/// another transaction: a pooler that gives each transaction another session would lose it.
struct PostgreSQLSettings {
  private let use: PostgreSQLServer.Use

  init(_ use: PostgreSQLServer.Use) { self.use = use }

  /// Each with whether it reads back as it was set: those of TCP are nothing on a socket.
  private var all: [(name: String, value: String, isKept: Bool)] {
    [
      // A client that vanishes inside of a transaction holds its locks: not for longer than this.
      ("idle_in_transaction_session_timeout", "5s", true), ("lock_timeout", "10s", true),
      ("statement_timeout", statementTimeout, true), ("search_path", "public", true),
      ("default_transaction_isolation", "read committed", true),
      // Rows that are hidden look as if they had been deleted: a statement that would miss some is refused.
      ("row_security", "off", true),
      ("tcp_keepalives_idle", "3", false), ("tcp_keepalives_interval", "1", false), ("tcp_keepalives_count", "3", false),
      // Compiling a statement, or planning it each time, takes longer than running it: an audit has forty parts, and few
      // rows in most of them.
      ("jit", "off", true), ("plan_cache_mode", "force_generic_plan", true),
      // Nothing is lost with a lease: where it waited for a standby that is away, nobody could even read.
    ] + (use == .heartbeats ? [("synchronous_commit", "off", true)] : [])
  }

  /// As the server shows it.
  private var statementTimeout: String { use == .readingWhole ? "1h" : "\(use.statementSeconds)s" }

  /// Says whose session it is. Every name with a dot may be set.
  static let mark = "atelier.session"

  /// Whether the session is still the one that was set up, as `is_own`.
  static func isOwn(_ connection: PostgreSQLConnection) -> String {
    "current_setting('\(mark)', TRUE) IS NOT DISTINCT FROM '\(connection.mark)' AS is_own"
  }

  /// - Throws: a ``PostgreSQLFault``: ``PostgreSQLFault/sharedSession`` when another session has answered.
  func apply(to connection: PostgreSQLConnection) throws(PostgreSQLFault) {
    let settings = all + [(Self.mark, connection.mark, true)]
    let changes = settings.map { "set_config('\($0.name)', '\($0.value)', FALSE)" }.joined(separator: ", ")
    let kept = settings.filter(\.isKept)
    let comparison = kept.map { "current_setting('\($0.name)', TRUE) IS NOT DISTINCT FROM '\($0.value)'" }
    // These take no time: what does is a pooler that has no session left, or a server that is let in by something else.
    connection.patience = PostgreSQLReach.silence
    defer { connection.patience = use.patience }
    do throws(PostgreSQLFault) {
      _ = try connection.exchange([.init(text: "SELECT \(changes)")])
      // A transaction of its own, of which a pooler that shares sessions between statements knows only the beginning.
      let answers = try connection.exchange([
        .init(text: "BEGIN"), .init(text: "SELECT \(comparison.joined(separator: " AND ")) AS is_own"),
      ])
      _ = try connection.exchange([.init(text: "COMMIT")])
      guard case .rows(let rows)? = answers.last, (try? rows.first?.value("is_own", as: Bool.self)) == true else {
        throw PostgreSQLFault.sharedSession
      }
    } catch {
      var fault = Self.isOfPooler(error) ? .sharedSession : error
      if fault.isSilence {
        let seconds = PostgreSQLReach.silence.wholeMilliseconds / 1000
        fault.message = "a connection was let in, but the server has not answered for \(seconds) seconds: a pooler may have "
          + "no session left; each process of Atelier needs up to four"
      }
      throw fault
    }
  }

  /// Whether a fault shows that somebody else uses the session: what was prepared is gone, or others have prepared it, or a
  /// transaction is refused that has begun.
  static func isOfPooler(_ fault: PostgreSQLFault) -> Bool {
    ["26000", "42P05", "08P01"].contains(fault.state)
  }
}
