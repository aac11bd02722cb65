import AtelierClient

/// Whether somebody has signed in to an account, as the service knows it: a cookie may be older than that.
///
/// The answer is remembered: that somebody has signed in, for long; that nobody has, for seconds, because it may change at
/// another host.
actor Standings {
  enum Standing: Sendable { case guest, signedIn }

  private static let memoryMs: Int64 = 5000
  private static let longMemoryMs: Int64 = 300_000
  private static let most = 10_000

  private var known: [AccountID: (standing: Standing, until: Int64)] = [:]

  /// - Parameter claimed: what the cookie says. If it is more than is remembered, somebody has signed in at another host
  ///   then.
  /// - Throws: what `account/get` refuses.
  func standing(
    of account: AccountID, claimed: Standing, _ studio: Studio, at now: Timestamp
  ) async throws -> Standing {
    let now = now.milliseconds
    if let entry = known[account], now < entry.until, claimed == .guest || entry.standing == .signedIn {
      return entry.standing
    }
    // Of an account that was merged, the one that acts for it answers.
    let answer = try await studio.send(AccountGet(account: account))
    let standing: Standing = answer.signedInWith.isEmpty ? .guest : .signedIn
    if known.count >= Self.most { known = known.filter { now < $0.value.until } }
    if known.count >= Self.most { known = [:] }
    known[account] = (standing, now + (standing == .guest ? Self.memoryMs : Self.longMemoryMs))
    return standing
  }

  /// Forgets what was known of an account, because it has changed here.
  func forget(_ account: AccountID) { known[account] = nil }
}
