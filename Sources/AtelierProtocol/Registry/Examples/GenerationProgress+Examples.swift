extension GenerationProgress {
  public static let title = "How far a generation is"

  public static let example = GenerationProgress(
    generationId: ExampleValues.generationId, requestId: 1, sequence: 6, state: .running, phase: .processing,
    message: "Separating you from the background…", fraction: 0.4, elapsedMs: 370, etaMs: 410)
}
