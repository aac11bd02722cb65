import Credentials
import CurlHTTP
import Glibc
import ObjectStorage
import POSIX
import Store

extension ConfigurationFile {
  /// Where pictures are kept.
  struct Artifacts: Codable, Sendable, Equatable {
    /// The address of a bucket, such as `s3://pictures/atelier?endpoint=https://storage.example`; absent for a folder in the
    /// data directory.
    var url: String?
    /// The path of the file with the bucket's key; absent for the environment or the keyring.
    var accessKeyFile: String?
    /// Confirms a bucket that keeps what is deleted.
    var keepsVersions: Bool?
    /// Whether hosts get links with which anybody can read a picture for ten minutes.
    var presignedLinks: Bool?
    /// How many bytes of the bucket are kept on this machine as well.
    var cacheBytes: Int?
  }
}

/// A bucket that the configuration names.
struct BucketSettings: Sendable {
  var address: BucketAddress
  var accessKeyFile: String?
  var mayKeepVersions: Bool
  var cacheBytes: Int

  /// The bucket, whose key is read again when it changes, ends or is refused.
  /// - Throws: ``BucketKey/Fault`` where there is none now.
  func bucket() async throws -> Bucket {
    let key = key
    _ = try await LazyThreadPool.shared.run { try key.current() }
    return Bucket(address, key, Self.surroundings)
  }

  /// The same as the place of a store's pictures.
  /// - Throws: `StoreError`, where there is no key.
  func pictures() async throws(StoreError) -> PictureBucket {
    do {
      return PictureBucket(
        bucket: try await bucket(), cacheBytes: cacheBytes, mayKeepVersions: mayKeepVersions,
        uptimeMs: EngineAssembly.uptimeMs, wait: EngineAssembly.sleep,
        rest: EngineAssembly.sleep)
    } catch {
      let lack = error as? BucketKey.Fault
      throw StoreError(.bucketUnusable, lack?.sentence ?? "The key of the bucket cannot be read now: try again later.")
    }
  }

  private var key: RenewableSecret<BucketCredentials> {
    RenewableSecret(
      files: accessKeyFile.map { [$0] } ?? [], end: { key in key.endsAt.map { Int64($0) * 1000 } },
      nowMs: { EngineAssembly.now().milliseconds }, uptimeMs: EngineAssembly.uptimeMs
    ) { [accessKeyFile] in
      if let accessKeyFile { return try BucketKey.read(file: accessKeyFile) }
      return try BucketKey.read { name in Environment.value(of: name) }
    }
  }

  private static var surroundings: BucketSurroundings {
    BucketSurroundings(
      client: CurlClient(CurlSettings(environment: ProviderAssembly.certificates)),
      now: { SigningTime(secondsSince1970: time(nil)) }, uptimeMs: EngineAssembly.uptimeMs,
      wait: EngineAssembly.sleep, random: { UInt64.random(in: 0...UInt64.max) })
  }
}

extension ConfigurationFile.Artifacts {
  private static let standardCacheBytes = 2_000_000_000

  /// - Returns: nil when pictures are kept in a folder.
  /// - Throws: ``ConfigurationFault`` for an invalid value.
  func bucket() throws -> BucketSettings? {
    guard let url else {
      let others = [
        ("accessKeyFile", accessKeyFile != nil), ("keepsVersions", keepsVersions != nil),
        ("presignedLinks", presignedLinks != nil), ("cacheBytes", cacheBytes != nil),
      ]
      guard let (member, _) = others.first(where: \.1) else { return nil }
      throw ConfigurationFault("artifacts/\(member)", "must be absent without artifacts.url: a folder needs none.")
    }
    let address: BucketAddress
    do throws(BucketAddress.Fault) {
      address = try BucketAddress(url)
    } catch {
      throw ConfigurationFault("artifacts/url", error.problem)
    }
    if let cacheBytes, !(0...1_000_000_000_000_000).contains(cacheBytes) {
      throw ConfigurationFault("artifacts/cacheBytes", "must be from 0 to 1000000000000000.")
    }
    if let accessKeyFile, !accessKeyFile.hasPrefix("/") {
      throw ConfigurationFault("artifacts/accessKeyFile", "must be an absolute path.")
    }
    return BucketSettings(
      address: address, accessKeyFile: accessKeyFile, mayKeepVersions: keepsVersions ?? false,
      cacheBytes: cacheBytes ?? Self.standardCacheBytes)
  }
}
