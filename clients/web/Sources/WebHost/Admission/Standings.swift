import AtelierClient

/// Whether somebody has signed in to an account, and since when it is there, as the service knows it: a cookie may be older
/// than that.
///
/// The answer is remembered for seconds, because it may change at another host.
actor Standings {
  struct Standing: Sendable {
    var isGuest: Bool
    /// When the account began; nil where that says nothing, because another account acts for it.
    var since: Timestamp?
  }

  /// What a cookie or a token says.
  enum Claim: Sendable {
    case guest
    /// That somebody has signed in: by a cookie with its session.
    case signedIn(Session?)
  }

  enum Deletion: Sendable { case underWay, done }

  private static let memoryMs: Int64 = 5000
  /// Longer than any request takes that came before a deletion.
  private static let deletionMs: Int64 = 600_000
  private static let most = 10_000

  private var known: [AccountID: (standing: Standing, until: Int64)] = [:]
  /// The accounts that are being deleted at this host, or were, and until when that is remembered.
  private var deleted: [AccountID: (deletion: Deletion, until: Int64)] = [:]
  private var deletions: [AccountID: Task<AccountDelete.Result, any Error>] = [:]

  /// - Parameter claim: if it is more than is remembered, the account has changed at another host.
  /// - Throws: what `account/get` refuses.
  func standing(
    of account: AccountID, claim: Claim, _ studio: Studio, at now: Timestamp
  ) async throws -> Standing {
    if let entry = known[account], now.milliseconds < entry.until {
      switch claim {
      case .guest: return entry.standing
      case .signedIn(let session): if entry.standing.isOf(session) { return entry.standing }
      }
    }
    return try await read(account, studio, at: now)
  }

  /// As the service knows it now.
  /// - Throws: what `account/get` refuses.
  func read(_ account: AccountID, _ studio: Studio, at now: Timestamp) async throws -> Standing {
    // Of an account that was merged, the one that acts for it answers.
    let answer = try await studio.send(AccountGet(account: account))
    let standing = Standing(
      isGuest: answer.signedInWith.isEmpty, since: answer.account == account ? answer.createdAt : nil)
    if known.count >= Self.most { known = known.filter { now.milliseconds < $0.value.until } }
    if known.count >= Self.most { known = [:] }
    known[account] = (standing, now.milliseconds + Self.memoryMs)
    return standing
  }

  /// Forgets what was known of an account, because it has changed here.
  func forget(_ account: AccountID) { known[account] = nil }

  /// Deletes an account. Requests that are under way begin it no more; whoever asks for the same meanwhile gets this answer.
  /// - Parameter work: deletes it in the service.
  func delete(
    _ account: AccountID, at now: Timestamp, _ work: @escaping @Sendable () async throws -> AccountDelete.Result
  ) async throws -> AccountDelete.Result {
    if let underWay = deletions[account] { return try await underWay.value }
    known[account] = nil
    deleted = deleted.filter { now.milliseconds < $0.value.until }
    deleted[account] = (.underWay, now.milliseconds + Self.deletionMs)
    let task = Task { try await work() }
    deletions[account] = task
    defer { deletions[account] = nil }
    do {
      let answer = try await task.value
      deleted[account]?.deletion = .done
      return answer
    } catch {
      deleted[account] = nil
      throw error
    }
  }

  /// Notes that an account is there: somebody has signed in to it anew.
  func notePresence(of account: AccountID) {
    if deletions[account] == nil { deleted[account] = nil }
  }

  func deletion(of account: AccountID, at now: Timestamp) -> Deletion? {
    deleted[account].flatMap { now.milliseconds < $0.until ? $0.deletion : nil }
  }
}

extension Standings.Standing {
  /// Whether somebody has signed in to this account, and with this session: not to one that had its name before.
  func isOf(_ session: Session?) -> Bool {
    guard !isGuest else { return false }
    guard let session, let since else { return true }
    return session.since.map { $0 == since } ?? (since.milliseconds / 1000 <= session.issued)
  }
}
