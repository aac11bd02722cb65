extension QueuePause {
  public static let title = "Hold back what waits"
  public static let errors: [ErrorKind] = [.permissionDenied, .storageFull]

  public static let examples = [
    RequestExample(
      "Everybody's", QueuePause(), answer: QueueStatus.Result(waiting: 0, paused: true))
  ]
}
