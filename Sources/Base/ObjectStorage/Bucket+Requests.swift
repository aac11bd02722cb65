import CurlHTTP
import POSIX

/// How a request is made: signed with the key as of now, again where that can help, and not at all while the storage leaves
/// everybody without an answer.
extension Bucket {
  /// What a request consists of before it is signed.
  struct Order {
    var method: HTTPRequest.Method
    /// The whole name of an object; empty for the bucket itself.
    var key = ""
    var query: [CanonicalRequest.QueryItem] = []
    /// Signed, besides those that every request has.
    var headers: [HTTPHeader] = []
    var body: [UInt8]?
    var limits = Self.question
    /// How many tries may end without an answer. One lost answer says nothing.
    var mostTimeouts = 2

    /// For what moves no more than a few bytes: with two tries, whoever waits knows after ten seconds.
    static let question = HTTPLimits(total: .milliseconds(4_500), connect: .seconds(3), stall: .seconds(4))

    /// For what moves many: as long as a slow line needs while bytes move.
    /// - Parameter answer: how long the server may take until it begins to answer.
    mutating func transfer(bytes: Int, answer: Duration) {
      guard bytes > Self.fewBytes else { return }
      limits = HTTPLimits(
        total: .seconds(60 + bytes / 65_536), connect: .seconds(5), stall: .seconds(20), answer: answer)
      mostTimeouts = 1
    }

    private static let fewBytes = 4_096
  }

  /// How many keys one request is made with at most, besides the first.
  private static let mostKeys = 3

  /// Performs a request, several times if the storage is busy or cannot be reached.
  /// - Parameter isAnswer: the statuses that are answers and no failures.
  func perform(_ order: Order, isAnswer: (Int) -> Bool) async throws(BucketError) -> HTTPResponse {
    if try breaker.admit() == .trial { try await probe() }
    do throws(BucketError) {
      let response = try await performTries(order, isAnswer: isAnswer)
      breaker.noteAnswer()
      return response
    } catch {
      breaker.note(error)
      throw error
    }
  }

  /// Finds out whether the storage answers again: with a question, because a picture may be on its way for a minute.
  private func probe() async throws(BucketError) {
    do throws(BucketError) {
      _ = try await performTries(reachOrder) { $0 == 200 }
      breaker.noteAnswer()
    } catch {
      breaker.note(error)
      // A refusal is an answer; what was to be done may be allowed.
      if error.isTimeout || error.kind == .cancelled { throw error }
    }
  }

  private func performTries(_ order: Order, isAnswer: (Int) -> Bool) async throws(BucketError) -> HTTPResponse {
    var (tries, timeouts) = (0, 0)
    var mayHaveHappened = false
    var key = try await credentials()
    while true {
      do throws(BucketError) {
        return try await performOnce(order, key, isAnswer: isAnswer)
      } catch {
        mayHaveHappened = mayHaveHappened || error.mayHaveHappened
        var last = error
        last.mayHaveHappened = mayHaveHappened
        tries += 1
        if error.mayBeOfTheKey {
          // A key that changed with every look would be asked for for ever.
          guard tries <= Self.mostKeys, let other = await otherCredentials(than: key) else {
            last.keyProblem = (self.key.failure as? BucketKeyFault)?.sentence
            throw last
          }
          key = other
          continue
        }
        if error.isTimeout { timeouts += 1 }
        guard error.isTransient, timeouts < order.mostTimeouts,
          let pause = surroundings.retries.pause(after: tries, surroundings.random)
        else { throw last }
        do { try await surroundings.wait(pause) } catch { throw BucketError(.cancelled, mayHaveHappened: mayHaveHappened) }
      }
    }
  }

  private func performOnce(
    _ order: Order, _ key: RenewableSecret<BucketCredentials>.Reading, isAnswer: (Int) -> Bool
  ) async throws(BucketError) -> HTTPResponse {
    let time = surroundings.now()
    let response: HTTPResponse
    do {
      response = try await surroundings.client.perform(request(order, key.value, at: time))
    } catch let error as HTTPError {
      throw BucketError(error, isForObject: order.method == .get && !order.key.isEmpty)
    } catch {
      throw BucketError(.cancelled, mayHaveHappened: order.method != .get)
    }
    if isAnswer(response.status) { return response }
    throw BucketError(response, signedAt: time, with: key.value)
  }

  private func request(_ order: Order, _ credentials: BucketCredentials, at time: SigningTime) -> HTTPRequest {
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
