import Crypto
import Encodings

/// A table of the ledger: each row contains a SHA-256 over its other columns, so that every changed bit is detected.
///
/// Of an account, the digest of its name is hashed: a deleted account loses its name, see ``DeletedAccount``, and the
/// hashes still match.
struct LedgerTable: Sendable {
  let name: String
  /// All columns but `hash`, the key first.
  let columns: [String]
  /// Which of them hold the name of an account.
  let accountColumns: Set<String>
  private let insertion: String

  private init(_ name: String, _ columns: String, accounts: Set<String> = ["account"]) {
    self.name = name
    self.columns = columns.split(separator: " ").map(String.init)
    accountColumns = accounts.intersection(self.columns)
    let places = Array(repeating: "?", count: self.columns.count + 1).joined(separator: ", ")
    insertion = "INSERT INTO \(name) (\(self.columns.joined(separator: ", ")), hash) VALUES (\(places))"
  }

  static let accounts = LedgerTable(
    "account", "id tier is_unlimited created merged_into ended", accounts: ["id", "merged_into"])
  static let identities = LedgerTable("account_identity", "identity provider account created")
  static let subscriptions = LedgerTable("subscription", "source account product credits starts ends created")
  static let grants = LedgerTable(
    "credit_grant", "id account kind source_key amount priority effective expires reason created")
  static let holds = LedgerTable("hold", "id account generation_id amount created")
  static let holdEnds = LedgerTable("hold_end", "hold_id outcome captured reason created")
  /// The hash of each row includes that of the row before.
  static let transfers = LedgerTable(
    "transfer",
    "seq kind account grant_id hold_id source destination amount available_after reason created previous_hash")
  static let receipts = LedgerTable("receipt", "source account product kind quantity purchased created")
  static let revocations = LedgerTable("revocation", "source account_digest amount reason is_refund created")
  static let revocationPayments = LedgerTable("revocation_payment", "source payment")
  static let revocationEffects = LedgerTable(
    "revocation_effect", "source revoked first_transfer last_transfer created")
  static let receiptRefunds = LedgerTable("receipt_refund", "source refunded created")
  static let grantRefunds = LedgerTable("grant_refund", "grant_id created")
  static let shortfallPayments = LedgerTable("shortfall_payment", "transfer_seq account amount")

  static let all = [
    accounts, identities, subscriptions, grants, holds, holdEnds, transfers, receipts, receiptRefunds, grantRefunds,
    shortfallPayments, revocations, revocationPayments, revocationEffects,
  ]

  /// Inserts a row.
  /// - Parameter values: one for each of ``columns``.
  /// - Returns: its hash.
  @discardableResult
  func insert(_ values: SQLValues, into session: any SQLSession) throws -> String {
    let hashed = zip(columns, values.values).map { column, value in
      if case .text(let name) = value, accountColumns.contains(column) { return DeletedAccount.digest(of: name).sqlValue }
      return value
    }
    let hash = Self.hash(hashed)
    try session.run(insertion, values + [hash])
    return hash
  }

  /// Recomputes the hash of one row after a change that its triggers allow.
  func rehash(_ key: String, in session: any SQLSession) throws {
    try session.run(
      "UPDATE \(name) SET hash = \(hashExpression) WHERE \(columns[0]) = ?", [key])
  }

  /// Selects `finding` and `subject` of each row whose hash does not match its columns.
  var audit: String {
    """
    SELECT '\(name) row is not what was written' AS finding, CAST(\(columns[0]) AS TEXT) AS subject
    FROM \(name) WHERE hash IS DISTINCT FROM \(hashExpression)
    """
  }

  /// The hash that a row must have, as an SQL expression.
  private var hashExpression: String { hash(of: columns) }

  /// The same for a row that has a name, as `NEW`.
  func hash(ofRow row: String) -> String { hash(of: columns.map { "\(row).\($0)" }) }

  private func hash(of names: [String]) -> String {
    let hashed = zip(columns, names).map { column, name in
      accountColumns.contains(column) ? DeletedAccount.digest(ofColumn: name) : "CAST(\(name) AS TEXT)"
    }
    return "\(Self.function)(\(hashed.joined(separator: ", ")))"
  }

  /// The SQL function that returns the hash of its arguments.
  static let function = "atelier_hash"

  /// SHA-256 over the values, each with its length before it: hexadecimal.
  static func hash(_ values: [SQLValue]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(320)
    for value in values {
      let field: String
      switch value {
      case .text(let value): field = value
      case .integer(let value): field = String(value)
      case .null, .real, .bytes:
        // No length prefix precedes it, so it cannot be the text of another value.
        text.append(UInt8(ascii: "~"))
        continue
      }
      text.append(contentsOf: String(field.utf8.count).utf8)
      text.append(UInt8(ascii: ":"))
      text.append(contentsOf: field.utf8)
    }
    return Hexadecimal.text(Array(SHA256.hash(data: text)))
  }
}
