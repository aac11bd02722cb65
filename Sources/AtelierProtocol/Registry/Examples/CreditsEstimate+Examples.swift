extension CreditsEstimate {
  public static let title = "Ask what it would cost"
  public static let errors: [ErrorKind] = [
    .wrongRecipeInput, .permissionDenied, .notFound, .inputExpired, .notFinished, .unsupportedByProvider,
  ]

  public static let examples = [
    RequestExample(
      "On this device", CreditsEstimate(Generate(recipe: .headshot, image: .path("/home/anna/photo.jpg"))),
      answer: Result(cost: 0, images: 1, provider: .ondevice, balance: .unmetered(.owner))),
    RequestExample(
      "The same once more", CreditsEstimate(Regenerate(generationId: ExampleValues.generationId)),
      answer: Result(cost: 0, images: 1, provider: .ondevice, balance: .unmetered(.owner))),
    RequestExample(
      "More than there is",
      CreditsEstimate(
        Generate(
          recipe: .create, prompt: "a lighthouse", output: Generate.Output(count: 4), provider: ProviderChoice(.gemini),
          account: CreditExamples.anna)),
      answer: Result(
        cost: 4, images: 4, provider: .gemini, balance: CreditExamples.freeBalance, allowed: false,
        refusal: AtelierError(.insufficientCredits, details: InsufficientCreditsDetails.example.json)
          .body(at: ExampleValues.accepted))),
  ]
}
