import AtelierProtocol

extension CreditProduct {
  /// What is sold where an operator says nothing (REQUIREMENTS 6.5). What stores call it is the operator's to say.
  public static let standard = [
    CreditProduct(
      id: "premium_month", kind: .subscription, title: "168 pictures a month", credits: 168,
      price: Price(amount: "9.99", currency: "USD"), period: .month),
    CreditProduct(
      id: "bundle_8", kind: .bundle, title: "8 pictures", credits: 8, price: Price(amount: "0.99", currency: "USD")),
    CreditProduct(
      id: "bundle_48", kind: .bundle, title: "48 pictures", credits: 48,
      price: Price(amount: "4.99", currency: "USD")),
  ]
}
