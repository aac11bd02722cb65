import JSONRPC

/// What models cost: a table the operator can edit, each price with its date. An answer that is not in it has no cost;
/// nothing is guessed.
public struct PriceTable: Sendable, Equatable {
  /// By the name of the model.
  public var models: [String: ModelPrice]

  public init(models: [String: ModelPrice] = [:]) {
    self.models = models
  }

  /// The same with the models of `other` in the place of, or beside, its own. A model's price is replaced as a whole,
  /// so that prices of different dates are never mixed.
  public func merging(_ other: PriceTable) -> PriceTable {
    PriceTable(models: models.merging(other.models) { $1 })
  }

  /// What a request cost.
  /// - Parameters:
  ///   - model: the one that served it.
  ///   - tokens: as the provider counted them.
  ///   - images: how many pictures it made; for answers without counts.
  ///   - size: the name of their size, as in ``ModelPrice/perImage``.
  /// - Returns: US dollars; nil for a model that is not in the table, and where it does not say enough.
  public func cost(model: String, tokens: TokenCounts, images: Int, size: String?) -> Double? {
    models[model]?.cost(tokens: tokens, images: images, size: size)
  }
}

extension PriceTable: Codable {
  /// An object with a member for each model, named as it is.
  public init(from decoder: any Decoder) throws {
    models = try [String: ModelPrice](from: decoder)
  }

  public func encode(to encoder: any Encoder) throws { try models.encode(to: encoder) }
}
