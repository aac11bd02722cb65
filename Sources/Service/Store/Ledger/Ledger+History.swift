import AtelierProtocol

extension Ledger {
  /// The credit history of an account, newest first: the credits that one generation took from several buckets are one
  /// entry. Its id is the number of its first transfer among the account's own: it tells nothing of other accounts.
  /// - Parameter before: only entries with a lower number.
  func entries(
    of account: AccountID, before number: Int64?, limit: Int
  ) throws -> [CreditsHistory.Entry] {
    let entries = try session.transfers.entries(of: account, before: number, limit: limit)
    let purposes = try session.holds.purposes(of: entries.compactMap(\.hold))
    return entries.map { CreditsHistory.Entry($0, for: $0.hold.flatMap { purposes[$0] }) }
  }

  /// Credits the account has spent since `start`, or ever.
  func used(by account: AccountID, since start: Timestamp? = nil) throws -> Int {
    try session.transfers.used(by: account, since: start)
  }
}

extension CreditsHistory.Entry {
  /// - Parameter purpose: what the credits were held for; nil if they were not.
  fileprivate init(_ entry: TransferEntry, for purpose: HoldTable.Purpose?) {
    self.init(
      id: String(entry.number), date: entry.created, kind: entry.kind.historyKind,
      amount: entry.kind == .grant ? entry.amount : -entry.amount, balanceAfter: entry.availableAfter,
      generationId: purpose?.generation, recipe: purpose?.recipe, prompt: purpose?.prompt.flatMap(Self.summary),
      bucket: entry.bucket, reason: entry.reason)
  }
}

extension CreditTransfer.Kind {
  fileprivate var historyKind: CreditsHistory.Entry.Kind {
    switch self {
    case .expire: .expiry
    case .revoke, .merge, .forfeit: .revocation
    case .capture, .hold: .use
    case .grant, .release: .grant
    }
  }
}
