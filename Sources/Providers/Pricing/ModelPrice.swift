/// What one model costs, and who said so when. Amounts are US dollars.
public struct ModelPrice: Codable, Sendable, Equatable {
  /// US dollars for a million tokens; nil is not known.
  public struct Tokens: Codable, Sendable, Equatable {
    public var textInput: DollarAmount?
    /// Where it differs from `textInput`.
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

  /// The day these prices were true.
  public var asOf: PriceDate
  /// Where they were read.
  public var source: String?
  public var perMillionTokens: Tokens?
  /// US dollars for one picture, by the name of its size, such as `1K`: for answers that count no tokens by kind.
  public var perImage: [String: DollarAmount]?

  public init(
    asOf: PriceDate, source: String? = nil, perMillionTokens: Tokens? = nil, perImage: [String: DollarAmount]? = nil
  ) {
    self.asOf = asOf
    self.source = source
    self.perMillionTokens = perMillionTokens
    self.perImage = perImage
  }

  /// What a request cost.
  ///
  /// Pictures go by their tokens; where those were not counted, by `perImage`. What was counted and has no price leaves
  /// the whole unknown.
  /// - Parameter size: the name of the pictures' size, as in `perImage`.
  /// - Returns: US dollars, or nil when they are not known.
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

  /// Nothing for what was not counted.
  private static func cost(_ tokens: Int?, _ price: DollarAmount?) -> Double? {
    guard let tokens, tokens > 0 else { return 0 }
    return price.map { Double(tokens) * $0.value / 1_000_000 }
  }
}

/// The tokens of one request, by what they stand for; nil is what the provider did not say.
public struct TokenCounts: Sendable, Equatable {
  public var textInput: Int?
  public var imageInput: Int?
  public var textOutput: Int?
  public var imageOutput: Int?

  public init(textInput: Int? = nil, imageInput: Int? = nil, textOutput: Int? = nil, imageOutput: Int? = nil) {
    self.textInput = textInput
    self.imageInput = imageInput
    self.textOutput = textOutput
    self.imageOutput = imageOutput
  }
}
