extension HistoryAnnotate {
  public static let title = "Note something at a record"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .notFinished, .storageFull]

  public static let examples = [
    RequestExample(
      "Mark a favourite", HistoryAnnotate(generationId: ExampleValues.generationId, favourite: true),
      answer: ExampleValues.favourite)
  ]
}
