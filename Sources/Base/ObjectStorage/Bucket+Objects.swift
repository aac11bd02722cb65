import CurlHTTP

extension Bucket {
  public enum PutOutcome: Sendable, Equatable {
    case stored
    /// An object of this name and size was there; it stays as it is. Also where an earlier try of this call had stored it
    /// without an answer.
    case alreadyThere
  }

  /// Stores an object unless one of its name is there.
  /// - Throws: ``BucketError/Kind/otherContent`` when that has another size.
  public func putIfAbsent(_ bytes: [UInt8], as name: String, mimeType: String) async throws(BucketError) -> PutOutcome {
    let order = try put(bytes, as: name, mimeType: mimeType)
    // Between the refusal and the look, somebody may delete the object.
    for _ in 0..<3 {
      let response = try await perform(order) { $0 == 200 || $0 == 412 }
      if response.status == 200 { return .stored }
      if let size = try await size(of: name) {
        guard size == bytes.count else { throw BucketError(.otherContent, status: 412) }
        return .alreadyThere
      }
    }
    throw BucketError(.busy, status: 412)
  }

  func put(_ bytes: [UInt8], as name: String, mimeType: String) throws(BucketError) -> Order {
    Order(
      method: .put, key: try key(name),
      headers: [HTTPHeader("content-type", mimeType), HTTPHeader("if-none-match", "*")], body: bytes,
      limits: Self.limits(transferring: bytes.count))
  }

  /// The bytes of an object.
  /// - Parameter most: the size up to which it is taken.
  /// - Returns: nil when there is none of this name, on some servers also when the bucket does not exist.
  /// - Throws: ``BucketError/Kind/tooLarge`` for a larger one.
  public func object(_ name: String, atMost most: Int) async throws(BucketError) -> [UInt8]? {
    var limits = Self.limits(transferring: most)
    limits.responseBytes = most
    let response = try await perform(Order(method: .get, key: try key(name), limits: limits)) { $0 == 200 || $0 == 404 }
    if response.status == 200 { return response.body }
    try Self.checkBucket(response)
    return nil
  }

  /// The size of an object in bytes.
  /// - Returns: nil when there is none of this name; the answer does not tell that from a bucket that does not exist.
  public func size(of name: String) async throws(BucketError) -> Int? {
    let response = try await perform(Order(method: .head, key: try key(name))) { $0 == 200 || $0 == 404 }
    if response.status == 404 { return nil }
    guard let size = response.header("Content-Length").flatMap({ Int($0) }), size >= 0 else {
      throw BucketError(.unexpected, status: response.status)
    }
    return size
  }

  /// Deletes an object; it does not matter whether it is there.
  /// - Parameter isBrief: true to wait for a few seconds only.
  public func delete(_ name: String, isBrief: Bool = false) async throws(BucketError) {
    var order = Order(method: .delete, key: try key(name))
    if isBrief { order.shorten() }
    let response = try await perform(order) { [200, 204, 404].contains($0) }
    try Self.checkBucket(response)
  }

  /// A URL with which anybody can read the object until the time is over, without a key.
  /// - Parameter seconds: up to a week.
  public func presignedURL(of name: String, forSeconds seconds: Int) throws(BucketError) -> String {
    let request = CanonicalRequest(
      method: .get, path: address.path(of: try key(name)), headers: [HTTPHeader("host", address.authority)],
      payload: CanonicalRequest.unsignedPayload)
    let most = 7 * 24 * 3600
    return request.presigned(credentials, scope, at: surroundings.now(), forSeconds: min(max(1, seconds), most))
      .url(at: address.origin)
  }

  /// - Throws: when an answer of 404 says that the bucket is what is missing.
  static func checkBucket(_ response: HTTPResponse) throws(BucketError) {
    if response.status == 404, BucketError.code(in: response) == .noSuchBucket {
      throw BucketError(.noSuchBucket, status: 404)
    }
  }

  /// A minute, and as long as a slow line needs.
  private static func limits(transferring bytes: Int) -> HTTPLimits {
    HTTPLimits(total: .seconds(60 + bytes / 65_536))
  }
}
