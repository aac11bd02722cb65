import JSON

/// The model's verbatim answer with one delivered image, given back to the provider when the image is refined.
public struct StoredTurn: Sendable, Equatable {
  /// Position of the image among the requested images, from 0.
  public var index: Int
  public var json: JSONValue

  public init(index: Int, json: JSONValue) {
    self.index = index
    self.json = json
  }
}
