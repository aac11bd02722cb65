import CurlHTTP
import Foundation
import ObjectStorage
import POSIX

@testable import Store

/// The object storage that `scripts/with-s3.sh` has started.
enum RealBucket {
  private static let variables = ProcessInfo.processInfo.environment

  static let isThere = variables["ATELIER_TEST_S3"] != nil

  /// - Parameter prefix: that no other test uses.
  static func place(prefix: String) throws -> PictureBucket {
    let text = variables["ATELIER_TEST_S3"] ?? ""
    let query = text.firstIndex(of: "?") ?? text.endIndex
    let (key, secret) = (variables["ATELIER_TEST_S3_KEY"] ?? "", variables["ATELIER_TEST_S3_SECRET"] ?? "")
    guard let credentials = BucketCredentials(accessKey: key, secretKey: secret) else { throw BucketError(.unknownKey) }
    let address = try BucketAddress("\(text[..<query])/store/\(prefix)\(getpid())\(text[query...])")
    let surroundings = BucketSurroundings(
      client: CurlClient(CurlSettings(proxy: CurlSettings.Proxy.none)),
      now: { SigningTime(secondsSince1970: time(nil)) }, uptimeMs: { 0 }, wait: { _ in await Task.yield() }, random: { 0 })
    return PictureBucket(
      bucket: Bucket(address, RenewableSecret(constant: credentials), surroundings), cacheBytes: 1_000_000, uptimeMs: { 0 },
      wait: { _ in for _ in 0..<10_000 { await Task.yield() } }, rest: { _ in throw CancellationError() })
  }
}
