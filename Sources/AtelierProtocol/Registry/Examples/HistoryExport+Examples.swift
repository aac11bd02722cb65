extension HistoryExport {
  public static let title = "Write history into a folder"
  public static let errors: [ErrorKind] = [.permissionDenied, .fileAccessDenied, .storageFull]

  public static let examples = [
    RequestExample(
      "Everything of the default account", HistoryExport(directory: "/home/anna/export"),
      answer: Result(path: "/home/anna/export/atelier-history-owner.jsonl", entries: 12, files: 24))
  ]
}
