extension SessionList {
  public static let title = "Look through chains of refinements"
  public static let errors: [ErrorKind] = [.permissionDenied]

  public static let examples = [
    RequestExample(
      "The latest sessions", SessionList(limit: 1),
      answer: Result(sessions: [ExampleValues.session], nextCursor: "MTc5NTIzODc2MDkwMzpnZW5fMQ"))
  ]
}
