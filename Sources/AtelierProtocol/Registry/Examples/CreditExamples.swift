/// What the examples about credits have in common.
enum CreditExamples {
  static let anna: AccountID = "anna"
  static let signedIn = Timestamp(milliseconds: 1_794_819_600_000)
  static let subscribed = Timestamp(milliseconds: 1_795_166_400_000)
  static let renews = Timestamp(milliseconds: 1_797_758_400_000)

  static let premium = CreditProduct(
    id: "premium_month", kind: .subscription, title: "168 portraits a month", credits: 168,
    price: Price(amount: "9.99", currency: "USD"), period: .month,
    platforms: CreditProduct.Platforms(apple: "studio.premium.month", google: "studio_premium_month"))

  static let bundle = CreditProduct(
    id: "bundle_8", kind: .bundle, title: "8 portraits", credits: 8, price: Price(amount: "0.99", currency: "USD"),
    platforms: CreditProduct.Platforms(apple: "studio.bundle.8", google: "studio_bundle_8"))

  static let balance = CreditBalance(
    account: anna, tier: .premium, available: 73, held: 1, allocation: 168,
    buckets: [
      CreditBalance.Bucket(
        id: "grant_01kbh2vx0m", kind: .period, amount: 168, available: 69, held: 1, createdAt: subscribed,
        expiresAt: renews),
      CreditBalance.Bucket(id: "grant_01kb6q2z9c", kind: .free, amount: 4, available: 4, createdAt: signedIn),
    ], resetAt: renews)

  static let freeBalance = CreditBalance(
    account: anna, tier: .free, available: 1, allocation: 4,
    buckets: [
      CreditBalance.Bucket(id: "grant_01kb6q2z9c", kind: .free, amount: 4, available: 1, createdAt: signedIn)
    ])
}
