extension Regenerate {
  public static let title = "Make pictures again"

  public static let errors: [ErrorKind] = Generate.errors + [.notFinished]

  public static let examples = [
    RequestExample(
      "The same once more", Regenerate(generationId: ExampleValues.generationId),
      answer: .finished(ExampleValues.regenerated)),
    RequestExample(
      "Two before another background, later",
      Regenerate(
        generationId: ExampleValues.generationId, style: Style(background: .casual),
        output: Generate.Output(count: 2), detach: true),
      answer: .accepted(Generate.Acceptance(generationId: ExampleValues.regenerated.generationId, state: .queued))),
  ]
}
