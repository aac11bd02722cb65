import AtelierProtocol
import JSON
import Localization

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
  static let blockedWords: Sentence = "The provider's safety rules refused this request: change the prompt."

  /// A model's turn with nothing to go on with.
  /// - Parameter reason: for `details.reason`.
  static func withoutAnswer(_ reason: String, provider: ProviderID) -> AtelierError {
    AtelierError(
      .providerError, "The provider's model gave no answer. Please try again.", provider: provider,
      details: ["reason": .string(reason), "mayHaveBeenCharged": true])
  }
}
