import AtelierProtocol

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

extension UsageLimit.Window {
  /// In milliseconds.
  var length: Int64 {
    switch self {
    case .minute: 60_000
    case .hour: 3_600_000
    case .day: 86_400_000
    case .concurrent: 0
    }
  }
}
