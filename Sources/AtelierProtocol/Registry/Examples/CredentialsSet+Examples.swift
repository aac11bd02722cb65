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
