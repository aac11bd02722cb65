import CurlHTTP
import Encodings
import Glibc
import POSIX
import Synchronization

@testable import ObjectStorage

/// The object storage that `scripts/with-s3.sh` has started.
enum StorageServer {
  static let isThere = value("ATELIER_TEST_S3") != nil

  private static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// A bucket of that server, below a prefix that no other test uses.
  /// - Parameters:
  ///   - name: of the environment variable with its address.
  ///   - aheadBySeconds: by how much this machine's clock is wrong.
  static func bucket(
    _ name: String = "ATELIER_TEST_S3", prefix: String, secret: String? = nil, accessKey: String? = nil,
    aheadBySeconds: Int = 0, client: any HTTPPerforming = client, tries: Int = 5
  ) throws -> Bucket {
    let text = value(name) ?? ""
    let query = text.firstIndex(of: "?") ?? text.endIndex
    guard
      let credentials = BucketCredentials(
        accessKey: accessKey ?? value("ATELIER_TEST_S3_KEY") ?? "",
        secretKey: secret ?? value("ATELIER_TEST_S3_SECRET") ?? "")
    else { throw BucketError(.unknownKey) }
    return Bucket(
      try BucketAddress("\(text[..<query])/\(PercentEncoding.encoded(prefix))\(getpid())\(text[query...])"),
      RenewableSecret(constant: credentials),
      BucketSurroundings(
        client: client, now: { SigningTime(secondsSince1970: time(nil) + aheadBySeconds) }, uptimeMs: { 0 },
        wait: { _ in await Task.yield() }, random: { 0 }, retries: BucketRetries(tries: tries)))
  }

  static let client = CurlClient(CurlSettings(proxy: CurlSettings.Proxy.none))
}

/// Sends requests in another form than they were signed in.
struct AlteringClient: HTTPPerforming {
  var alter: @Sendable (inout HTTPRequest) -> Void

  func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse {
    var request = request
    alter(&request)
    return try await StorageServer.client.perform(request, takesPieces: takesPieces, event: event)
  }
}
