/// `session/get`: the steps of a session, the first ones first, in pages (REQUIREMENTS 1.6).
///
/// Each entry's `parent` says what it refines; it comes after that one, unless that one was deleted. A page may be
/// shorter than its limit so that its line stays under 60 KiB.
public struct SessionGet: RequestMessage {
  public static let method = "session/get"

  /// The session's id, or that of any of its generations.
  public var sessionId: GenerationID
  /// Whose it is. Default: the account of `initialize`, else any.
  public var account: AccountID?
  /// The most entries wanted. Default 20.
  @Limited<PageSize> public var limit: Int?
  /// Where to go on: `nextCursor` of the page before.
  @Limited<CursorLength> public var cursor: String?

  public init(sessionId: GenerationID, account: AccountID? = nil, limit: Int? = nil, cursor: String? = nil) {
    self.sessionId = sessionId
    self.account = account
    self.limit = limit
    self.cursor = cursor
  }

  public struct Result: Codable, Sendable, Equatable {
    public var session: SessionList.Entry
    /// The first ones first.
    public var entries: [History.Entry]
    /// Where the next page begins; absent on the last.
    public var nextCursor: String?

    public init(session: SessionList.Entry, entries: [History.Entry], nextCursor: String? = nil) {
      self.session = session
      self.entries = entries
      self.nextCursor = nextCursor
    }
  }
}

extension SessionGet: SchemaDescribed {
  public static let summary =
    "The steps of a session, the first ones first, in pages. Each entry's `parent` says what it refines; it comes "
    + "after that one, unless that one was deleted. A page may be shorter than its limit so that its line stays under 60 KiB."

  public static let members = [
    "sessionId": "The session's id, or that of any of its generations.",
    "account": "Whose it is. Default: the account of `initialize`, else any.",
    "limit": "The most entries wanted. Default 20.",
    "cursor": "Where to go on: `nextCursor` of the page before.",
  ]
}

extension SessionGet.Result: SchemaDescribed {
  public static let summary = "Some steps of a session."

  public static let members = [
    "entries": "The first ones first.",
    "nextCursor": "Where the next page begins; absent on the last.",
  ]
}
