extension HistoryGet {
  public static let title = "Read one record"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

  public static let examples = [
    RequestExample("One record", HistoryGet(generationId: ExampleValues.generationId), answer: ExampleValues.entry)
  ]
}
