extension QueueResume {
  public static let title = "Let what waits begin again"
  public static let errors: [ErrorKind] = [.permissionDenied, .storageFull]

  public static let examples = [
    RequestExample(
      "One account's", QueueResume(account: CreditExamples.anna),
      answer: QueueStatus.Result(waiting: 0, paused: false))
  ]
}
