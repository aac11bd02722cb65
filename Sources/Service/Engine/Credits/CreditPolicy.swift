import AtelierProtocol
import Providers
import Receipts
import Store

/// Free credits, prices and products.
public struct CreditPolicy: Sendable {
  /// Whether credits are counted; if not, every account is treated as `owner`: nothing is refused, held or charged.
  public var isMetered = true
  /// How many credits are granted for what.
  public var rules = CreditRules()
  /// The products, in display order.
  public var products = CreditProduct.standard
  /// The prices of pictures.
  public var costs = CreditCosts()
  /// The rate limits of an account.
  public var limits = UsageLimit.standard
  /// Verifies purchases; accepts those of no store unless one is configured.
  public var purchases = PurchaseRegistry()

  public init() {}

  /// The charge for accepting a request: for every picture the price of the most expensive provider that may be asked.
  /// - Returns: nil for an account that is not metered.
  func metering(of account: AccountID, for request: Generate, asking providers: [any ImageProvider]) -> Metering? {
    guard isMetered(account) else { return nil }
    let dearest = providers.map { costs.perPicture(by: $0, for: request) }.max() ?? 0
    return Metering(credits: request.resultCount * dearest, limits: limits)
  }

  /// Whether the account's credits are counted.
  func isMetered(_ account: AccountID) -> Bool { isMetered && account != .owner }

  /// A balance as hosts are told it: without numbers while credits are not counted.
  func shown(_ balance: CreditBalance) -> CreditBalance {
    isMetered ? balance : .unmetered(balance.account, tier: balance.tier)
  }

  /// The products that somebody can buy: in a store whose purchases are accepted here, or from the host itself.
  var productsForSale: [CreditProduct] {
    guard isMetered else { return [] }
    return products.filter { product in
      let isInStore = PurchasePlatform.allCases.contains { product.platforms[$0] != nil && purchases[$0] != nil }
      return isInStore || product.platforms.web != nil
    }
  }

  /// The product with this name in a store.
  func product(_ name: String, in platform: PurchasePlatform) -> CreditProduct? {
    products.first { $0.platforms[platform] == name }
  }

  /// A refusal for insufficient credits with the products that provide more; any other refusal unchanged.
  func offeringMore(_ refusal: AtelierError) -> AtelierError {
    guard var details = InsufficientCreditsDetails(refusal) else { return refusal }
    details.upgradeOptions = productsForSale.map { UpgradeOption($0) }
    var refusal = refusal
    refusal.details = details.json
    return refusal
  }
}
