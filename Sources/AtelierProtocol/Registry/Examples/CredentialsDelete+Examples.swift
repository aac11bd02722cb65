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
