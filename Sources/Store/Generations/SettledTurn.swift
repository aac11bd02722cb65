import JSONRPC

/// What a provider's model said with one delivered image, word for word, to be given back when it is refined.
public struct SettledTurn: Sendable, Equatable {
  /// Position of the image among those asked for, from 0.
  public var index: Int
  public var json: JSONValue

  public init(index: Int, json: JSONValue) {
    self.index = index
    self.json = json
  }
}
