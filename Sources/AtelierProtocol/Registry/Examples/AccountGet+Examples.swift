extension AccountGet {
  public static let title = "Look up an account"
  public static let errors: [ErrorKind] = [.permissionDenied]

  public static let examples = [
    RequestExample(
      "A subscriber", AccountGet(account: CreditExamples.anna),
      answer: Result(
        account: CreditExamples.anna, tier: .premium, createdAt: CreditExamples.signedIn, signedInWith: ["apple"],
        premiumUntil: CreditExamples.renews, appAccountToken: "5f64edcb-b456-54b8-a44e-245add424cad",
        credits: CreditExamples.balance))
  ]
}
