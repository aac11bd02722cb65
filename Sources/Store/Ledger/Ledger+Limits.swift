import AtelierProtocol
import GRDB

extension Ledger {
  /// How far an account has used up what applies to it: none when an operator has lifted its limits.
  /// - Parameter recipe: the one asked for; nil for all there are.
  func standings(
    of account: AccountID, against limits: [UsageLimit], recipe: Recipe? = nil
  ) throws -> [UsageState] {
    if limits.isEmpty { return [] }
    guard try !isUnlimited(account) else { return [] }
    let isGuest = try tier(of: account) == .guest
    return try limits.filter { limit in
      (isGuest || !limit.isForGuests) && (recipe == nil || limit.recipe == nil || limit.recipe == recipe)
    }.map { try standing(of: account, against: $0) }
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
      // Free again when so many of them are old that one less than the limit is left.
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

  /// Refuses what would pass a limit; the refusal tells which, and when it ends.
  /// - Throws: `rate_limited`, `daily_limit`, `concurrent_limit`.
  func checkLimits(of account: AccountID, against limits: [UsageLimit], recipe: Recipe) throws {
    let reached = try standings(of: account, against: limits, recipe: recipe).filter(\.isReached)
    // The one that lasts longest, so that nobody waits for one only to meet the next.
    let standing = reached.max { ($0.freeAt ?? system) < ($1.freeAt ?? system) }
    guard let standing else { return }
    throw AtelierError(limit: standing, at: system)
  }

  /// Counts an accepted request, and forgets those no limit looks at any more.
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
    // A moment before midnight: the window holds what is later than its start.
    if window == .day { return system.endOfDay.later(by: -window.length - 1) }
    return system.later(by: -window.length)
  }

  /// What is later than this was counted by a clock that was wrong, and is over.
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
  /// The refusal of a request that would pass a limit.
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
    self.init(kind, message, retryAfterMs: wait.map { Int($0) }, details: details.json)
  }
}

/// How often a metered account may ask for something (REQUIREMENTS 6.9).
public struct UsageLimit: Sendable, Equatable {
  /// What is counted.
  public enum Window: String, Sendable, CaseIterable {
    /// What was accepted within the last 60 s.
    case minute
    /// What was accepted within the last hour.
    case hour
    /// What was accepted since midnight, UTC; when it is used up, nothing is accepted until the next.
    case day
    /// What has not ended.
    case concurrent
  }

  public var window: Window
  /// The recipe that is counted; nil for all together.
  public var recipe: Recipe?
  /// Whether it is for guests alone.
  public var isForGuests: Bool
  /// The most that is accepted.
  public var limit: Int

  public init(_ window: Window, recipe: Recipe? = nil, isForGuests: Bool = false, limit: Int) {
    self.window = window
    self.recipe = recipe
    self.isForGuests = isForGuests
    self.limit = limit
  }

  /// Those of REQUIREMENTS 6.9; what it does not name is limited as hairstyles are.
  public static let standard: [UsageLimit] = [
    UsageLimit(.concurrent, limit: 1),
    UsageLimit(.hour, isForGuests: true, limit: 20),
    UsageLimit(.minute, recipe: .headshot, limit: 5),
    UsageLimit(.day, recipe: .headshot, limit: 10),
  ] + [Recipe.hairstyle, .edit, .create, .places].flatMap {
    [UsageLimit(.minute, recipe: $0, limit: 60), UsageLimit(.day, recipe: $0, limit: 1_000)]
  }
}

/// One limit, and how much of it an account has used.
public struct UsageState: Sendable, Equatable {
  public var limit: UsageLimit
  public var used: Int
  /// When the next is accepted again; nil while there is room, and where no clock tells.
  public var freeAt: Timestamp?
  public var isReached: Bool { used >= limit.limit }
}
