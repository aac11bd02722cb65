import AtelierProtocol

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
public struct UsageStanding: Sendable, Equatable {
  public var limit: UsageLimit
  public var used: Int
  /// When the next is accepted again; nil while there is room, and where no clock tells.
  public var freeAt: Timestamp?
  public var isReached: Bool { used >= limit.limit }
}
