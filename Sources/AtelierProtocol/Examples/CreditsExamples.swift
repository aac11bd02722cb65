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

extension CreditsBalance {
  public static let title = "See what there is to spend"
  public static let errors: [ErrorKind] = [.permissionDenied]

  public static let examples = [
    RequestExample(
      "A subscriber's", CreditsBalance(account: CreditExamples.anna), answer: CreditExamples.balance),
    RequestExample("The machine's own account", CreditsBalance(), answer: .unmetered(.owner)),
  ]
}

extension CreditsChanged {
  public static let title = "There is more or less to spend"
  public static let example = CreditsChanged(account: CreditExamples.anna, available: 73, held: 1)
}

extension CreditsEstimate {
  public static let title = "Ask what it would cost"
  public static let errors: [ErrorKind] = [
    .wrongRecipeInput, .permissionDenied, .notFound, .inputExpired, .notFinished, .unsupportedByProvider,
  ]

  public static let examples = [
    RequestExample(
      "On this device", CreditsEstimate(Generate(recipe: .headshot, image: .path("/home/anna/photo.jpg"))),
      answer: Result(cost: 0, images: 1, provider: .ondevice, balance: .unmetered(.owner))),
    RequestExample(
      "The same once more", CreditsEstimate(Regenerate(generationId: ExampleValues.generationId)),
      answer: Result(cost: 0, images: 1, provider: .ondevice, balance: .unmetered(.owner))),
    RequestExample(
      "More than there is",
      CreditsEstimate(
        Generate(
          recipe: .create, prompt: "a lighthouse", output: Generate.Output(count: 4), provider: ProviderChoice(.gemini),
          account: CreditExamples.anna)),
      answer: Result(
        cost: 4, images: 4, provider: .gemini, balance: CreditExamples.freeBalance, allowed: false,
        refusal: AtelierError(.insufficientCredits, details: InsufficientCreditsDetails.example.json)
          .body(at: ExampleValues.accepted))),
  ]
}

extension CreditsHistory {
  public static let title = "See what credits were spent on"
  public static let errors: [ErrorKind] = [.permissionDenied]

  public static let examples = [
    RequestExample(
      "The latest", CreditsHistory(account: CreditExamples.anna, limit: 2),
      answer: Result(
        entries: [
          Entry(
            id: "entry_01kbkf9b2d", date: ExampleValues.finished, kind: .use, amount: -1, balanceAfter: 73,
            generationId: ExampleValues.generationId, recipe: .edit, prompt: "a warmer light", bucket: .period),
          Entry(
            id: "entry_01kbh2vx0m", date: CreditExamples.subscribed, kind: .grant, amount: 168, balanceAfter: 172,
            bucket: .period),
        ], nextCursor: "AAABkx4b", totalUsed: 99,
        currentPeriod: Period(starts: CreditExamples.subscribed, ends: CreditExamples.renews, used: 98)))
  ]
}

extension CreditsProducts {
  public static let title = "List what credits are sold as"
  public static let errors: [ErrorKind] = []

  public static let examples = [
    RequestExample(
      "A subscription and a bundle", CreditsProducts(),
      answer: Result(products: [CreditExamples.premium, CreditExamples.bundle]))
  ]
}

extension CreditsPurchase {
  public static let title = "Turn a purchase into credits"
  public static let errors: [ErrorKind] = [.invalidReceipt, .permissionDenied, .storageFull]

  public static let examples = [
    RequestExample(
      "From the App Store",
      CreditsPurchase(
        account: CreditExamples.anna,
        proof: .apple(signedTransaction: SecretText("eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"))),
      answer: Result(
        account: CreditExamples.anna, product: CreditExamples.bundle.id, transactionId: "2000000123456789", granted: 8,
        credits: CreditBalance(
          account: CreditExamples.anna, tier: .free, available: 9, allocation: 4,
          buckets: [
            CreditBalance.Bucket(
              id: "grant_01kb6q2z9c", kind: .free, amount: 4, available: 1, createdAt: CreditExamples.signedIn),
            CreditBalance.Bucket(
              id: "grant_01kbkf9d4t", kind: .bundle, amount: 8, available: 8, createdAt: ExampleValues.finished),
          ]))),
    RequestExample(
      "From Google Play, restored",
      CreditsPurchase(
        account: CreditExamples.anna,
        proof: .google(
          purchaseData: SecretText(#"{"orderId":"GPA.3345-1234-5678-90123","productId":"studio_premium_month"}"#),
          signature: SecretText("c2lnbmF0dXJl"))),
      answer: Result(
        account: CreditExamples.anna, product: CreditExamples.premium.id, transactionId: "GPA.3345-1234-5678-90123",
        granted: 0, alreadyGranted: true, credits: CreditExamples.balance)),
  ]
}

extension InsufficientCreditsDetails {
  public static let example = InsufficientCreditsDetails(
    required: 4, available: 1,
    upgradeOptions: [UpgradeOption(CreditExamples.premium), UpgradeOption(CreditExamples.bundle)])
}

extension LimitDetails {
  public static let example = LimitDetails(
    scope: "minute", limit: 5, used: 5, resetsAt: Timestamp(milliseconds: 1_795_238_790_000))
}

extension InvalidReceiptDetails {
  public static let example = InvalidReceiptDetails(reason: "wrong_account")
}
