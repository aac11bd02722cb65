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

extension CredentialsDelete {
  public static let title = "Forget an API key"
  public static let errors: [ErrorKind] = [
    .permissionDenied, .fileAccessDenied, .unsupportedByProvider, .providerUnavailable, .storageFull,
  ]

  public static let examples = [
    RequestExample(
      "A key that the environment provides as well", CredentialsDelete(provider: .gemini),
      answer: Result(
        provider: .gemini, deleted: true, environmentVariable: "GEMINI_API_KEY",
        note: "The environment variable GEMINI_API_KEY still provides a key."))
  ]
}

extension CredentialsSet {
  public static let title = "Keep an API key"
  public static let errors: [ErrorKind] = [
    .invalidApiKey, .permissionDenied, .fileAccessDenied, .unsupportedByProvider, .storageFull,
  ]

  public static let examples = [
    RequestExample(
      "A key for Gemini", CredentialsSet(provider: .gemini, key: SecretText("an-invented-key-9a7c")),
      answer: Result(provider: .gemini, source: .secretService, masked: "…9a7c"))
  ]
}

extension CredentialsStatus {
  public static let title = "See which API keys there are"
  public static let errors: [ErrorKind] = [.permissionDenied]

  public static let examples = [
    RequestExample(
      "One of two", CredentialsStatus(),
      answer: Result(providers: [
        Entry(
          provider: .gemini, configured: true, source: .secretService, masked: "…9a7c",
          environmentVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"]),
        Entry(provider: .openai, configured: false, environmentVariables: ["OPENAI_API_KEY"]),
      ]))
  ]
}
