import AtelierProtocol
import GRDB

extension Ledger {
  /// The usage of the limits that apply to an account; empty when an operator has lifted its limits.
  /// - Parameter recipe: the requested recipe; nil for all recipes.
  func standings(
    of account: AccountID, against limits: [UsageLimit], recipe: Recipe? = nil
  ) throws -> [UsageState] {
    if limits.isEmpty { return [] }
    guard try !isUnlimited(account) else { return [] }
    let tier = try tier(of: account)
    let hasPaid = try shortfall(of: account) == 0 && (tier == .premium || hasBought(account))
    return try limits.filter { limit in
      (tier == .guest || !limit.isForGuests) && !(hasPaid && limit.isLiftedByCredits)
        && (recipe == nil || limit.recipe == nil || limit.recipe == recipe)
    }.map { try standing(of: account, against: $0) }
  }

  /// Whether the account has bought credits, or was given some by the operator, and they were not taken back.
  private func hasBought(_ account: AccountID) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM credit_grant CROSS JOIN grant_balance ON grant_id = id
            WHERE account = ? AND kind IN ('bundle', 'operator', 'period', 'makegood') AND (available + held > 0 OR EXISTS (
                SELECT 1 FROM transfer WHERE transfer.grant_id = id AND transfer.kind = 'capture'))
              AND NOT EXISTS (SELECT 1 FROM grant_refund WHERE grant_refund.grant_id = id)
              AND NOT EXISTS (
                SELECT 1 FROM revocation
                WHERE revocation.source = source_key AND revocation.account = credit_grant.account
                  AND revocation.amount >= credit_grant.amount))
          """),
      arguments: [account.rawValue]) ?? false
  }

  private func standing(of account: AccountID, against limit: UsageLimit) throws -> UsageState {
    let used =
      switch limit.window {
      case .concurrent: try openCount(of: account, recipe: limit.recipe)
      case .minute, .hour, .day: try count(of: account, against: limit)
      }
    var standing = UsageState(limit: limit, used: used)
    guard standing.isReached else { return standing }
    switch limit.window {
    case .concurrent: break
    case .day: standing.freeAt = system.endOfDay
    case .minute, .hour:
      // The limit has room again when enough requests have left the window to be one below it.
      let oldest = try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT created FROM limit_event
            WHERE account = ?1 AND created > ?2 AND created <= ?3 AND (?4 IS NULL OR recipe = ?4)
            ORDER BY created LIMIT 1 OFFSET ?5
            """),
        arguments: [
          account.rawValue, start(of: limit.window).milliseconds, end(of: limit.window).milliseconds,
          limit.recipe?.rawValue, used - limit.limit,
        ])
      standing.freeAt = oldest.map {
        min(Timestamp(milliseconds: $0), system).later(by: limit.window.length)
      }
    }
    return standing
  }

  /// Refuses a request that would exceed a limit; the error tells which limit, and when it ends.
  /// - Throws: `rate_limited`, `daily_limit`, `concurrent_limit`.
  func checkLimits(of account: AccountID, against limits: [UsageLimit], recipe: Recipe) throws {
    let reached = try standings(of: account, against: limits, recipe: recipe).filter(\.isReached)
    // Report the limit that lasts longest, so that a client does not wait for one limit only to meet the next.
    let standing = reached.max { ($0.freeAt ?? system) < ($1.freeAt ?? system) }
    guard let standing else { return }
    throw AtelierError(limit: standing, at: system)
  }

  /// Counts an accepted request, and deletes events that no limit uses any more.
  func count(_ generation: GenerationID, of account: AccountID, recipe: Recipe) throws {
    if mayExpire {
      try database.cachedStatement(sql: "DELETE FROM limit_event WHERE account = ? AND created < ?")
        .execute(arguments: [account.rawValue, system.later(by: -UsageLimit.Window.day.length).milliseconds])
    }
    try database.cachedStatement(
      sql: "INSERT INTO limit_event (account, created, generation_id, recipe) VALUES (?, ?, ?, ?)"
    ).execute(arguments: [account.rawValue, system.milliseconds, generation.rawValue, recipe.rawValue])
  }

  private func start(of window: UsageLimit.Window) -> Timestamp {
    // One millisecond before midnight: the window contains times later than its start.
    if window == .day { return system.endOfDay.later(by: -window.length - 1) }
    return system.later(by: -window.length)
  }

  /// Events later than this were counted with a wrong clock and are ignored.
  private func end(of window: UsageLimit.Window) -> Timestamp {
    window == .day ? system.endOfDay : system.later(by: window.length)
  }

  private func count(of account: AccountID, against limit: UsageLimit) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT count(*) FROM limit_event
          WHERE account = ?1 AND created > ?2 AND created <= ?3 AND (?4 IS NULL OR recipe = ?4)
          """),
      arguments: [
        account.rawValue, start(of: limit.window).milliseconds, end(of: limit.window).milliseconds,
        limit.recipe?.rawValue,
      ]) ?? 0
  }

  private func openCount(of account: AccountID, recipe: Recipe?) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT count(*) FROM generation INDEXED BY generation_open_by_account
          WHERE account = ?1 AND state IN ('queued', 'running') AND (?2 IS NULL OR recipe = ?2)
            AND NOT EXISTS (SELECT 1 FROM queued_generation WHERE generation_id = generation.id)
          """),
      arguments: [account.rawValue, recipe?.rawValue]) ?? 0
  }
}

