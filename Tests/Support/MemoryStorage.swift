import CurlHTTP
import ObjectStorage
import Synchronization

/// An S3-compatible object storage in memory: one bucket, which believes every signature.
public final class MemoryStorage: HTTPPerforming {
  /// Decides what becomes of a request before it is served.
  public enum Fate: Sendable {
    case serve
    case answer(Int)
    /// Served, but the answer is lost.
    case loseAnswer
  }

  /// The uptime of the machine, in milliseconds.
  public let uptime = Atomic<Int64>(0)
  private let objects = Mutex<[String: [UInt8]]>([:])
  private let log = Mutex<[String]>([])
  private let versioning = Mutex<String?>(nil)
  private let rule = Mutex<@Sendable (HTTPRequest, String) async -> Fate>({ _, _ in .serve })

  /// The names of all objects, without the bucket's and the prefix.
  public var names: [String] { objects.withLock { $0.keys.map { String($0.split(separator: "/").last ?? "") }.sorted() } }
  /// Every request so far, as `PUT a`; `versioning` is the question whether the bucket keeps versions.
  public var requests: [String] { log.withLock { $0 } }

  /// All objects as they are.
  public var content: [String: [UInt8]] { objects.withLock { $0 } }

  /// Says from now on whether it keeps versions, as a server does: `Enabled`, `Suspended`, or nil for never.
  public func setVersioning(_ status: String?) { versioning.withLock { $0 = status } }

  public func set(_ content: [String: [UInt8]]) { objects.withLock { $0 = content } }

  public func decide(_ rule: @escaping @Sendable (HTTPRequest, String) async -> Fate) { self.rule.withLock { $0 = rule } }
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
    switch await rule(request, name) {
    case .answer(let status): return HTTPResponse(status: status, headers: [], body: [])
    case .serve: return serve(request, key)
    case .loseAnswer:
      _ = serve(request, key)
      throw HTTPError(.reset, mayHaveBeenSent: true, detail: "")
    }
  }

  private func serve(_ request: HTTPRequest, _ key: String) -> HTTPResponse {
    objects.withLock { objects in
      switch request.method {
      case .put where objects[key] != nil: return HTTPResponse(status: 412, headers: [], body: [])
      case .put:
        objects[key] = request.body ?? []
        return HTTPResponse(status: 200, headers: [], body: [])
      case .delete:
        objects[key] = nil
        return HTTPResponse(status: 204, headers: [], body: [])
      case .head, .get:
        if request.url.hasSuffix("?versioning=") { return HTTPResponse(status: 200, headers: [], body: versions) }
        if request.url.contains("?") { return list(objects) }
        guard let bytes = objects[key] else { return HTTPResponse(status: 404, headers: [], body: []) }
        let length = HTTPHeader("Content-Length", String(bytes.count))
        return HTTPResponse(status: 200, headers: [length], body: request.method == .get ? bytes : [])
      case .post: return HTTPResponse(status: 405, headers: [], body: [])
      }
    }
  }

  private var versions: [UInt8] {
    let status = versioning.withLock { $0 }.map { "<Status>\($0)</Status>" } ?? ""
    return Array("<VersioningConfiguration>\(status)</VersioningConfiguration>".utf8)
  }

  private func list(_ objects: [String: [UInt8]]) -> HTTPResponse {
    let contents = objects.sorted { $0.key < $1.key }
      .map { "<Contents><Key>\($0.key)</Key><Size>\($0.value.count)</Size></Contents>" }.joined()
    let text = "<ListBucketResult><IsTruncated>false</IsTruncated>\(contents)</ListBucketResult>"
    return HTTPResponse(status: 200, headers: [], body: Array(text.utf8))
  }

  public func bucket() throws -> Bucket {
    guard let credentials = BucketCredentials(accessKey: "key", secretKey: "secret") else { throw BucketError(.unknownKey) }
    return Bucket(
      try BucketAddress("s3://pictures/at?endpoint=storage.example"), credentials,
      BucketSurroundings(
        client: self, now: { SigningTime(secondsSince1970: 1_790_000_000) }, wait: { _ in await Task.yield() },
        random: { 0 }, retries: BucketRetries(tries: 2)))
  }

  public init() {}
}
