import CurlHTTP

/// A bucket of an S3-compatible object storage, below a prefix: objects are put once and never changed, read, listed and
/// deleted.
///
/// Every request is signed, and made again after a pause where that can help: none of them does anything a second time
/// that it has not done the first time.
public struct Bucket: Sendable {
  public let address: BucketAddress
  let credentials: BucketCredentials
  let surroundings: BucketSurroundings

  public init(_ address: BucketAddress, _ credentials: BucketCredentials, _ surroundings: BucketSurroundings) {
    (self.address, self.credentials, self.surroundings) = (address, credentials, surroundings)
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

  // MARK: Requests

  /// What a request consists of before it is signed.
  struct Order {
    var method: HTTPRequest.Method
    /// The whole name of an object; empty for the bucket itself.
    var key = ""
    var query: [CanonicalRequest.QueryItem] = []
    /// Signed, besides those that every request has.
    var headers: [HTTPHeader] = []
    var body: [UInt8]?
    var limits = HTTPLimits()
    /// How often it is made at most, whatever the bucket's surroundings say.
    var mostTries = Int.max

    /// For where somebody waits who had rather know that it is not possible now. One lost answer says nothing.
    mutating func shorten() {
      limits = HTTPLimits(total: .seconds(5), connect: .seconds(3), stall: .seconds(4))
      mostTries = 2
    }
  }

  /// Performs a request, several times if the storage is busy or cannot be reached.
  /// - Parameter isAnswer: the statuses that are answers and no failures.
  func perform(_ order: Order, isAnswer: (Int) -> Bool) async throws(BucketError) -> HTTPResponse {
    var tries = 0
    var mayHaveHappened = false
    while true {
      do throws(BucketError) {
        return try await performOnce(order, isAnswer: isAnswer)
      } catch {
        tries += 1
        mayHaveHappened = mayHaveHappened || error.mayHaveHappened
        guard error.isTransient, tries < order.mostTries,
          let pause = surroundings.retries.pause(after: tries, surroundings.random)
        else {
          throw BucketError(error.kind, status: error.status, mayHaveHappened: mayHaveHappened)
        }
        do { try await surroundings.wait(pause) } catch { throw BucketError(.cancelled, mayHaveHappened: mayHaveHappened) }
      }
    }
  }

  private func performOnce(_ order: Order, isAnswer: (Int) -> Bool) async throws(BucketError) -> HTTPResponse {
    let time = surroundings.now()
    let response: HTTPResponse
    do {
      response = try await surroundings.client.perform(request(order, at: time))
    } catch let error as HTTPError {
      throw BucketError(error, isForObject: order.method == .get && !order.key.isEmpty)
    } catch {
      throw BucketError(.cancelled, mayHaveHappened: order.method != .get)
    }
    if isAnswer(response.status) { return response }
    throw BucketError(response, signedAt: time)
  }

  private func request(_ order: Order, at time: SigningTime) -> HTTPRequest {
    let unsigned = CanonicalRequest(
      method: order.method, path: address.path(of: order.key), query: order.query,
      headers: [HTTPHeader("host", address.authority)] + order.headers,
      payload: order.body.map(CanonicalRequest.payload) ?? CanonicalRequest.emptyPayload)
    let signed = unsigned.signed(credentials, scope, at: time)
    // What a server or a proxy compresses is no longer what was stored. Not signed: proxies change this one.
    let headers = signed.headers + [HTTPHeader("accept-encoding", "identity")]
    return HTTPRequest(
      order.method, signed.url(at: address.origin), mayBePlain: address.endpoint.isPlain, headers: headers,
      body: order.body, limits: order.limits)
  }
}

extension CanonicalRequest {
  func url(at origin: String) -> String { origin + encodedPath + (query.isEmpty ? "" : "?\(encodedQuery)") }
}

extension BucketError {
  /// - Parameter isForObject: whether the body of the answer is an object.
  fileprivate init(_ error: HTTPError, isForObject: Bool) {
    let isLarge = isForObject && error.cause == .tooLarge
    self.init(isLarge ? .tooLarge : .unreachable(error.cause), mayHaveHappened: error.mayHaveBeenSent)
  }
}

/// What a bucket needs of the world.
public struct BucketSurroundings: Sendable {
  var client: any HTTPPerforming
  var now: @Sendable () -> SigningTime
  /// Waits, or throws when the task is cancelled.
  var wait: @Sendable (Duration) async throws -> Void
  /// For the length of pauses.
  var random: @Sendable () -> UInt64
  var retries: BucketRetries

  public init(
    client: any HTTPPerforming, now: @escaping @Sendable () -> SigningTime,
    wait: @escaping @Sendable (Duration) async throws -> Void, random: @escaping @Sendable () -> UInt64,
    retries: BucketRetries = BucketRetries()
  ) {
    (self.client, self.now, self.wait, self.random, self.retries) = (client, now, wait, random, retries)
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
