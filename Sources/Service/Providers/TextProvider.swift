import AtelierProtocol
import JSON

/// A model that answers in words and may call functions: one turn of a conversation at a time.
///
/// A provider only passes the conversation on: it carries out no function and does not retry.
public protocol TextProvider: ImageProvider {
  /// Sends a conversation and returns the model's next turn.
  ///
  /// Cancelling the task ends the work within a few milliseconds.
  /// - Parameter sending: called immediately before the first byte is sent, from any thread; if it was not called,
  ///   nothing was sent.
  /// - Throws: `AtelierError`, or `CancellationError` when the task was cancelled.
  func answer(_ request: TextRequest, sending: @escaping @Sendable () -> Void) async throws -> TextAnswer
}

/// One turn of a conversation.
public enum TextMessage: Sendable, Equatable {
  case user(String)
  /// A turn of the model, sent back exactly as it came: see ``TextAnswer/turn``.
  case model(JSONValue)
  /// The results of all calls of the turn before, in the order of the calls.
  case results([FunctionResult])
}

/// A function that the model may call, with text parameters that are all required.
public struct FunctionDeclaration: Sendable, Equatable {
  public struct Parameter: Sendable, Equatable {
    public var name: String
    public var description: String

    public init(name: String, description: String) {
      self.name = name
      self.description = description
    }
  }

  public var name: String
  public var description: String
  public var parameters: [Parameter]

  public init(name: String, description: String, parameters: [Parameter]) {
    self.name = name
    self.description = description
    self.parameters = parameters
  }

  /// As a JSON Schema, which is also what Google's subset of OpenAPI allows.
  var schema: JSONValue {
    let properties = parameters.map { parameter -> (String, JSONValue) in
      (parameter.name, ["type": "string", "description": .string(parameter.description)])
    }
    return [
      "type": "object", "properties": .object(JSONObject(members: properties)),
      "required": .array(parameters.map { .string($0.name) }),
    ]
  }
}

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

/// What a call returned.
public struct FunctionResult: Sendable, Equatable {
  public var call: FunctionCall
  /// By convention with the single member `output` or `error`.
  public var response: JSONObject

  public init(call: FunctionCall, response: JSONObject) {
    self.call = call
    self.response = response
  }
}

extension AtelierError {
  /// What is said of a blocked request for words.
  static let blockedWords = "The provider's safety rules refused this request: change the prompt."

  /// A model's turn with nothing to go on with.
  /// - Parameter reason: for `details.reason`.
  static func withoutAnswer(_ reason: String, provider: ProviderID) -> AtelierError {
    AtelierError(
      .providerError, "The provider's model gave no answer. Please try again.", provider: provider,
      details: ["reason": .string(reason), "mayHaveBeenCharged": true])
  }
}
