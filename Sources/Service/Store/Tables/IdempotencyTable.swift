import AtelierProtocol
import Encodings

/// The SQL of the table `idempotency`: which generation a key of an account stands for.
struct IdempotencyTable {
  let session: any SQLSession

  /// What a key stands for.
  struct Entry {
    /// SHA-256 of what was asked for with the key.
    var paramsHash: [UInt8]
    /// It may have been deleted.
    var generation: GenerationID
  }

  /// - Returns: nil for a key that is new.
  func entry(of key: String, account: AccountID) throws -> Entry? {
    try session.row(Self.entry(of: key, account: account)).map { row in
      Entry(
        paramsHash: try row.bytes("params_hash"), generation: GenerationID(rawValue: try row.value("generation_id")))
    }
  }

  static func entry(of key: String, account: AccountID) throws -> SQLQuery {
    SQLQuery(
      "SELECT params_hash, generation_id FROM idempotency WHERE account = ? AND key = ?",
      [try StoredText.identifier(account.rawValue), try StoredText.identifier(key)])
  }

  /// The last key of an account that consists of `prefix` and digits, by its digits as text.
  func last(beginningWith prefix: String, account: AccountID) throws -> String? {
    try session.value(
      """
      SELECT key FROM idempotency WHERE account = ?1 AND key >= ?2 || '0' AND key < ?2 || ':' ORDER BY key DESC LIMIT 1
      """, [try StoredText.identifier(account.rawValue), try StoredText.identifier(prefix)])
  }

  /// Lets a key stand for a generation, in place of an earlier one that may be tried again.
  func take(_ key: String, for generation: GenerationRow) throws {
    try session.run(
      """
      INSERT INTO idempotency (account, key, params_hash, generation_id, created) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (account, key) DO UPDATE SET generation_id = excluded.generation_id
      """,
      [
        generation.account.rawValue, key, Hexadecimal.text(generation.paramsHash), generation.id.rawValue,
        generation.created.milliseconds,
      ])
  }
}

extension SQLSession {
  var idempotency: IdempotencyTable { IdempotencyTable(session: self) }
}
