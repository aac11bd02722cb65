extension SessionGet {
  public static let title = "Read the steps of a session"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

  public static let examples = [
    RequestExample(
      "The first step", SessionGet(sessionId: ExampleValues.generationId, limit: 1),
      answer: Result(
        session: ExampleValues.session, entries: [ExampleValues.entry], nextCursor: "MTc5NTIzODc2MDEyMzpnZW5fMA"))
  ]
}
