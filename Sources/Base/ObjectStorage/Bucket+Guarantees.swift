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

  /// The least that needs the key and the bucket.
  var reachOrder: Order {
    Order(
      method: .get,
      query: [CanonicalRequest.QueryItem("list-type", "2"), .init("max-keys", "1"), .init("prefix", address.prefix)])
  }

  /// Makes a request that needs the key and the bucket.
  /// - Returns: by how many seconds this machine's clock is ahead of the server's, if the server says its time.
  @discardableResult
  public func reach() async throws(BucketError) -> Int? {
    let response = try await perform(reachOrder) { $0 == 200 }
    guard let root = try? XMLElement(parsing: response.body), root.name == "ListBucketResult" else {
      throw BucketError(.noStorage, status: response.status)
    }
    let ours = surroundings.now()
    return response.header("Date").flatMap { SigningTime(httpDate: $0) }.map {
      ours.secondsSince1970 - $0.secondsSince1970
    }
  }

  /// Does once all that is done with pictures: stores bytes, reads them back and compares, looks for what is not there,
  /// lists, and deletes.
  /// - Parameters:
  ///   - name: one that only trials have; several may run at once.
  ///   - size: how many bytes: what takes some may refuse more.
  ///   - mimeType: of what is to be stored.
  public func tryStoring(
    as name: String, bytes size: Int = 65_536, mimeType: String = "image/png"
  ) async throws(BucketError) {
    do throws(BucketError) {
      try await tryAll(as: name, Self.trial(size), mimeType: mimeType)
    } catch {
      // What is left are bytes of no meaning, which the next trial removes.
      try? await delete(name)
      throw error
    }
  }

  /// What trials store: those of every size begin alike.
  private static func trial(_ size: Int) -> [UInt8] {
    let word = Array("trial".utf8)
    return (0..<max(size, word.count)).map { word[$0 % word.count] }
  }

  /// The bytes of a trial, of this size or that of another one that runs.
  private func trialObject(_ name: String, like bytes: [UInt8]) async throws(BucketError) -> [UInt8]? {
    let found: [UInt8]?
    do throws(BucketError) {
      found = try await object(name, atMost: bytes.count)
    } catch where error.kind == .tooLarge {
      return []
    }
    guard let found, found != bytes else { return found }
    guard found == Self.trial(found.count) else { throw BucketError(.noStorage, status: 200) }
    return found
  }

  private func tryAll(as name: String, _ bytes: [UInt8], mimeType: String) async throws(BucketError) {
    for _ in 0..<3 {
      let outcome = try await put(bytes, as: name, mimeType: mimeType)
      let found = try await trialObject(name, like: bytes)
      try await checkWay()
      _ = try await page(beginningWith: name, atMost: 1)
      try await delete(name)
      // What an earlier trial has left says nothing about new bytes, and another one may have deleted or replaced these.
      if outcome == .stored, found == bytes { return }
    }
    throw BucketError(.busy)
  }

  /// Finds out whether what answers is a storage: that has no object of a name that nobody puts.
  public func checkWay() async throws(BucketError) {
    let name = "absent"
    guard try await size(of: name) == nil, try await object(name, atMost: 1_000) == nil else {
      throw BucketError(.noStorage, status: 200)
    }
  }

  /// Whether deleted objects stay as versions.
  public func keepsVersions() async throws(BucketError) -> Keeping {
    let order = Order(method: .get, query: [CanonicalRequest.QueryItem("versioning")])
    guard let response = try await asking(order, isAnswer: { $0 == 200 || Self.isUnknown($0) }) else { return .unknown }
    guard StorageAnswer.isPlausible(response.body) else { throw BucketError(.noStorage, status: response.status) }
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
    try StorageAnswer.checkMissing(response)
    if response.status == 404 { return RefusalCode(in: response) == .noObjectLock ? false : nil }
    guard response.status == 200, let root = try? XMLElement(parsing: response.body),
      root.name == "ObjectLockConfiguration"
    else { return nil }
    return root.child("ObjectLockEnabled")?.text == "Enabled"
  }

  /// Whether the server keeps the first of two objects of one name where it is told to. Stores an object and deletes it.
  /// - Parameter name: one that nothing has.
  public func keepsFirst(probing name: String) async throws(BucketError) -> Bool {
    let orders = try ["first", "other"].map { text throws(BucketError) in
      try putOrder(Array(text.utf8), as: name, mimeType: "text/plain", isConditional: true)
    }
    do throws(BucketError) {
      _ = try await perform(orders[0]) { $0 == 200 || $0 == 412 }
      let answer = try await perform(orders[1]) { $0 == 200 || $0 == 412 }
      let kept = try await object(name, atMost: 100)
      try await delete(name)
      return answer.status == 412 && kept == orders[0].body
    } catch where error.mayBeOfACondition {
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
