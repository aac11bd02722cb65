import AtelierProtocol
import JSON
import JSONRPC
import Localization

/// The kinds of errors that the service has no ``ErrorKind`` for: those of this client, and those of JSON-RPC.
///
/// Every error that the client throws is an ``AtelierError``, except `CancellationError`. Of one of these kinds,
/// ``AtelierError/clientKind`` is set and ``AtelierError/kind`` is `internal`. A kind that neither enumeration has, because
/// the service is newer, is only in ``AtelierError/kindName``.
public enum ClientErrorKind: String, Sendable, CaseIterable {
  /// The service ended, or closed its output, before it answered. `details` has its `exitStatus` or the `signal` that ended
  /// it, as far as known, and in `log` the last lines of its log.
  case connectionLost = "connection_lost"
  /// There is no such executable.
  case executableNotFound = "executable_not_found"
  /// The system has no process, thread or descriptor left to start the service with.
  case startFailed = "start_failed"
  /// The service sent something that this client does not understand.
  case protocolError = "protocol_error"
  /// The client was used in a way that cannot work; nothing was sent.
  case invalidUse = "invalid_use"
  /// The picture has no file that this program can read.
  case noFile = "no_file"
  /// A param is wrong. `details` has its `path` as a JSON Pointer, and what is `expected` there.
  case invalidParams = "invalid_params"
  /// The request is not allowed now, or too large to be sent.
  case invalidRequest = "invalid_request"
  /// The service has no such method: it is older than this client.
  case methodNotFound = "method_not_found"
  /// The request was cancelled; of a generation, before it was sent.
  case requestCancelled = "request_cancelled"

  /// The code that the other clients give it as well: one of JSON-RPC, or 0.
  var code: Int {
    switch self {
    case .connectionLost, .executableNotFound, .startFailed, .protocolError, .invalidUse, .noFile: 0
    case .invalidParams: -32602
    case .invalidRequest: -32600
    case .methodNotFound: -32601
    case .requestCancelled: -32800
    }
  }
}

extension AtelierError {
  /// The kind, if it is one of this client or of JSON-RPC.
  public var clientKind: ClientErrorKind? { otherKind.flatMap { ClientErrorKind(rawValue: $0.name) } }

  /// - Parameter message: in English, as all that the client itself says.
  init(_ kind: ClientErrorKind, _ message: String, retryable: Bool = false, details: JSONObject = [:]) {
    self.init(kind: .internal, message: Sentence(verbatim: message), details: details, retryable: retryable)
    otherKind = OtherKind(name: kind.rawValue, code: kind.code)
  }

  /// Reads the answer to a request. What is missing in it gets its default: every error can be told.
  init(_ answer: ResponseError) {
    let data = answer.data?.object ?? [:]
    let name = data["kind"]?.string ?? "unknown"
    let known = ErrorKind(rawValue: name)
    var details = data["details"]?.object ?? [:]
    // Errors of JSON-RPC have their facts beside the kind.
    for fact in ["path", "expected"] where details[fact] == nil { details[fact] = data[fact] }
    self.init(
      kind: known ?? .internal, message: Sentence(verbatim: answer.message),
      retryAfterMs: data["retryAfterMs"]?.number?.integer(as: Int.self),
      generationId: data["generationId"]?.string.map(GenerationID.init(rawValue:)),
      provider: data["provider"]?.string.map(ProviderID.init(rawValue:)), details: details,
      retryable: data["retryable"] == .bool(true))
    if known == nil { otherKind = OtherKind(name: name, code: answer.code) }
  }

  /// The answer does not have the form that its method promises.
  init(misunderstood failure: JSONDecodingFailure) {
    self.init(.protocolError, "The service's answer is not understood: \(failure.message)")
  }

  /// What a closed client says to every request.
  static var closed: AtelierError {
    AtelierError(.connectionLost, "The connection to the Atelier service is closed.")
  }

  static var cancelledBeforeSent: AtelierError {
    AtelierError(.requestCancelled, "The generation was cancelled before it was sent.")
  }
}
