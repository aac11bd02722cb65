/// `credits/changed`: a metered account has more or less to spend than before.
public struct CreditsChanged: NotificationMessage {
  public static let method = "credits/changed"

  public var account: AccountID
  /// Credits that can be spent.
  public var available: Int
  /// Credits set aside for what runs.
  public var held: Int

  public init(account: AccountID, available: Int, held: Int) {
    self.account = account
    self.available = available
    self.held = held
  }
}

extension CreditsChanged: SchemaDescribed {
  public static let summary = "A metered account has more or less to spend than before."

  public static let members = [
    "available": "Credits that can be spent.",
    "held": "Credits set aside for what runs.",
  ]
}
