extension QueueStatus {
  public static let title = "See what waits"
  public static let errors: [ErrorKind] = [.permissionDenied]

  static let outage = Result(
    waiting: 3, paused: false, nextProbeAt: ExampleValues.finished,
    providers: [
      Line(
        id: .gemini, waiting: 3, oldestAt: ExampleValues.accepted, unreachableSince: ExampleValues.started,
        nextProbeAt: ExampleValues.finished)
    ])

  public static let examples = [
    RequestExample("While Gemini cannot be reached", QueueStatus(), answer: outage),
    RequestExample(
      "An account that has nothing waiting", QueueStatus(account: CreditExamples.anna),
      answer: Result(waiting: 0, paused: false)),
  ]
}
