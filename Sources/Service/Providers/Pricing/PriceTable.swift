import JSON

/// The prices of models: a table that the operator can edit, each price with its date. A model that is not in the table
/// has no cost; nothing is guessed.
public struct PriceTable: Sendable, Equatable {
  /// By the name of the model.
  public var models: [String: ModelPrice]

  public init(models: [String: ModelPrice] = [:]) {
    self.models = models
  }

  /// Merges the models of `other` into this table; they replace models of the same name. A model's price is replaced as
  /// a whole, so that prices of different dates are never mixed.
  public func merging(_ other: PriceTable) -> PriceTable {
    PriceTable(models: models.merging(other.models) { $1 })
  }

  /// The cost of a request.
  /// - Parameters:
  ///   - model: the model that served the request.
  ///   - tokens: as counted by the provider.
  ///   - images: the number of images made; for answers without counts.
  ///   - size: the name of their size, as in ``ModelPrice/perImage``.
  /// - Returns: US dollars; nil if the table lacks the model or one of the prices needed.
  public func cost(model: String, tokens: TokenCounts, images: Int, size: String?) -> Double? {
    models[model]?.cost(tokens: tokens, images: images, size: size)
  }

  /// The name whose price applies. A release of the requested model, such as `…-001`, has the price of that model.
  /// - Parameter served: the model that the answer names, if it names one.
  func pricedModel(_ served: String?, asked: String) -> String {
    guard let served, models[served] == nil, served.hasPrefix(asked + "-") else { return served ?? asked }
    let release = served.dropFirst(asked.count + 1)
    return release.allSatisfy { $0.isNumber || $0 == "-" } ? asked : served
  }

  /// The price of one image of the size `1K`, in US dollars; nil if unknown.
  public func standardPrice(of model: String) -> Double? { models[model]?.perImage?["1K"]?.value }
}

extension PriceTable: Codable {
  /// An object with one member per model.
  public init(from decoder: any Decoder) throws {
    models = try [String: ModelPrice](from: decoder)
  }

  public func encode(to encoder: any Encoder) throws { try models.encode(to: encoder) }
}

extension PriceTable {
  /// The prices known when this version was made. Prices change: the operator's table takes precedence.
  public static let defaults = PriceTable(models: gemini.merging(openAI) { $1 })

  private static let day = PriceDate(known: "2026-11-21")
  /// Of the models that answer in words.
  private static let textDay = PriceDate(known: "2026-11-23")

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
    "gemini-2.5-flash": ModelPrice(
      asOf: textDay, source: source, perMillionTokens: ModelPrice.Tokens(textInput: 0.3, textOutput: 2.5)),
  ]

  private static let openAI = Dictionary(
    uniqueKeysWithValues: ["gpt-image-2", "gpt-image-2.5-sunburst", "gpt-image-2.5-flare"].map {
      (
        $0,
        ModelPrice(
          asOf: day, source: source,
          perMillionTokens: ModelPrice.Tokens(textInput: 5, imageInput: 8, imageOutput: 30))
      )
    } + [
      (
        "gpt-5.4-mini",
        ModelPrice(asOf: textDay, source: source, perMillionTokens: ModelPrice.Tokens(textInput: 0.75, textOutput: 4.5))
      )
    ])

  private static let source = "litellm 1.109.1, which cites the providers' own pages"
}

/// A day, as text: `2026-11-21`.
public struct PriceDate: Sendable, Hashable {
  public let text: String

  /// - Returns: nil unless `text` is a year, month and day.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 0x2d || (0x30...0x39).contains($0) }),
      let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    self.text = text
  }

  /// For the date constants in this module.
  init(known text: String) { self.text = text }
}

extension PriceDate: Codable {
  public init(from decoder: any Decoder) throws {
    guard let date = PriceDate(try decoder.singleValueContainer().decode(String.self)) else {
      throw JSONExpectation("a day such as 2026-11-21")
    }
    self = date
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// A price in US dollars: 0 to 100,000.
public struct DollarAmount: Sendable, Hashable {
  public let value: Double

  /// - Returns: nil for negative values, values above 100,000 and NaN.
  public init?(_ value: Double) {
    guard (0...100_000).contains(value) else { return nil }
    self.value = value
  }
}

extension DollarAmount: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A literal out of range becomes the nearest amount.
  public init(floatLiteral value: Double) { self.value = min(max(value, 0), 100_000) }
  public init(integerLiteral value: Int) { self.init(floatLiteral: Double(value)) }
}

extension DollarAmount: Codable {
  public init(from decoder: any Decoder) throws {
    guard let value = try? decoder.singleValueContainer().decode(Double.self), let amount = DollarAmount(value) else {
      throw JSONExpectation("an amount of US dollars from 0 to 100000")
    }
    self = amount
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
