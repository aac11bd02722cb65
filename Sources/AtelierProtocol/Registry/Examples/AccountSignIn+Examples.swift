extension AccountSignIn {
  public static let title = "Say who the person is"
  public static let errors: [ErrorKind] = [.permissionDenied]

  public static let examples = [
    RequestExample(
      "A guest signs in for the first time",
      AccountSignIn(account: CreditExamples.anna, identity: Identity(provider: "apple", subject: "001234.5a6b7c.0890")),
      answer: Result(
        account: CreditExamples.anna, tier: .free, granted: 4, isNew: true,
        credits: CreditBalance(
          account: CreditExamples.anna, tier: .free, available: 4, allocation: 4,
          buckets: [
            CreditBalance.Bucket(
              id: "grant_01kb6q2z9c", kind: .free, amount: 4, available: 4, createdAt: CreditExamples.signedIn)
          ])))
  ]
}
