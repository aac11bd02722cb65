import AtelierProtocol

extension Ledger {
  /// The usage of the limits that apply to an account; empty when an operator has lifted its limits.
  /// - Parameter recipe: the requested recipe; nil for all recipes.
  func standings(
    of account: AccountID, against limits: [UsageLimit], recipe: Recipe? = nil
  ) throws -> [UsageState] {
    if limits.isEmpty { return [] }
    guard try !session.accounts.isUnlimited(account) else { return [] }
    let tier = try tier(of: account)
    let hasPaid = try session.creditGrants.shortfall(of: account) == 0
      && (tier == .premium || session.creditGrants.hasBought(account))
    return try limits.filter { limit in
      (tier == .guest || !limit.isForGuests) && !(hasPaid && limit.isLiftedByCredits) && limit.counts(recipe)
    }.map { try standing(of: account, against: $0) }
  }

  /// What ``standings(of:against:recipe:)`` reads, besides ``entry(of:)``.
  /// - Parameter system: the time of the system clock.
  static func standings(
    of account: AccountID, against limits: [UsageLimit], recipe: Recipe? = nil, at system: Timestamp
  ) -> [SQLQuery] {
    if limits.isEmpty { return [] }
    return [CreditGrantTable.hasBought(account)] + limits.filter { $0.counts(recipe) }.map { limit in
      switch limit.window {
      case .concurrent: GenerationTable.unqueuedCount(of: account, recipe: limit.recipe)
      case .minute, .hour, .day: LimitEventTable.count(in: limit.window(of: account, at: system))
      }
    }
  }

  private func standing(of account: AccountID, against limit: UsageLimit) throws -> UsageState {
    let window = limit.window(of: account, at: system)
    let used =
      switch limit.window {
      case .concurrent: try session.generations.unqueuedCount(of: account, recipe: limit.recipe)
      case .minute, .hour, .day: try session.limitEvents.count(in: window)
      }
    var standing = UsageState(limit: limit, used: used)
    guard standing.isReached else { return standing }
    switch limit.window {
    case .concurrent: break
    case .day: standing.freeAt = system.endOfDay
    case .minute, .hour:
      // The limit has room again when enough requests have left the window to be one below it.
      let oldest = try session.limitEvents.time(ofEventAt: used - limit.limit, in: window)
      standing.freeAt = oldest.map { min($0, system).later(by: limit.window.length) }
    }
    return standing
  }

  /// Refuses a request that would exceed a limit; the refusal tells which limit, and when it ends.
  /// - Throws: ``LedgerRefusal/limitReached(_:at:)``.
  func checkLimits(of account: AccountID, against limits: [UsageLimit], recipe: Recipe) throws {
    let reached = try standings(of: account, against: limits, recipe: recipe).filter(\.isReached)
    // Report the limit that lasts longest, so that a client does not wait for one limit only to meet the next.
    let standing = reached.max { ($0.freeAt ?? system) < ($1.freeAt ?? system) }
    guard let standing else { return }
    throw LedgerRefusal.limitReached(standing, at: system)
  }

  /// Counts an accepted request, and deletes events that no limit uses any more.
  func count(_ generation: GenerationID, of account: AccountID, recipe: Recipe) throws {
    if mayExpire {
      try session.limitEvents.delete(of: account, before: system.later(by: -UsageLimit.Window.day.length))
    }
    try session.limitEvents.insert(generation, of: account, recipe: recipe, created: system)
  }
}

extension UsageLimit {
  /// Whether it counts requests for a recipe; nil for any.
  fileprivate func counts(_ recipe: Recipe?) -> Bool { recipe == nil || self.recipe == nil || self.recipe == recipe }

  /// The events that it counts. Later ones were counted with a wrong clock and are ignored.
  fileprivate func window(of account: AccountID, at system: Timestamp) -> LimitEventTable.Window {
    let isDay = window == .day
    return LimitEventTable.Window(
      account: account, recipe: recipe,
      // One millisecond before midnight: the window contains times later than its start.
      start: isDay ? system.endOfDay.later(by: -window.length - 1) : system.later(by: -window.length),
      end: isDay ? system.endOfDay : system.later(by: window.length))
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
