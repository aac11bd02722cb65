import AtelierProtocol
import JSON
import Localization

/// The data stored when a generation begins to wait for its provider: enough for any process to run it later.
public struct QueueEntry: Sendable {
  /// The provider it waits for.
  public var provider: ProviderID
  /// When the generation expires.
  public var deadline: Timestamp
  /// Attempts that the provider has refused so far.
  public var attempts: Int
  /// The params; each picture refers to one of `inputs` or to a picture kept before.
  public var request: JSONObject
  /// Pictures to keep until the generation ends; empty when they were kept before.
  public var inputs: [PreparedKeeping]
  /// The message shown to the user meanwhile.
  public var message: Sentence

  public init(
    provider: ProviderID, deadline: Timestamp, attempts: Int, request: JSONObject, inputs: [PreparedKeeping],
    message: Sentence
  ) {
    self.provider = provider
    self.deadline = deadline
    self.attempts = attempts
    self.request = request
    self.inputs = inputs
    self.message = message
  }
}
