/// A shop that signs its purchases.
public enum PurchasePlatform: String, Codable, Sendable, CaseIterable {
  /// The App Store.
  case apple
  /// Google Play.
  case google
}

extension PurchasePlatform {
  /// The strings that prove a purchase from this platform, in the order in which they are written.
  public var proofMembers: [PurchaseProof.CodingKeys] {
    switch self {
    case .apple: [.signedTransaction]
    case .google: [.purchaseData, .signature]
    }
  }
}

extension PurchaseProof {
  /// The members of the proofs of all platforms.
  public enum CodingKeys: String, CodingKey, CaseIterable, Sendable {
    /// The shop that the purchase comes from.
    case platform
    /// With `apple`: the signed transaction (JWS), as StoreKit returns it.
    case signedTransaction
    /// With `google`: the JSON of the purchase, byte for byte as Play Billing returns it.
    case purchaseData
    /// With `google`: the signature of `purchaseData`, in base64.
    case signature

    /// All but the platform: they are secret.
    public static let texts = allCases.filter { $0 != .platform }
  }
}

extension CreditProduct {
  /// Where a product is sold, and its id there.
  public struct Platforms: Codable, Sendable, Equatable {
    /// The product id in the App Store; absent if the product is not sold there.
    public var apple: String?
    /// The product id in Google Play; absent if the product is not sold there.
    public var google: String?
    /// The id under which the host sells the product itself, for example by card; absent if it does not.
    public var web: String?

    public init(apple: String? = nil, google: String? = nil, web: String? = nil) {
      self.apple = apple
      self.google = google
      self.web = web
    }

    /// The product id in the shop of this platform; nil if the product is not sold there.
    public subscript(platform: PurchasePlatform) -> String? {
      switch platform {
      case .apple: apple
      case .google: google
      }
    }
  }
}
