import AtelierProtocol

extension Store {
  /// One generation with its files.
  /// - Parameter account: the account it must belong to; nil for any account.
  /// - Returns: nil when there is none.
  public func generation(_ id: GenerationID, account: AccountID?) async throws(AtelierError) -> GenerationRow? {
    try await read { [self] session in
      guard let row = try generation(id, in: session), account == nil || row.account == account else { return nil }
      return row
    }
  }

  /// The generation of an account's idempotency key; nil when the key is new or its generation was deleted.
  public func generation(
    idempotencyKey: String, account: AccountID
  ) async throws(AtelierError) -> GenerationRow? {
    try await read { [self] session in
      guard let known = try session.idempotency.entry(of: idempotencyKey, account: account) else { return nil }
      return try generation(known.generation, in: session)
    }
  }

  /// The last of an account's idempotency keys that consist of `prefix` and digits; nil without one.
  public func lastKey(beginningWith prefix: String, account: AccountID) async throws(AtelierError) -> String? {
    try await read { try $0.idempotency.last(beginningWith: prefix, account: account) }
  }

  /// The queued and running generations of all processes, oldest first.
  /// - Parameter account: the account they belong to; nil for all accounts.
  public func running(account: AccountID?) async throws(AtelierError) -> [GenerationRow] {
    try await read { [self] in try openGenerations(of: account, in: $0) }
  }
}

/// The same within a transaction.
extension Store {
  func generation(_ id: GenerationID, in session: any SQLSession) throws -> GenerationRow? {
    try session.prefetch(Self.row(of: id))
    guard let row = try session.generations.row(of: id) else { return nil }
    return try generations(in: session, rows: [row]).first
  }

  /// What ``generation(_:in:)`` reads.
  static func row(of id: GenerationID) throws -> [SQLQuery] {
    try [GenerationTable.row(of: id)] + details(ofGenerations: [id.rawValue])
  }

  /// The generations with these ids, oldest first.
  func generations(_ ids: [GenerationID], in session: any SQLSession) throws -> [GenerationRow] {
    if ids.isEmpty { return [] }
    return try generations(in: session, rows: session.generations.rows(of: ids))
  }

  /// The generations that have not ended, oldest first.
  /// - Parameter account: the account they belong to; nil for all accounts.
  func openGenerations(of account: AccountID?, in session: any SQLSession) throws -> [GenerationRow] {
    try generations(in: session, rows: session.generations.openRows(of: account))
  }
}
