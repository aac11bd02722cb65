extension GenerationFinished {
  public static let title = "The end of a detached generation"

  public static let example = GenerationFinished(
    generationId: ExampleValues.generationId, state: .succeeded, result: ExampleValues.result)
}
