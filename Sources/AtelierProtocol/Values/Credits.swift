/// What a generation did to its account's credits (REQUIREMENTS 6.4).
public struct Credits: Codable, Sendable, Equatable {
  /// Credits set aside when it was accepted.
  public var held: Int
  /// Credits spent: one for each picture that was delivered and is charged for.
  public var charged: Int
  /// Credits given back.
  public var released: Int
  /// What the account had left then; null where no credits were set aside, as for an account that is not metered.
  @Nullable public var balanceAfter: Int?

  public init(held: Int = 0, charged: Int = 0, released: Int = 0, balanceAfter: Int?) {
    self.held = held
    self.charged = charged
    self.released = released
    self.balanceAfter = balanceAfter
  }
}

extension Credits: SchemaDescribed {
  public static let summary = "What a generation did to its account's credits (REQUIREMENTS 6.4)."

  public static let members = [
    "held": "Credits set aside when it was accepted.",
    "charged": "Credits spent: one for each picture that was delivered and is charged for.",
    "released": "Credits given back.",
    "balanceAfter":
      "What the account had left then; null where no credits were set aside, as for an account that is not metered.",
  ]
}
