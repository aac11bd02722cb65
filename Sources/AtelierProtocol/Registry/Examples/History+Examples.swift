extension History {
  public static let title = "Look through what was generated"
  public static let errors: [ErrorKind] = [.permissionDenied]

  public static let examples = [
    RequestExample(
      "The latest headshots", History(limit: 1, recipe: .headshot),
      answer: Result(
        entries: [ExampleValues.entry], nextCursor: "AAABkx4b",
        totals: Totals(generations: 12, creditsUsed: 0, costUsd: 0), currentPeriod: "2026-11"))
  ]
}
