import JSON

/// A call that the model wants carried out.
public struct FunctionCall: Sendable, Equatable {
  /// The model's own name for the call, which its result repeats; nil when it gives none.
  public var id: String?
  public var name: String
  /// Nil when they are not a JSON object.
  public var arguments: JSONObject?

  public init(id: String?, name: String, arguments: JSONObject?) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}
