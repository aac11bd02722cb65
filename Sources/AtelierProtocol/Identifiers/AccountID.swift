/// Whose a generation is. The service gives no meaning to the text, except for ``owner``.
public struct AccountID: Identifier {
  public static let meaning = "Whose a generation is: any text of the host's, or `owner`, the machine's own account."

  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// The machine's own account: unmetered, and the default (REQUIREMENTS 6.3).
  public static let owner = AccountID(rawValue: "owner")
}
