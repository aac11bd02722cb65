import Crypto
import Encodings
import Engine
import JSON
import JSONRPC
import Synchronization

/// Asks the person before a request that costs much, if the client can ask. What the person agrees to is one generation,
/// which has its number before they are asked: the same answer any number of times makes no second one.
final class CostConfirmation: Sendable {
  /// What a client answers to the question.
  enum Verdict: Sendable, Equatable {
    case agreed, declined
    /// The answer says nothing about what the person wants: perhaps nobody was asked.
    case unasked
  }

  /// What a person said, and of which generation.
  struct Answer: Sendable, Equatable {
    var verdict: Verdict
    var number: CallNumber
  }

  /// How long a person may take to answer, in milliseconds.
  static let lifetimeMs: Int64 = 600_000
  /// The name of the one question.
  private static let question = "confirm"

  private let surroundings: Surroundings
  /// Made at the first use: a confirmation is valid in the process that asked for it.
  private let key = Mutex<SymmetricKey?>(nil)
  /// What legacy clients are being asked.
  private let questions = OpenQuestions()

  init(surroundings: Surroundings) { self.surroundings = surroundings }

  /// The result with which a modern client is asked.
  func inquiry(_ message: String, about digest: CallDigest, _ number: CallNumber) -> JSONObject {
    [
      "resultType": "input_required",
      "inputRequests": [
        Self.question: ["method": "elicitation/create", "params": Self.form(message, in: .modern)]
      ],
      "requestState": .string(state(of: number, digest, expiring: surroundings.uptimeMs() + Self.lifetimeMs)),
    ]
  }

  /// What the person said to the ``inquiry(_:about:_:)`` that the request answers; nil when it answers none that is valid.
  func answer(in params: JSONObject, about digest: CallDigest) -> Answer? {
    guard let state = params["requestState"]?.string, let number = number(in: state, for: digest),
      let response = params["inputResponses"]?[Self.question]
    else { return nil }
    return Answer(verdict: Verdict(response), number: number)
  }

  /// Asks a legacy client and waits for the answer. Calls with the same digest share one question.
  /// - Returns: nil when there is no answer in time; the question is withdrawn unless another call waits for it.
  /// - Throws: `CancellationError` when the task is cancelled, and the question is withdrawn likewise.
  func ask(
    _ message: String, about digest: CallDigest, _ number: CallNumber, in era: Era, over connection: Connection,
    waitingMs: Int64
  ) async throws -> Answer? {
    let question = questions.join(digest, number) {
      do {
        return Verdict(try await connection.request("elicitation/create", Self.form(message, in: era)))
      } catch {
        // A client that answers with an error has asked nobody.
        return .unasked
      }
    }
    defer { questions.leave(digest) }
    let verdict = await withTaskGroup(of: Verdict?.self) { group in
      defer { group.cancelAll() }
      group.addTask { await question.verdict.value() }
      group.addTask { [surroundings] in
        try? await surroundings.sleep(.milliseconds(waitingMs))
        return nil
      }
      return await group.next() ?? nil
    }
    try Task.checkCancellation()
    return verdict.map { Answer(verdict: $0, number: question.number) }
  }

  private static func form(_ message: String, in era: Era) -> JSONValue {
    var form: JSONObject = [
      "message": .string(message),
      "requestedSchema": [
        "type": "object",
        "properties": ["ok": ["type": "boolean", "title": "Go on", "description": "Whether to spend this."]],
        "required": ["ok"],
      ],
    ]
    if era.namesKindOfQuestion { form["mode"] = "form" }
    return .object(form)
  }

  // MARK: The state that the client carries

  private func state(of number: CallNumber, _ digest: CallDigest, expiring expiry: Int64) -> String {
    let fields = [expiry, number.window, Int64(number.number)].flatMap { field in
      withUnsafeBytes(of: field.bigEndian) { Array($0) }
    }
    return Base64URL.encoded(fields + code(of: fields + digest.bytes))
  }

  /// The number in a state of this process about this digest that has not expired.
  private func number(in state: String, for digest: CallDigest) -> CallNumber? {
    guard let bytes = Base64URL.decoded(Array(state.utf8)), bytes.count == 24 + SHA256.byteCount else { return nil }
    let fields = Array(bytes.prefix(24))
    guard
      HMAC<SHA256>.isValidAuthenticationCode(
        bytes.dropFirst(24), authenticating: fields + digest.bytes, using: signingKey)
    else { return nil }
    let values = [0, 8, 16].map { start in fields[start..<start + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) } }
    return values[0] > surroundings.uptimeMs() ? CallNumber(window: values[1], number: Int(values[2])) : nil
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

extension CostConfirmation.Verdict {
  /// - Parameter response: the result of `elicitation/create`. As for tools, a text may stand for the value.
  init(_ response: JSONValue) {
    let ok = response["content"]?["ok"]
    self =
      switch (response["action"]?.string, ok?.bool ?? ok?.string.flatMap { Bool($0.trimmed.lowercased()) }) {
      case ("accept", true?): .agreed
      case ("accept", false?), ("decline", _), ("cancel", _): .declined
      default: .unasked
      }
  }
}
