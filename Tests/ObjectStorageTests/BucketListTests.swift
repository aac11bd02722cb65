import CurlHTTP
import Testing

@testable import ObjectStorage

@Suite("The list of a bucket")
struct BucketListTests {
  private static func page(
    _ keys: [(String, String)], next: String? = nil, encoding: String? = "url"
  ) -> ScriptedClient.Answer {
    let contents = keys.map { "<Contents><Key>\($0)</Key><Size>\($1)</Size><ETag>e</ETag></Contents>" }.joined()
    let encoding = encoding.map { "<EncodingType>\($0)</EncodingType>" } ?? ""
    let token = next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
    return ScriptedClient.answer(
      200, "<ListBucketResult><IsTruncated>\(next != nil)</IsTruncated>\(encoding)\(token)\(contents)</ListBucketResult>")
  }

  @Test("all pages are read, and names are without the prefix")
  func pages() async throws {
    let scripted = try ScriptedBucket([
      Self.page([("at/a", "1"), ("at/a+b%2B", "2")], next: "1/x=="), Self.page([], next: "y"),
      Self.page([("at/b%C3%A9", "0")]),
    ])
    let objects = try await scripted.bucket.objects(beginningWith: "")
    #expect(objects == [.init(name: "a", bytes: 1), .init(name: "a b+", bytes: 2), .init(name: "bé", bytes: 0)])
    let urls = scripted.client.requests.map(\.url)
    #expect(urls[0] == "https://storage.example/pictures?encoding-type=url&list-type=2&max-keys=1000&prefix=at%2F")
    #expect(urls[1].contains("continuation-token=1%2Fx%3D%3D&"))
  }

  @Test("a name is as it stands where the server encodes none")
  func plain() async throws {
    let scripted = try ScriptedBucket([Self.page([("at/a+b%20&amp;", "1")], encoding: nil)])
    #expect(try await scripted.bucket.objects(beginningWith: "a").map(\.name) == ["a+b%20&"])
  }

  @Test("a list that cannot be one is refused", arguments: [
    ScriptedClient.answer(200, "<html></html>"), ScriptedClient.answer(200, ""),
    ScriptedClient.answer(200, "<ListBucketResult></ListBucketResult>"),
    ScriptedClient.answer(200, "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"),
    page([("elsewhere/a", "1")]), page([("at/b", "1")]), page([("at/a", "-1")]), page([("at/a", "")]),
    page([("at/a%FF", "1")]),
    page([("at", "1")]),
  ])
  func refused(answer: @escaping ScriptedClient.Answer) async throws {
    let bucket = try ScriptedBucket([answer]).bucket
    #expect(await #expect(throws: BucketError.self) { try await bucket.objects(beginningWith: "a") }?.kind == .unexpected)
  }

  @Test("a list that never ends or goes back is refused", arguments: [
    [page([("at/a", "1")], next: "t"), page([("at/b", "1")], next: "t")],
    [page([("at/b", "1")], next: "t"), page([("at/a", "1")])], [page([("at/a", "1")], next: "t"), page([("at/a", "1")])],
    (0..<200).map { page([], next: "\($0)") },
  ])
  func endless(answers: [ScriptedClient.Answer]) async throws {
    let bucket = try ScriptedBucket(answers).bucket
    #expect(await #expect(throws: BucketError.self) { try await bucket.objects(beginningWith: "") }?.kind == .unexpected)
  }
}

@Suite("What a bucket guarantees")
struct BucketGuaranteeTests {
  private static func versioning(_ content: String) -> ScriptedClient.Answer {
    ScriptedClient.answer(200, "<VersioningConfiguration>\(content)</VersioningConfiguration>")
  }

  @Test("a bucket with versions is known", arguments: [
    (versioning(""), Bucket.Keeping.no), (versioning("<Status>Enabled</Status>"), .versions),
    (versioning("<Status>Suspended</Status>"), .earlierVersions), (versioning("<Status>On</Status>"), .unknown),
    (ScriptedClient.error(501, "NotImplemented"), .unknown), (ScriptedClient.answer(200, "<a/>"), .unknown),
    (ScriptedClient.error(403, "AccessDenied"), .unknown), (ScriptedClient.error(400, "InvalidRequest"), .unknown),
  ])
  func versions(answer: @escaping ScriptedClient.Answer, keeping: Bucket.Keeping) async throws {
    #expect(try await ScriptedBucket([answer]).bucket.keepsVersions() == keeping)
  }

  @Test("a bucket with an object lock is known", arguments: [
    (ScriptedClient.error(404, "ObjectLockConfigurationNotFoundError"), false as Bool?),
    (
      ScriptedClient.answer(
        200, "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>"),
      true
    ),
    (ScriptedClient.answer(200, "<ObjectLockConfiguration/>"), false), (ScriptedClient.answer(200, "x"), nil),
    (ScriptedClient.error(501, "NotImplemented"), nil), (ScriptedClient.answer(404), nil),
    (ScriptedClient.error(403, "AccessDenied"), nil),
  ])
  func objectLock(answer: @escaping ScriptedClient.Answer, hasLock: Bool?) async throws {
    #expect(try await ScriptedBucket([answer]).bucket.hasObjectLock() == hasLock)
  }

  @Test("a server that lets the second object of a name win is known", arguments: [
    ([200, 412, 200, 204], "first", true), ([200, 200, 200, 204], "other", false), ([200, 412, 200, 204], "other", false),
    ([501], "", false),
  ])
  func second(statuses: [Int], kept: String, isKept: Bool) async throws {
    let scripted = try ScriptedBucket(statuses.map { ScriptedClient.answer($0, $0 == 200 ? kept : "") })
    #expect(try await scripted.bucket.keepsFirst(probing: "probe") == isKept)
    #expect(statuses.count == 1 || scripted.client.requests.last?.method == .delete)
  }

  @Test("the difference of the clocks is told with the first answer", arguments: [
    ("Sun, 30 Aug 2015 12:36:00 GMT", 0 as Int?), ("Sun, 30 Aug 2015 12:35:00 GMT", 60),
    ("Sun, 30 Aug 2015 12:36:30 GMT", -30),
    ("soon", nil),
  ])
  func clock(date: String, seconds: Int?) async throws {
    let scripted = try ScriptedBucket([ScriptedClient.answer(200, "<ListBucketResult/>", headers: [.init("Date", date)])])
    #expect(try await scripted.bucket.reach() == seconds)
  }
}
