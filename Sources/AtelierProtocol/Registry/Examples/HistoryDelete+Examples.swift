extension HistoryDelete {
  public static let title = "Forget generations"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

  public static let examples = [
    RequestExample(
      "Forget one", HistoryDelete(target: .generation(ExampleValues.generationId, account: nil)),
      answer: Result(deleted: 1, bytesFreed: 198_340)),
    RequestExample(
      "Forget everything of an account", HistoryDelete(target: .everything(of: "anna")),
      answer: Result(deleted: 12, bytesFreed: 2_380_080)),
  ]
}
