import JSON

/// The facts of some kinds of errors, as a type: what is in `data.details`.
///
/// ```swift
/// AtelierError(.insufficientCredits, details: InsufficientCreditsDetails(required: 4, available: 1).json)
/// ```
public protocol ErrorDetails: Codable, Sendable, Equatable {
  /// The kinds of errors that have them.
  static var kinds: [ErrorKind] { get }

  /// The members as they go on the wire. Written by hand because it cannot fail, as an encoder may.
  var json: JSONObject { get }
}

extension ErrorDetails {
  /// The details of `error`; nil where it is of another kind, or they are not of this form.
  public init?(_ error: AtelierError) {
    guard Self.kinds.contains(error.kind),
      let details = try? JSONValueDecoder(unknownMembers: .ignore).decode(Self.self, from: .object(error.details))
    else { return nil }
    self = details
  }
}

/// What is missing, and how to get it.
public struct InsufficientCreditsDetails: ErrorDetails {
  public static let kinds: [ErrorKind] = [.insufficientCredits]

  /// Credits the request costs.
  public var required: Int
  /// Credits the account can spend.
  public var available: Int
  /// Credits owed after a store took a purchase back that was spent already; absent when none are.
  public var shortfall: Int?
  /// Ways to more; none where nothing is sold.
  public var upgradeOptions: [UpgradeOption]

  public init(required: Int, available: Int, shortfall: Int? = nil, upgradeOptions: [UpgradeOption] = []) {
    self.required = required
    self.available = available
    self.shortfall = shortfall
    self.upgradeOptions = upgradeOptions
  }

  public var json: JSONObject {
    var members: JSONObject = [
      "required": .number(JSONNumber(required)), "available": .number(JSONNumber(available)),
    ]
    if let shortfall { members["shortfall"] = .number(JSONNumber(shortfall)) }
    members["upgradeOptions"] = .array(upgradeOptions.map(\.json))
    return members
  }
}

extension UpgradeOption {
  fileprivate var json: JSONValue {
    [
      "id": .string(id.rawValue), "kind": .string(kind.rawValue), "title": .string(title),
      "credits": .number(JSONNumber(credits)),
      "price": ["amount": .string(price.amount), "currency": .string(price.currency)],
    ]
  }
}

/// Why a purchase was not believed: the details of `invalid_receipt`.
public struct InvalidReceiptDetails: ErrorDetails {
  public static let kinds: [ErrorKind] = [.invalidReceipt]

  /// The stable name of what is wrong, such as `wrong_account`; more may come.
  public var reason: String

  public init(reason: String) {
    self.reason = reason
  }

  public var json: JSONObject { ["reason": .string(reason)] }
}

/// Which limit was reached. An account's limits have these details; those of a provider's own refusals may
/// differ.
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
