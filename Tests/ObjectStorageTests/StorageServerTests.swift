import CurlHTTP
import Testing

@testable import ObjectStorage

@Suite(
  "A real object storage",
  .enabled(if: StorageServer.isThere, "scripts/with-s3.sh has started no object storage"), .timeLimit(.minutes(2)))
struct StorageServerTests {
  private static let picture = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  @Test("an object is put, read, looked at, listed and deleted; then nothing is left")
  func life() async throws {
    let bucket = try StorageServer.bucket(prefix: "life")
    #expect(try await bucket.put(Self.picture, as: "ab/a.jpg", mimeType: "image/jpeg") == .stored)
    #expect(try await bucket.object("ab/a.jpg", atMost: 200_000) == Self.picture)
    #expect(try await bucket.size(of: "ab/a.jpg") == 200_000)
    #expect(try await bucket.objects(beginningWith: "ab/") == [ListedObject(name: "ab/a.jpg", bytes: 200_000)])
    try await bucket.delete("ab/a.jpg")
    try await bucket.delete("ab/a.jpg")
    #expect(try await bucket.object("ab/a.jpg", atMost: 200_000) == nil)
    #expect(try await bucket.size(of: "ab/a.jpg") == nil)
    #expect(try await bucket.objects(beginningWith: "").isEmpty)
  }

  @Test("an object that is there stays, and one with other bytes is replaced")
  func second() async throws {
    let bucket = try StorageServer.bucket(prefix: "second")
    #expect(try await bucket.put([1, 2, 3], as: "a", mimeType: "image/png") == .stored)
    #expect(try await bucket.put([1, 2, 3], as: "a", mimeType: "image/png") == .alreadyThere)
    for other: [UInt8] in [[4, 5, 6], [1]] {
      #expect(try await bucket.put(other, as: "a", mimeType: "image/png") == .stored)
      #expect(try await bucket.object("a", atMost: 3) == other)
    }
    try await bucket.delete("a")
  }

  @Test("all that is done with pictures can be tried, also over what an earlier trial left, and leaves nothing")
  func trial() async throws {
    let bucket = try StorageServer.bucket(prefix: "trial")
    try await bucket.tryStoring(as: "trial")
    #expect(try await bucket.objects(beginningWith: "").isEmpty)
    _ = try await bucket.put(Array("trial".utf8), as: "trial", mimeType: "text/plain")
    try await bucket.tryStoring(as: "trial")
    #expect(try await bucket.objects(beginningWith: "").isEmpty)
  }

  @Test("one of many puts of a name stores it, and all succeed")
  func together() async throws {
    let bucket = try StorageServer.bucket(prefix: "together")
    let outcomes = try await withThrowingTaskGroup(of: Bucket.PutOutcome.self) { group in
      for _ in 0..<8 {
        group.addTask { try await bucket.put(Self.picture, as: "a", mimeType: "image/png") }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.contains(.stored))
    #expect(try await bucket.object("a", atMost: 200_000) == Self.picture)
    try await bucket.delete("a")
  }

  @Test("a larger object than is asked for is refused")
  func cap() async throws {
    let bucket = try StorageServer.bucket(prefix: "cap")
    _ = try await bucket.put(Self.picture, as: "a", mimeType: "image/png")
    #expect(await #expect(throws: BucketError.self) { try await bucket.object("a", atMost: 199_999) }?.kind == .tooLarge)
    try await bucket.delete("a")
  }

  @Test("a name of any letters is sent and listed as it is", arguments: [
    "ünï/写真 1.jpg", "~a/b~c", "a b+c&d=e;f,g:h@i$j!k'l(m)n*o", "a//b/", "%41%", "e\u{301}",
    "<a>\"&amp;", "?a#b", "a\\b",
  ])
  func names(name: String) async throws {
    let bucket = try StorageServer.bucket(prefix: "names of (åny) letters/\(name.utf8.reduce(0) { $0 &* 31 &+ Int($1) })")
    #expect(try await bucket.put([1, 2, 3], as: name, mimeType: "image/png") == .stored)
    #expect(try await bucket.object(name, atMost: 3) == [1, 2, 3])
    let listed = try await bucket.objects(beginningWith: "")
    #expect(listed.map { Array($0.name.utf8) } == [Array(name.utf8)])
    let url = try await bucket.presignedURL(of: name, forSeconds: 60).url
    #expect(try await StorageServer.client.perform(HTTPRequest(.get, url)).body == [1, 2, 3])
    try await bucket.delete(name)
  }

  @Test("a list of several pages is whole")
  func pages() async throws {
    let bucket = try StorageServer.bucket(prefix: "pages")
    for name in ["a", "b", "c", "d", "e"] { _ = try await bucket.put([1], as: name, mimeType: "image/png") }
    var names: [String] = []
    var token: String?
    repeat {
      let page = try await bucket.page(beginningWith: "", after: token, atMost: 2)
      #expect(page.objects.count <= 2)
      names += page.objects.map(\.name)
      token = page.next
    } while token != nil
    #expect(names == ["a", "b", "c", "d", "e"])
    #expect(try await bucket.objects(beginningWith: "c").map(\.name) == ["c"])
    for name in names { try await bucket.delete(name) }
  }

  @Test("a wrong key is refused, and nothing is stored")
  func wrongKey() async throws {
    let wrong = try StorageServer.bucket(prefix: "key", secret: "wrong")
    let error = await #expect(throws: BucketError.self) { try await wrong.put([1], as: "a", mimeType: "image/png") }
    #expect(error?.kind == .wrongSignature)
    let unknown = try StorageServer.bucket(prefix: "key", accessKey: "test:nobody")
    let second = await #expect(throws: BucketError.self) { try await unknown.reach() }
    #expect([.unknownKey, .wrongSignature, .accessDenied].contains(second?.kind))
    #expect(try await StorageServer.bucket(prefix: "key").objects(beginningWith: "").isEmpty)
  }

  @Test("a request that is altered on its way is refused, and nothing is stored", arguments: [
    { $0.body?[0] ^= 1 }, { $0.url += "b" }, { $0.headers.removeAll { $0.name == "if-none-match" } },
    { request in
      request.headers = request.headers.map { $0.name == "content-type" ? HTTPHeader("content-type", "text/html") : $0 }
    },
  ] as [@Sendable (inout HTTPRequest) -> Void])
  func altered(alter: @escaping @Sendable (inout HTTPRequest) -> Void) async throws {
    let bucket = try StorageServer.bucket(prefix: "altered", client: AlteringClient(alter: alter), tries: 1)
    let error = await #expect(throws: BucketError.self) {
      try await bucket.put([1, 2, 3], as: "a", mimeType: "image/png")
    }
    #expect([.damaged, .wrongSignature, .accessDenied].contains(error?.kind), "\(String(describing: error))")
    #expect(try await StorageServer.bucket(prefix: "altered").objects(beginningWith: "").isEmpty)
  }