extension UsageLimit.Window {
  /// In milliseconds.
  fileprivate var length: Int64 {
    switch self {
    case .minute: 60_000
    case .hour: 3_600_000
    case .day: 86_400_000
    case .concurrent: 0
    }
  }
}

extension AtelierError {
  /// The error for a request that would exceed a limit.
  fileprivate init(limit standing: UsageState, at now: Timestamp) {
    let (limit, wait) = (standing.limit, standing.freeAt.map { max(1, $0.milliseconds - now.milliseconds) })
    let kind: ErrorKind
    let message: String
    switch limit.window {
    case .concurrent:
      kind = .concurrentLimit
      message = "Only \(limit.limit) of your requests can run at a time. Wait until it is done, or cancel it."
    case .day:
      kind = .dailyLimit
      message = "You have reached today's limit of \(limit.limit). Try again after midnight UTC."
    case .minute, .hour:
      kind = .rateLimited
      let seconds = ((wait ?? 0) + 999) / 1_000
      message = "Too many requests. Please wait \(seconds) seconds and try again."
    }
    let details = LimitDetails(
      scope: limit.window.rawValue, limit: limit.limit, used: standing.used, resetsAt: standing.freeAt)
    // Nobody knows when the other request ends: it is worth another try soon.
    let pause = limit.window == .concurrent ? UsageLimit.concurrentRetryMs : wait.map { Int($0) }
    self.init(kind, message, retryAfterMs: pause, details: details.json)
  }
}

/// A limit on how often a metered account may make requests.
public struct UsageLimit: Sendable, Equatable {
  /// What is counted.
  public enum Window: String, Sendable, CaseIterable {
    /// Requests accepted within the last 60 s.
    case minute
    /// Requests accepted within the last hour.
    case hour
    /// Requests accepted since midnight, UTC; when the limit is reached, none is accepted until the next midnight.
    case day
    /// Generations that have not ended.
    case concurrent
  }

  public var window: Window
  /// The recipe that is counted; nil for all recipes together.
  public var recipe: Recipe?
  /// Whether it applies to guests only.
  public var isForGuests: Bool
  /// The maximum number accepted.
  public var limit: Int

  public init(_ window: Window, recipe: Recipe? = nil, isForGuests: Bool = false, limit: Int) {
    self.window = window
    self.recipe = recipe
    self.isForGuests = isForGuests
    self.limit = limit
  }

  /// Whether it ends with the first credits that the account buys or is given, as long as it owes none: they keep within
  /// bounds what those who have paid nothing may ask for.
  public var isLiftedByCredits: Bool { isForGuests || window == .day && recipe == .headshot }

  /// When a request that met ``Window/concurrent`` should be tried again, in milliseconds.
  public static let concurrentRetryMs = 2_000

  /// The standard limits. Recipes without a limit of their own are limited as hairstyles are.
  public static let standard: [UsageLimit] = [
    UsageLimit(.concurrent, limit: 1),
    UsageLimit(.hour, isForGuests: true, limit: 20),
    UsageLimit(.minute, recipe: .headshot, limit: 5),
    UsageLimit(.day, recipe: .headshot, limit: 10),
  ] + [Recipe.hairstyle, .edit, .create, .places].flatMap {
    [UsageLimit(.minute, recipe: $0, limit: 60), UsageLimit(.day, recipe: $0, limit: 1_000)]
  }
}

/// One limit and its usage by an account.
public struct UsageState: Sendable, Equatable {
  public var limit: UsageLimit
  public var used: Int
  /// When the next request is accepted again; nil while the limit has room, and when the time is unknown.
  public var freeAt: Timestamp?
  public var isReached: Bool { used >= limit.limit }
}
