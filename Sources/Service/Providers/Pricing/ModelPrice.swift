/// The prices of one model, with their source and date. Amounts are US dollars.
public struct ModelPrice: Codable, Sendable, Equatable {
  /// US dollars per million tokens; nil if unknown.
  public struct Tokens: Codable, Sendable, Equatable {
    public var textInput: DollarAmount?
    /// Set only if it differs from `textInput`.
    public var imageInput: DollarAmount?
    public var textOutput: DollarAmount?
    public var imageOutput: DollarAmount?

    public init(
      textInput: DollarAmount? = nil, imageInput: DollarAmount? = nil, textOutput: DollarAmount? = nil,
      imageOutput: DollarAmount? = nil
    ) {
      self.textInput = textInput
      self.imageInput = imageInput
      self.textOutput = textOutput
      self.imageOutput = imageOutput
    }
  }

  /// The day on which these prices were valid.
  public var asOf: PriceDate
  /// The source of the prices.
  public var source: String?
  public var perMillionTokens: Tokens?
  /// US dollars per image, by the name of its size, such as `1K`: for answers that do not count tokens by kind.
  public var perImage: [String: DollarAmount]?

  public init(
    asOf: PriceDate, source: String? = nil, perMillionTokens: Tokens? = nil, perImage: [String: DollarAmount]? = nil
  ) {
    self.asOf = asOf
    self.source = source
    self.perMillionTokens = perMillionTokens
    self.perImage = perImage
  }

  /// The cost of a request.
  ///
  /// Images are charged by their tokens, or by `perImage` if the tokens were not counted. If anything counted has no
  /// price, the total is unknown.
  /// - Parameter size: the name of the images' size, as in `perImage`.
  /// - Returns: US dollars, or nil if unknown.
  func cost(tokens: TokenCounts, images: Int, size: String?) -> Double? {
    let prices = perMillionTokens ?? Tokens()
    guard let pictures = pictures(tokens.imageOutput, images: images, size: size),
      let textInput = Self.cost(tokens.textInput, prices.textInput),
      let imageInput = Self.cost(tokens.imageInput, prices.imageInput ?? prices.textInput),
      let textOutput = Self.cost(tokens.textOutput, prices.textOutput)
    else { return nil }
    return pictures + textInput + imageInput + textOutput
  }

  private func pictures(_ tokens: Int?, images: Int, size: String?) -> Double? {
    if let tokens, let price = perMillionTokens?.imageOutput { return Self.cost(tokens, price) }
    if images == 0 { return 0 }
    return size.flatMap { perImage?[$0] }.map { $0.value * Double(images) }
  }

  /// Zero for tokens that were not counted.
  private static func cost(_ tokens: Int?, _ price: DollarAmount?) -> Double? {
    guard let tokens, tokens > 0 else { return 0 }
    return price.map { Double(tokens) * $0.value / 1_000_000 }
  }
}
