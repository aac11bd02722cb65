/// What a generation did to the credits of its account.
public struct Credits: Codable, Sendable, Equatable {
  /// Credits held when the generation was accepted.
  public var held: Int
  /// Credits charged for the delivered pictures.
  public var charged: Int
  /// Credits released: held, but not charged.
  public var released: Int
  /// The credits available after the end; null if no credits were held, as for an account that is not metered.
  @Nullable public var balanceAfter: Int?

  public init(held: Int = 0, charged: Int = 0, released: Int = 0, balanceAfter: Int?) {
    self.held = held
    self.charged = charged
    self.released = released
    self.balanceAfter = balanceAfter
  }
}
