import AtelierProtocol
import JSONRPC

/// What is written of a generation when it begins to wait for its provider: enough for any process to do it later.
public struct WaitingPlace: Sendable {
  /// The provider it waits for.
  public var provider: ProviderID
  /// When it is given up.
  public var deadline: Timestamp
  /// Tries that the provider has refused so far.
  public var attempts: Int
  /// The params, with every picture named as one of `inputs` or of those kept before.
  public var request: JSONObject
  /// Pictures to be kept for it until its end; none where that was done before.
  public var inputs: [PreparedKeeping]
  /// What a person is told meanwhile.
  public var message: String

  public init(
    provider: ProviderID, deadline: Timestamp, attempts: Int, request: JSONObject, inputs: [PreparedKeeping],
    message: String
  ) {
    self.provider = provider
    self.deadline = deadline
    self.attempts = attempts
    self.request = request
    self.inputs = inputs
    self.message = message
  }
}
