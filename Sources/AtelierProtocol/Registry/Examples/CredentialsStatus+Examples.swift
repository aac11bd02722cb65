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
