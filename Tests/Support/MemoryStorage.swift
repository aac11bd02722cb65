import CurlHTTP
import Encodings
import ObjectStorage
import POSIX
import Synchronization

/// An S3-compatible object storage in memory: one bucket, which believes every signature of the keys that it knows.
public final class MemoryStorage: HTTPPerforming {
  /// Decides what becomes of a request before it is served.
  public enum Fate: Sendable {
    case serve
    case answer(Int)
    /// A refusal with a code of the server's.
    case refuse(Int, String)
    /// What something else on the way answers.
    case page(Int, String)
    /// No answer in time.
    case hang
    /// Served, but the answer is lost.
    case loseAnswer
  }

  /// The uptime of the machine, in milliseconds.
  public let uptime = Atomic<Int64>(0)
  private let objects = Mutex<[String: [UInt8]]>([:])
  private let log = Mutex<[String]>([])
  private let versioning = Mutex<String?>(nil)
  private let conditions = Mutex(true)
  /// The keys that requests are signed with, and the one that it believes; nil for every one.
  private let keys = Mutex<(current: String, believed: String?)>(("key", nil))
  private let rule = Mutex<@Sendable (HTTPRequest, String) async throws -> Fate>({ _, _ in .serve })

  /// The names of all objects, without the bucket's and the prefix.
  public var names: [String] { objects.withLock { $0.keys.map { String($0.split(separator: "/").last ?? "") }.sorted() } }
  /// Every request so far, as `PUT a`; `versioning` is the question whether the bucket keeps versions.
  public var requests: [String] { log.withLock { $0 } }

  /// All objects as they are.
  public var content: [String: [UInt8]] { objects.withLock { $0 } }

  /// Says from now on whether it keeps versions, as a server does: `Enabled`, `Suspended`, or nil for never.
  public func setVersioning(_ status: String?) { versioning.withLock { $0 = status } }

  /// Refuses puts with a condition from now on, as servers that do not know them.
  public func forgetConditions() { conditions.withLock { $0 = false } }

  /// Whoever asks for the key gets this one from now on.
  public func giveKey(_ name: String) { keys.withLock { $0.current = name } }
  /// Believes only this key from now on.
  public func believe(_ name: String) { keys.withLock { $0.believed = name } }

  /// Where what is tried again in the background waits: for ``tryAgain()``.
  public let rests = Counter()
  private let resting = Mutex<[CheckedContinuation<Void, Never>]>([])

  /// Waits until a test lets it go on.
  @Sendable public func rest(_ pause: Duration) async {
    await withCheckedContinuation { continuation in
      resting.withLock { $0.append(continuation) }
      rests.increment()
    }
  }

  /// Lets what waits in the background try again.
  public func tryAgain() {
    let all = resting.withLock { resting in
      defer { resting = [] }
      return resting
    }
    for one in all { one.resume() }
  }

  public func set(_ content: [String: [UInt8]]) { objects.withLock { $0 = content } }

  public func decide(_ rule: @escaping @Sendable (HTTPRequest, String) async throws -> Fate) {
    self.rule.withLock { $0 = rule }
  }

  public func serveAll() { decide { _, _ in .serve } }

  /// Takes an object away, or alters it, behind everybody's back.
  public func set(_ name: String, _ bytes: [UInt8]?) {
    objects.withLock { objects in
      for key in objects.keys where key.hasSuffix("/\(name)") { objects[key] = bytes }
    }
  }

  public func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse {
    let parts = request.url.split(separator: "?", maxSplits: 1)
    let key = String(parts[0].dropFirst("https://storage.example/pictures/".count))
    let name = String(key.split(separator: "/").last ?? "")
    let isAboutVersions = request.url.hasSuffix("?versioning=")
    log.withLock { $0.append(isAboutVersions ? "versioning" : "\(request.method.rawValue) \(name)") }
    let rule = rule.withLock { $0 }
    switch try await rule(request, name) {
    case .answer(let status): return HTTPResponse(status: status, headers: [], body: [])
    case .refuse(let status, let code): return Self.refusal(status, code)
    case .page(let status, let text): return HTTPResponse(status: status, headers: [], body: Array(text.utf8))
    case .hang: throw HTTPError(.timedOut(.total), mayHaveBeenSent: true, detail: "")
    case .serve: return serve(request, key)
    case .loseAnswer:
      _ = serve(request, key)
      throw HTTPError(.reset, mayHaveBeenSent: true, detail: "")
    }
  }

