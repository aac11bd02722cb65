import AtelierProtocol
import GRDB

/// One movement of credits of one bucket: a balanced double entry.
struct Transfer {
  enum Kind: String, CaseIterable {
    case grant, hold, capture, release, expire, revoke

    var source: String {
      switch self {
      case .grant: "issued"
      case .hold, .expire, .revoke: "available"
      case .capture, .release: "held"
      }
    }

    var destination: String {
      switch self {
      case .grant, .release: "available"
      case .hold: "held"
      case .capture: "spent"
      case .expire: "expired"
      case .revoke: "revoked"
      }
    }

    /// What it does to what can be spent: 1, 0 or −1.
    var direction: Int { (destination == "available" ? 1 : 0) - (source == "available" ? 1 : 0) }
  }

  var seq: Int64
  var kind: Kind
  var account: AccountID
  var grant: String
  var hold: String?
  var amount: Int
  /// What the account could spend after it.
  var availableAfter: Int
  /// Why, in the words of an operator.
  var reason: String?
  var created: Timestamp
  /// Empty for the first.
  var previousHash: String

  /// - Returns: its hash.
  func insert(into database: Database) throws -> String {
    try LedgerTable.transfers.insert(
      [
        seq, kind.rawValue, account.rawValue, grant, hold, kind.source, kind.destination, amount, availableAfter,
        reason, created.milliseconds, previousHash,
      ], into: database)
  }
}

extension Transfer {
  /// What the next transfer builds on.
  struct Last {
    var seq: Int64
    var hash: String
    var created: Timestamp
  }

  static func last(in database: Database) throws -> Last? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT seq, hash, created FROM transfer WHERE seq = (SELECT max(seq) FROM transfer)"))
    return try row.map { row in
      Last(
        seq: try row.value("seq"), hash: try row.value("hash"),
        created: Timestamp(milliseconds: try row.value("created")))
    }
  }
}
