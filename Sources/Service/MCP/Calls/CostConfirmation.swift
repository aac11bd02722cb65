import Crypto
import Encodings
import Engine
import JSON
import JSONRPC
import Synchronization

/// Asks the person before a request that costs much, if the client can ask.
final class CostConfirmation: Sendable {
  enum Verdict: Sendable, Equatable { case agreed, declined }

  /// How long a person may take to answer, in milliseconds.
  static let lifetimeMs: Int64 = 600_000
  /// The name of the one question.
  private static let question = "confirm"

  private let surroundings: Surroundings
  /// Made at the first use: a confirmation is valid in the process that asked for it.
  private let key = Mutex<SymmetricKey?>(nil)

  init(surroundings: Surroundings) { self.surroundings = surroundings }

  /// The result with which a modern client is asked.
  func inquiry(_ message: String, about digest: CallDigest) -> JSONObject {
    [
      "resultType": "input_required",
      "inputRequests": [
        Self.question: ["method": "elicitation/create", "params": Self.form(message)]
      ],
      "requestState": .string(state(of: digest, expiring: surroundings.uptimeMs() + Self.lifetimeMs)),
    ]
  }

  /// What the person said to the ``inquiry(_:about:)`` that the request answers; nil when it answers none that is valid.
  func verdict(in params: JSONObject, about digest: CallDigest) -> Verdict? {
    guard let state = params["requestState"]?.string, isValid(state, for: digest),
      let response = params["inputResponses"]?[Self.question]
    else { return nil }
    return Self.verdict(of: response)
  }

  /// Asks a legacy client and waits for the answer. A client that answers with an error has asked nobody.
  func ask(_ message: String, over connection: Connection) async -> Verdict {
    let params = Self.form(message)
    // In a task of its own: a request that is cancelled would send a notification that MCP does not have.
    let answer = await Task { try await connection.request("elicitation/create", params) }.result
    return (try? answer.get()).map(Self.verdict) ?? .declined
  }

  private static func verdict(of response: JSONValue) -> Verdict {
    response["action"] == "accept" && response["content"]?["ok"] == true ? .agreed : .declined
  }

  private static func form(_ message: String) -> JSONValue {
    [
      "mode": "form", "message": .string(message),
      "requestedSchema": [
        "type": "object",
        "properties": ["ok": ["type": "boolean", "title": "Go on", "description": "Whether to spend this."]],
        "required": ["ok"],
      ],
    ]
  }

  // MARK: The state that the client carries

  private func state(of digest: CallDigest, expiring expiry: Int64) -> String {
    let expiry = withUnsafeBytes(of: expiry.bigEndian) { Array($0) }
    return Base64URL.encoded(expiry + code(of: expiry + digest.bytes))
  }

  private func isValid(_ state: String, for digest: CallDigest) -> Bool {
    guard let bytes = Base64URL.decoded(Array(state.utf8)), bytes.count == 8 + SHA256.byteCount else { return false }
    let expiry = Array(bytes.prefix(8))
    let expiryMs = expiry.reduce(Int64(0)) { $0 << 8 | Int64($1) }
    guard expiryMs > surroundings.uptimeMs() else { return false }
    return HMAC<SHA256>.isValidAuthenticationCode(
      bytes.dropFirst(8), authenticating: expiry + digest.bytes, using: signingKey)
  }

  private func code(of bytes: [UInt8]) -> [UInt8] { Array(HMAC<SHA256>.authenticationCode(for: bytes, using: signingKey)) }

  private var signingKey: SymmetricKey {
    key.withLock { key in
      if let key { return key }
      let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: surroundings.random()) { Array($0) } }
      let made = SymmetricKey(data: bytes)
      key = made
      return made
    }
  }
}
