import JSON

/// One turn of a conversation.
public enum TextMessage: Sendable, Equatable {
  case user(String)
  /// A turn of the model, sent back exactly as it came: see ``TextAnswer/turn``.
  case model(JSONValue)
  /// The results of all calls of the turn before, in the order of the calls.
  case results([FunctionResult])
}
