import CurlHTTP
import POSIX
import Support
import Synchronization

@testable import ObjectStorage

/// Answers requests from a list instead of the network, and notes them.
final class ScriptedClient: HTTPPerforming {
  typealias Answer = @Sendable (HTTPRequest) throws -> HTTPResponse

  private let state: Mutex<(answers: [Answer], requests: [HTTPRequest])>

  init(_ answers: [Answer]) { state = Mutex((answers, [])) }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }

  func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let answer: Answer? = state.withLock { state in
      state.requests.append(request)
      return state.answers.isEmpty ? nil : state.answers.removeFirst()
    }
    guard let answer else { throw HTTPError(.unusable, mayHaveBeenSent: false, detail: "The script is over.") }
    return try answer(request)
  }

  static func answer(_ status: Int, _ body: String = "", headers: [HTTPHeader] = []) -> Answer {
    { _ in HTTPResponse(status: status, headers: headers, body: Array(body.utf8)) }
  }

  /// The answer to a put of these bytes.
  static func stored(_ bytes: [UInt8]) -> Answer {
    answer(200, headers: [.init("ETag", "\"\(EntityTag(plain: bytes).text)\"")])
  }

  static func error(_ status: Int, _ code: String, headers: [HTTPHeader] = []) -> Answer {
    answer(status, "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>m</Message></Error>", headers: headers)
  }

  static func failure(_ cause: HTTPError.Cause, mayHaveBeenSent: Bool = true) -> Answer {
    { _ in throw HTTPError(cause, mayHaveBeenSent: mayHaveBeenSent, detail: "") }
  }
}

/// A bucket at a scripted server, at a fixed time. Its pauses pass at once, and are noted.
struct ScriptedBucket {
  static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

  let client: ScriptedClient
  let bucket: Bucket
  let pauses = Reported<Duration>()

  /// - Parameters:
  ///   - key: nil for one that never changes.
  init(
    _ answers: [ScriptedClient.Answer], at address: String = "s3://pictures/at?endpoint=storage.example", tries: Int = 4,
    key: RenewableSecret<BucketCredentials>? = nil, uptime: Uptime = Uptime()
  ) throws {
    guard let credentials = BucketCredentials(accessKey: "AKIDEXAMPLE", secretKey: Self.secret, sessionToken: "TOKEN")
    else { throw BucketError(.unknownKey) }
    client = ScriptedClient(answers)
    let pauses = pauses
    bucket = Bucket(
      try BucketAddress(address), key ?? RenewableSecret(constant: credentials),
      BucketSurroundings(
        client: client, now: { SigningTime(secondsSince1970: 1_440_938_160) },
        uptimeMs: { uptime.milliseconds.load(ordering: .relaxed) },
        wait: { pauses.add($0) }, random: { 0 }, retries: BucketRetries(tries: tries)))
  }
}

/// How long the machine is up, as far as a test lets time pass.
final class Uptime: Sendable {
  let milliseconds = Atomic<Int64>(0)
}

/// What a closure was told.
final class Reported<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  var all: [Value] { values.withLock { $0 } }
  func add(_ value: Value) { values.withLock { $0.append(value) } }
}
