extension CreditsHistory {
  public static let title = "See what credits were spent on"
  public static let errors: [ErrorKind] = [.permissionDenied]

  public static let examples = [
    RequestExample(
      "The latest", CreditsHistory(account: CreditExamples.anna, limit: 2),
      answer: Result(
        entries: [
          Entry(
            id: "entry_01kbkf9b2d", date: ExampleValues.finished, kind: .use, amount: -1, balanceAfter: 73,
            generationId: ExampleValues.generationId, recipe: .edit, prompt: "a warmer light", bucket: .period),
          Entry(
            id: "entry_01kbh2vx0m", date: CreditExamples.subscribed, kind: .grant, amount: 168, balanceAfter: 172,
            bucket: .period),
        ], nextCursor: "AAABkx4b", totalUsed: 99,
        currentPeriod: Period(starts: CreditExamples.subscribed, ends: CreditExamples.renews, used: 98)))
  ]
}
