import NIOCore
import NIOHTTP1

/// A request as it came, the body included.
struct ReceivedRequest: Sendable {
  /// The number in the journal; negative for requests of the control API.
  var id: Int
  var head: HTTPRequestHead
  var target: RequestTarget
  var step: ScenarioStep
  var operation: RequestRecord.Operation
  var credential = Credential.none
  var body = ByteBuffer()

  /// Whether the peer wants the connection to be closed after the answer.
  var keepsAlive: Bool { head.isKeepAlive }
}
