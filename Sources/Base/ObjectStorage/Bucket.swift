import CurlHTTP
import POSIX

/// A bucket of an S3-compatible object storage, below a prefix: objects are put once and never changed, read, listed and
/// deleted.
///
/// Every request is signed, and made again after a pause where that can help: none of them does anything a second time
/// that it has not done the first time. An answer counts only as far as it shows that an object storage has given it: on
/// the way there may be a proxy or a sign-in page that answers everything with 200.
public struct Bucket: Sendable {
  public let address: BucketAddress
  let key: RenewableSecret<BucketCredentials>
  let surroundings: BucketSurroundings
  let breaker: BucketBreaker
  let conditions = PutConditions()

  /// - Parameter key: read again when it changes, ends or is refused.
  public init(_ address: BucketAddress, _ key: RenewableSecret<BucketCredentials>, _ surroundings: BucketSurroundings) {
    (self.address, self.key, self.surroundings) = (address, key, surroundings)
    breaker = BucketBreaker(uptimeMs: surroundings.uptimeMs)
  }

  /// The longest name of an object, with its prefix.
  static let longestName = 1024

  /// - Parameter name: the object's, without the prefix of the address.
  /// - Throws: ``BucketError/Kind/badName`` for a name that servers, or proxies on the way, understand differently.
  func key(_ name: String) throws(BucketError) -> String {
    let key = address.prefix + name
    let isPlain = key.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    let hasDots = key.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == "." || $0 == ".." }
    guard !name.isEmpty, key.utf8.count <= Self.longestName, isPlain, !hasDots else { throw BucketError(.badName) }
    return key
  }

  var scope: RequestSignature.Scope { RequestSignature.Scope(region: address.region) }

  /// The time by which requests are signed.
  public var time: SigningTime { surroundings.now() }

  /// The key as of now.
  /// - Throws: ``BucketError/Kind/noKey``.
  func credentials() async throws(BucketError) -> RenewableSecret<BucketCredentials>.Reading {
    do {
      return try await LazyThreadPool.shared.run { [key] in try key.current() }
    } catch {
      throw BucketError(.noKey, keyProblem: (error as? BucketKeyFault)?.sentence)
    }
  }

  /// When the key ends, in seconds since 1970; nil where it does not say.
  public func keyEnd() async throws(BucketError) -> Int? { try await credentials().value.endsAt }

  /// Another key than a refused one; nil when there is none.
  func otherCredentials(
    than refused: RenewableSecret<BucketCredentials>.Reading
  ) async -> RenewableSecret<BucketCredentials>.Reading? {
    (try? await LazyThreadPool.shared.run { [key] in key.renewed(after: refused) }) ?? nil
  }
}

/// What a bucket needs of the world.
public struct BucketSurroundings: Sendable {
  var client: any HTTPPerforming
  var now: @Sendable () -> SigningTime
  /// Milliseconds on a clock that never jumps.
  var uptimeMs: @Sendable () -> Int64
  /// Waits, or throws when the task is cancelled.
  var wait: @Sendable (Duration) async throws -> Void
  /// For the length of pauses.
  var random: @Sendable () -> UInt64
  var retries: BucketRetries

  public init(
    client: any HTTPPerforming, now: @escaping @Sendable () -> SigningTime, uptimeMs: @escaping @Sendable () -> Int64,
    wait: @escaping @Sendable (Duration) async throws -> Void, random: @escaping @Sendable () -> UInt64,
    retries: BucketRetries = BucketRetries()
  ) {
    (self.client, self.now, self.uptimeMs, self.wait, self.random) = (client, now, uptimeMs, wait, random)
    self.retries = retries
  }
}

/// How often a request is made, and the pauses between.
public struct BucketRetries: Sendable, Equatable {
  public var tries: Int
  /// The pause after the first try; each later one is twice as long.
  public var first: Duration

  public init(tries: Int = 5, first: Duration = .milliseconds(100)) {
    (self.tries, self.first) = (tries, first)
  }

  /// From half to the whole of the longest pause, so that many processes do not come back together.
  /// - Returns: nil when there is no further try.
  func pause(after count: Int, _ random: () -> UInt64) -> Duration? {
    guard count < tries else { return nil }
    let longest = first * (1 << min(count - 1, 10))
    return longest / 2 + longest / 2 * Double(random() >> 11) / Double(1 << 53)
  }
}
