import CurlHTTP
import POSIX

extension Bucket {
  /// The bytes of an object.
  /// - Parameter most: the size up to which it is taken.
  /// - Returns: nil when there is none of this name, on some servers also when the bucket does not exist.
  /// - Throws: ``BucketError/Kind/tooLarge`` for a larger one.
  public func object(_ name: String, atMost most: Int) async throws(BucketError) -> [UInt8]? {
    var order = Order(method: .get, key: try key(name))
    order.transfer(bytes: most, answer: .seconds(9))
    order.limits.responseBytes = most
    let response = try await perform(order) { $0 == 200 || $0 == 404 }
    if response.status == 200 { return response.body }
    try StorageAnswer.checkMissing(response)
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
  public func delete(_ name: String) async throws(BucketError) {
    let response = try await perform(Order(method: .delete, key: try key(name))) { [200, 204, 404].contains($0) }
    switch response.status {
    case 204: break
    case 404: try StorageAnswer.checkMissing(response)
    // Whoever answers everything so has deleted nothing.
    default: guard StorageAnswer.isPlausible(response.body) else { throw BucketError(.noStorage, status: response.status) }
    }
  }

  /// A URL with which anybody can read the object until the time is over, without a key.
  /// - Parameter seconds: up to a week.
  /// - Returns: the URL, and when it ends, in seconds since 1970: with temporary credentials, at their end.
  public func presignedURL(
    of name: String, forSeconds seconds: Int
  ) async throws(BucketError) -> (url: String, endsAt: Int) {
    let request = CanonicalRequest(
      method: .get, path: address.path(of: try key(name)), headers: [HTTPHeader("host", address.authority)],
      payload: CanonicalRequest.unsignedPayload)
    let credentials = try await credentials().value
    // Taken before it is signed, so that the link does not end before it is said to.
    let (now, most) = (surroundings.now(), 7 * 24 * 3600)
    let lifetime = min(max(1, seconds), most)
    let url = request.presigned(credentials, scope, at: now, forSeconds: lifetime).url(at: address.origin)
    return (url, min(now.secondsSince1970 + lifetime, credentials.endsAt ?? .max))
  }
}