  private static func refusal(_ status: Int, _ code: String) -> HTTPResponse {
    HTTPResponse(status: status, headers: [], body: Array("<Error><Code>\(code)</Code></Error>".utf8))
  }

  private static func tag(_ bytes: [UInt8]) -> HTTPHeader { HTTPHeader("ETag", "\"\(EntityTag(plain: bytes).text)\"") }

  private func isBelieved(_ request: HTTPRequest) -> Bool {
    guard let believed = keys.withLock({ $0.believed }) else { return true }
    let header = request.headers.first { $0.name == "authorization" }?.value
    return header?.contains("Credential=\(believed)/") == true
  }

  private func serve(_ request: HTTPRequest, _ key: String) -> HTTPResponse {
    guard isBelieved(request) else { return Self.refusal(403, "InvalidAccessKeyId") }
    let isConditional = request.headers.contains { $0.name == "if-none-match" }
    return objects.withLock { objects in
      switch request.method {
      case .put where isConditional && !conditions.withLock { $0 }: return Self.refusal(501, "NotImplemented")
      case .put where isConditional && objects[key] != nil: return Self.refusal(412, "PreconditionFailed")
      case .put:
        objects[key] = request.body ?? []
        return HTTPResponse(status: 200, headers: [Self.tag(request.body ?? [])], body: [])
      case .delete:
        objects[key] = nil
        return HTTPResponse(status: 204, headers: [], body: [])
      case .head, .get:
        if request.url.hasSuffix("?versioning=") { return HTTPResponse(status: 200, headers: [], body: versions) }
        if request.url.contains("?") { return list(objects, request.url) }
        guard let bytes = objects[key] else { return Self.refusal(404, "NoSuchKey") }
        let length = HTTPHeader("Content-Length", String(bytes.count))
        return HTTPResponse(status: 200, headers: [length, Self.tag(bytes)], body: request.method == .get ? bytes : [])
      case .post: return HTTPResponse(status: 405, headers: [], body: [])
      }
    }
  }

  private var versions: [UInt8] {
    let status = versioning.withLock { $0 }.map { "<Status>\($0)</Status>" } ?? ""
    return Array("<VersioningConfiguration>\(status)</VersioningConfiguration>".utf8)
  }

  private func list(_ objects: [String: [UInt8]], _ url: String) -> HTTPResponse {
    let prefix = url.split(separator: "prefix=").last.map { PercentEncoding.decoded(Array($0.utf8)[...]) } ?? []
    let contents = objects.filter { $0.key.utf8.starts(with: prefix) }.sorted { $0.key < $1.key }
      .map { "<Contents><Key>\($0.key)</Key><Size>\($0.value.count)</Size></Contents>" }.joined()
    let text = "<ListBucketResult><IsTruncated>false</IsTruncated>\(contents)</ListBucketResult>"
    return HTTPResponse(status: 200, headers: [], body: Array(text.utf8))
  }

  public func bucket() throws -> Bucket {
    Bucket(
      try BucketAddress("s3://pictures/at?endpoint=storage.example"),
      RenewableSecret(nowMs: { 0 }, uptimeMs: { self.uptime.load(ordering: .relaxed) }) {
        guard
          let credentials = BucketCredentials(accessKey: self.keys.withLock { $0.current }, secretKey: "secret")
        else { throw BucketKeyFault(sentence: "There is no key.") }
        return credentials
      },
      BucketSurroundings(
        client: self, now: { SigningTime(secondsSince1970: 1_790_000_000) },
        uptimeMs: { self.uptime.load(ordering: .relaxed) }, wait: { _ in await Task.yield() }, random: { 0 },
        retries: BucketRetries(tries: 2)))
  }

  public init() {}
}
