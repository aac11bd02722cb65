/// `credits/history`: what became of an account's credits, newest first, in pages (REQUIREMENTS 6.8).
///
/// A cursor stays valid while entries are added. It tells of credits after their generations were deleted.
public struct CreditsHistory: RequestMessage {
  public static let method = "credits/history"

  /// Whose. Default: the account of `initialize`, else `owner`.
  public var account: AccountID?
  /// The most entries wanted. Default 20.
  @Limited<PageSize> public var limit: Int?
  /// Where to go on: `nextCursor` of the page before.
  @Limited<CursorLength> public var cursor: String?

  public init(account: AccountID? = nil, limit: Int? = nil, cursor: String? = nil) {
    self.account = account
    self.limit = limit
    self.cursor = cursor
  }

  /// One page, and sums over all there is.
  public struct Result: Codable, Sendable, Equatable {
    /// Newest first.
    public var entries: [Entry]
    /// Where the next page begins; absent on the last.
    public var nextCursor: String?
    /// Credits the account has ever spent.
    public var totalUsed: Int
    public var currentPeriod: Period

    public init(entries: [Entry], nextCursor: String? = nil, totalUsed: Int, currentPeriod: Period) {
      self.entries = entries
      self.nextCursor = nextCursor
      self.totalUsed = totalUsed
      self.currentPeriod = currentPeriod
    }
  }

  /// The time the present allocation is for.
  public struct Period: Codable, Sendable, Equatable {
    /// When it began; absent for an allocation that is given once.
    public var starts: Timestamp?
    /// When the next one begins; absent where none will.
    public var ends: Timestamp?
    /// Credits spent in it, from whatever bucket.
    public var used: Int

    public init(starts: Timestamp? = nil, ends: Timestamp? = nil, used: Int) {
      self.starts = starts
      self.ends = ends
      self.used = used
    }
  }
}

extension CreditsHistory: SchemaDescribed {
  public static let summary =
    "What became of an account's credits, newest first, in pages. A cursor stays valid while entries are added. It "
    + "tells of credits after their generations were deleted."

  public static let members = [
    "account": "Whose. Default: the account of `initialize`, else `owner`.",
    "limit": "The most entries wanted. Default 20.",
    "cursor": "Where to go on: `nextCursor` of the page before.",
  ]
}

extension CreditsHistory.Result: SchemaDescribed {
  public static let summary = "One page, and sums over all there is."

  public static let members = [
    "entries": "Newest first.",
    "nextCursor": "Where the next page begins; absent on the last.",
    "totalUsed": "Credits the account has ever spent.",
    "currentPeriod": "The time the present allocation is for.",
  ]
}

extension CreditsHistory.Period: SchemaDescribed {
  public static let summary = "The time the present allocation is for."

  public static let members = [
    "starts": "When it began; absent for an allocation that is given once.",
    "ends": "When the next one begins; absent where none will.",
    "used": "Credits spent in it, from whatever bucket.",
  ]
}