  @Test("a presigned URL gives the object to anybody, for its time and unaltered")
  func presigned() async throws {
    let bucket = try StorageServer.bucket(prefix: "presigned")
    _ = try await bucket.put([1, 2, 3], as: "a", mimeType: "image/png")
    _ = try await bucket.put([4, 5, 6], as: "b", mimeType: "image/png")
    func status(_ url: String) async throws -> Int { try await StorageServer.client.perform(HTTPRequest(.get, url)).status }
    let url = try await bucket.presignedURL(of: "a", forSeconds: 60).url
    #expect(try await status(url) == 200)
    #expect(try await status(url.replacing("/a?", with: "/b?")) == 403)
    #expect(try await status(url.replacing("Expires=60", with: "Expires=61")) == 403)
    let last = url.last == "0" ? "1" : "0"
    #expect(try await status(String(url.dropLast()) + last) == 403)
    let earlier = try StorageServer.bucket(prefix: "presigned", aheadBySeconds: -120)
    #expect(try await status(earlier.presignedURL(of: "a", forSeconds: 60).url) == 403)
    #expect(try await status(earlier.presignedURL(of: "a", forSeconds: 600).url) == 200)
    for name in ["a", "b"] { try await bucket.delete(name) }
  }

  @Test("a wrong clock is named", arguments: [3_600, -3_600])
  func clock(seconds: Int) async throws {
    let bucket = try StorageServer.bucket(prefix: "clock", aheadBySeconds: seconds)
    let error = await #expect(throws: BucketError.self) { try await bucket.reach() }
    guard case .clockSkew(let difference?) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(abs(difference - seconds) < 100)
    let ours = try #require(try await StorageServer.bucket(prefix: "clock").reach())
    #expect(abs(ours) < 100)
  }

  @Test("a bucket that does not exist is named as that")
  func missing() async throws {
    let bucket = try StorageServer.bucket(prefix: "missing")
    let other = Bucket(
      try BucketAddress("s3://absent?endpoint=\(bucket.address.origin)"), bucket.key, bucket.surroundings)
    #expect(await #expect(throws: BucketError.self) { try await other.reach() }?.kind == .noSuchBucket)
    let put = await #expect(throws: BucketError.self) { try await other.put([1], as: "a", mimeType: "image/png") }
    #expect(put?.kind == .noSuchBucket)
  }

  @Test("a server and a bucket are known by what they guarantee")
  func guarantees() async throws {
    let bucket = try StorageServer.bucket(prefix: "guarantees")
    #expect(try await bucket.keepsFirst(probing: "probe"))
    #expect(try await bucket.objects(beginningWith: "").isEmpty)
    #expect(try await bucket.keepsVersions() == .no)
    #expect(try await bucket.hasObjectLock() != true)
    let versioned = try StorageServer.bucket("ATELIER_TEST_S3_VERSIONED", prefix: "guarantees")
    #expect(try await versioned.keepsVersions() == .versions)
  }
}
