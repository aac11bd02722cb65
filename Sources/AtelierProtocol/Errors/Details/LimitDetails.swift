import JSONRPC

/// Which limit was reached: the details of the errors about too many requests of an account (REQUIREMENTS 6.9).
public struct LimitDetails: ErrorDetails {
  public static let kinds: [ErrorKind] = [.rateLimited, .dailyLimit, .concurrentLimit]

  /// What is counted, such as `minute`, `hour`, `day` or `concurrent`.
  public var scope: String
  /// The most there may be.
  public var limit: Int
  /// How many there are.
  public var used: Int?
  /// When there may be more again; absent where only the end of something else tells.
  public var resetsAt: Timestamp?

  public init(scope: String, limit: Int, used: Int? = nil, resetsAt: Timestamp? = nil) {
    self.scope = scope
    self.limit = limit
    self.used = used
    self.resetsAt = resetsAt
  }

  public var json: JSONObject {
    var members: JSONObject = ["scope": .string(scope), "limit": .number(JSONNumber(limit))]
    if let used { members["used"] = .number(JSONNumber(used)) }
    if let resetsAt { members["resetsAt"] = .string(resetsAt.text) }
    return members
  }
}

extension LimitDetails: SchemaDescribed {
  public static let summary =
    "Which limit was reached. An account's limits have these details; those of a provider's own refusals may differ."

  public static let members = [
    "scope": "What is counted, such as `minute`, `hour`, `day` or `concurrent`.",
    "limit": "The most there may be.",
    "used": "How many there are.",
    "resetsAt": "When there may be more again; absent where only the end of something else tells.",
  ]
}
