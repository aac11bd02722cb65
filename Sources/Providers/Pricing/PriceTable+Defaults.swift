extension PriceTable {
  /// What was known when this version was made. Prices change: the operator's table goes over it.
  public static let defaults = PriceTable(models: gemini.merging(openAI) { $1 })

  private static let day = PriceDate(known: "2026-11-21")

  private static let gemini: [String: ModelPrice] = [
    "gemini-nano-banana-2.1": ModelPrice(
      asOf: day, source: source,
      perMillionTokens: ModelPrice.Tokens(textInput: 1.5, textOutput: 7.5, imageOutput: 30),
      perImage: ["1K": 0.0336]),
    "gemini-3-pro-image": ModelPrice(
      asOf: day, source: source,
      perMillionTokens: ModelPrice.Tokens(textInput: 2, textOutput: 12, imageOutput: 120),
      perImage: ["1K": 0.134, "2K": 0.134, "4K": 0.24]),
    "gemini-3.1-flash-image": ModelPrice(
      asOf: day, source: source,
      perMillionTokens: ModelPrice.Tokens(textInput: 0.5, textOutput: 3, imageOutput: 60),
      perImage: ["512": 0.045, "1K": 0.067, "2K": 0.101, "4K": 0.151]),
    "gemini-3.1-flash-lite-image": ModelPrice(
      asOf: day, source: source,
      perMillionTokens: ModelPrice.Tokens(textInput: 0.25, textOutput: 1.5, imageOutput: 30),
      perImage: ["1K": 0.0336]),
    "gemini-2.5-flash-image": ModelPrice(
      asOf: day, source: source,
      perMillionTokens: ModelPrice.Tokens(textInput: 0.3, textOutput: 2.5, imageOutput: 30),
      perImage: ["1K": 0.039]),
  ]

  private static let openAI = Dictionary(
    uniqueKeysWithValues: ["gpt-image-2", "gpt-image-2.5-sunburst", "gpt-image-2.5-flare"].map {
      (
        $0,
        ModelPrice(
          asOf: day, source: source,
          perMillionTokens: ModelPrice.Tokens(textInput: 5, imageInput: 8, imageOutput: 30))
      )
    })

  private static let source = "litellm 1.109.1, which cites the providers' own pages"
}
