extension Cancel {
  public static let title = "End a generation"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .alreadyFinished]

  public static let examples = [
    RequestExample(
      "Cancel by id", Cancel(target: .id(ExampleValues.generationId)),
      answer: Result(
        generationId: ExampleValues.generationId, state: .cancelled, credits: ReleasedCredits(balanceAfter: nil))),
    RequestExample(
      "Cancel a metered account's by its key",
      Cancel(target: .idempotencyKey(ExampleValues.idempotencyKey), account: "anna"),
      answer: Result(
        generationId: ExampleValues.generationId, state: .cancelled,
        credits: ReleasedCredits(released: 1, balanceAfter: 4))),
  ]
}
