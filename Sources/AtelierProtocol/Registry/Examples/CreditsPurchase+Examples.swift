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
