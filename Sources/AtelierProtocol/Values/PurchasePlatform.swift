/// A store that signs what it sells.
public enum PurchasePlatform: String, Codable, Sendable, CaseIterable {
  /// The App Store.
  case apple
  /// Google Play.
  case google
}
