import JSONRPC

/// What is missing, and how to get it: the details of `insufficient_credits` (REQUIREMENTS 6.5).
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

extension InsufficientCreditsDetails: SchemaDescribed {
  public static let summary = "What is missing, and how to get it."

  public static let members = [
    "required": "Credits the request costs.",
    "available": "Credits the account can spend.",
    "shortfall":
      "Credits owed after a store took a purchase back that was spent already; absent when none are.",
    "upgradeOptions": "Ways to more; none where nothing is sold.",
  ]
}
