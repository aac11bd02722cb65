import CurlHTTP

/// What an operator should know of a bucket before pictures of people are in it.
extension Bucket {
  /// Whether the bucket keeps what is deleted.
  public enum Keeping: Sendable, Equatable {
    case no
    /// Deleting leaves the object, and only hides it.
    case versions
    /// New objects are deleted at once; older ones may have versions that stay.
    case earlierVersions
    /// The server does not say.
    case unknown
  }

  /// Makes a request that needs the key and the bucket.
  /// - Returns: by how many seconds this machine's clock is ahead of the server's, if the server says its time.
  /// - Parameter isBrief: true to wait for a few seconds only.
  @discardableResult
  public func reach(isBrief: Bool = false) async throws(BucketError) -> Int? {
    let query = [CanonicalRequest.QueryItem("list-type", "2"), .init("max-keys", "1"), .init("prefix", address.prefix)]
    var order = Order(method: .get, query: query)
    if isBrief { order.shorten() }
    let response = try await perform(order) { $0 == 200 }
    let ours = surroundings.now()
    return response.header("Date").flatMap { SigningTime(httpDate: $0) }.map {
      ours.secondsSince1970 - $0.secondsSince1970
    }
  }

  /// Stores a few bytes and deletes them, to find out whether that can be done. Waits for a few seconds only.
  /// - Parameter name: one that nothing else has; it does not matter whether it is there.
  public func tryStoring(as name: String) async throws(BucketError) {
    var order = try put(Array("trial".utf8), as: name, mimeType: "text/plain")
    order.shorten()
    // What an earlier trial has left says nothing about new bytes.
    for _ in 0..<2 {
      let response = try await perform(order) { $0 == 200 || $0 == 412 }
      try await delete(name, isBrief: true)
      if response.status == 200 { return }
    }
  }

  /// Whether deleted objects stay as versions.
  /// - Parameter isBrief: true to wait for a few seconds only.
  public func keepsVersions(isBrief: Bool = false) async throws(BucketError) -> Keeping {
    var order = Order(method: .get, query: [CanonicalRequest.QueryItem("versioning")])
    if isBrief { order.shorten() }
    guard let response = try await asking(order, isAnswer: { $0 == 200 || Self.isUnknown($0) }) else { return .unknown }
    guard response.status == 200, let root = try? XMLElement(parsing: response.body),
      root.name == "VersioningConfiguration"
    else { return .unknown }
    switch root.child("Status")?.text {
    case nil: return .no
    case "Enabled": return .versions
    case "Suspended": return .earlierVersions
    default: return .unknown
    }
  }

  /// Whether the bucket can forbid that objects are deleted.
  /// - Returns: nil when the server does not say.
  public func hasObjectLock() async throws(BucketError) -> Bool? {
    let order = Order(method: .get, query: [CanonicalRequest.QueryItem("object-lock")])
    let isAnswer = { (status: Int) in status == 200 || status == 404 || Self.isUnknown(status) }
    guard let response = try await asking(order, isAnswer: isAnswer) else { return nil }
    try Self.checkBucket(response)
    if response.status == 404 { return BucketError.code(in: response) == .noObjectLock ? false : nil }
    guard response.status == 200, let root = try? XMLElement(parsing: response.body),
      root.name == "ObjectLockConfiguration"
    else { return nil }
    return root.child("ObjectLockEnabled")?.text == "Enabled"
  }

  /// Whether the server keeps the first of two objects of one name, as ``putIfAbsent(_:as:mimeType:)`` relies on. Stores
  /// an object and deletes it.
  /// - Parameter name: one that nothing has.
  public func keepsFirst(probing name: String) async throws(BucketError) -> Bool {
    let first = try put(Array("first".utf8), as: name, mimeType: "text/plain")
    let second = try put(Array("other".utf8), as: name, mimeType: "text/plain")
    do throws(BucketError) {
      _ = try await perform(first) { $0 == 200 || $0 == 412 }
      let answer = try await perform(second) { $0 == 200 || $0 == 412 }
      let kept = try await object(name, atMost: 100)
      try await delete(name)
      return answer.status == 412 && kept == first.body
    } catch where error.kind == .unsupported {
      return false
    } catch {
      // The probe may be there all the same; what cannot be deleted now is a few bytes of no meaning.
      try? await delete(name)
      throw error
    }
  }

  /// - Returns: nil where the key may not ask.
  private func asking(_ order: Order, isAnswer: (Int) -> Bool) async throws(BucketError) -> HTTPResponse? {
    do throws(BucketError) {
      return try await perform(order, isAnswer: isAnswer)
    } catch where error.kind == .accessDenied {
      return nil
    }
  }

  /// Statuses of servers that do not have the question.
  private static func isUnknown(_ status: Int) -> Bool { [400, 405, 501].contains(status) }
}
