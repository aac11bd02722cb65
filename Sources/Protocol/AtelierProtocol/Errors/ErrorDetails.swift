import JSON

/// The content of `data.details` for some kinds of errors, as a type.
///
/// ```swift
/// AtelierError(.insufficientCredits, details: InsufficientCreditsDetails(required: 4, available: 1).json)
/// ```
public protocol ErrorDetails: Codable, Sendable, Equatable {
  /// The kinds of errors that have these details.
  static var kinds: [ErrorKind] { get }

  /// The members as they are sent. Written by hand, because an encoder can fail and this cannot.
  var json: JSONObject { get }
}

extension ErrorDetails {
  /// The details of `error`; nil if it is of another kind or its details have another form.
  public init?(_ error: AtelierError) {
    guard Self.kinds.contains(error.kind),
      let details = try? JSONValueDecoder(unknownMembers: .ignore).decode(Self.self, from: .object(error.details))
    else { return nil }
    self = details
  }
}

/// The details of `insufficient_credits`: what is missing, and how to get it.
public struct InsufficientCreditsDetails: ErrorDetails {
  public static let kinds: [ErrorKind] = [.insufficientCredits]

  /// Credits that the request needs.
  public var required: Int
  /// Credits that the account can spend.
  public var available: Int
  /// Credits owed because a shop revoked a purchase whose credits were already spent; absent if none are owed.
  public var shortfall: Int?
  /// Products that give more credits; empty if nothing is for sale.
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

/// The details of `invalid_receipt`: why the purchase was refused.
public struct InvalidReceiptDetails: ErrorDetails {
  public static let kinds: [ErrorKind] = [.invalidReceipt]

  /// The stable name of the reason, such as `wrong_account`; more may be added.
  public var reason: String

  public init(reason: String) {
    self.reason = reason
  }

  public var json: JSONObject { ["reason": .string(reason)] }
}

/// The details of a usage limit that the account has reached. When a provider refuses because of a limit of its own,
/// `details` may differ.
public struct LimitDetails: ErrorDetails {
  public static let kinds: [ErrorKind] = [.rateLimited, .dailyLimit, .concurrentLimit]

  /// What is counted: the requests within a `minute`, an `hour` or a `day`, or `concurrent` generations; more may be
  /// added.
  public var scope: String
  /// The highest count allowed.
  public var limit: Int
  /// The current count.
  public var used: Int?
  /// When a request may be accepted again; absent if that depends on the end of another generation.
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
