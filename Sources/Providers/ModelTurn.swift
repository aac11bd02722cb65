import JSONRPC

/// What a model answered, kept so that it can be given back exactly as it came when the conversation goes on: signatures
/// letter for letter, parts in their order.
///
/// The pictures in it are cut out, for they are kept as files: where one stood, ``json`` has an object with the one
/// member `"$picture"`, the index of the picture among those of the answer. Base64 of the file restores it.
public struct ModelTurn: Sendable, Equatable {
  public var json: JSONValue

  public init(json: JSONValue) {
    self.json = json
  }
}
