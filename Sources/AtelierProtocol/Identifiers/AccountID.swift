import JSONRPC

/// Whose a generation is. The service gives no meaning to the text, except for ``owner`` and ``everybody``.
public struct AccountID: Identifier {
  public static let meaning =
    "Whose a generation is: any text of the host's but `*`, or `owner`, the machine's own account."

  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// The machine's own account: unmetered, and the default (REQUIREMENTS 6.3).
  public static let owner = AccountID(rawValue: "owner")

  /// Stands for every account where a request may ask about all; it is no account itself.
  public static let everybody = AccountID(rawValue: "*")

  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try Self.text(from: decoder))
    guard self != .everybody else { throw JSONExpectation("\(Self.expected) other than *") }
  }
}

/// An account, or `*` for everybody's.
public enum AccountOrEverybody: ValueRule {
  public typealias Value = AccountID

  public static let expected = AccountID.expected
  public static let keywords: JSONObject = [:]

  public static func allows(_ value: AccountID) -> Bool { true }

  public static func read(from decoder: any Decoder) throws -> AccountID {
    AccountID(rawValue: try AccountID.text(from: decoder))
  }
}
