import CurlHTTP
import POSIX
import Synchronization
import Testing

@testable import ObjectStorage

@Suite("A bucket's key that changes")
struct BucketKeyTests {
  private static let list = ScriptedClient.answer(200, "<ListBucketResult/>")

  /// Gives one key after the other, and then always the last.
  private static func key(_ names: [String], uptime: Uptime = Uptime()) -> RenewableSecret<BucketCredentials> {
    let rest = Mutex(names[...])
    return RenewableSecret(nowMs: { 0 }, uptimeMs: { uptime.milliseconds.load(ordering: .relaxed) }) {
      let name = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
      guard let name, let key = BucketCredentials(accessKey: name, secretKey: "a-secret", sessionToken: "a-token") else {
        throw BucketKeyFault(sentence: "The file is gone.")
      }
      return key
    }
  }

  private static func keys(_ client: ScriptedClient) -> [String] {
    client.requests.map { request in
      let header = request.headers.first { $0.name == "authorization" }?.value ?? ""
      return String(header.split(separator: "Credential=").last?.prefix { $0 != "/" } ?? "")
    }
  }

  @Test("a request whose key is refused is made again at once with the one that is read then", arguments: [
    ScriptedClient.error(400, "ExpiredToken"), ScriptedClient.error(403, "InvalidAccessKeyId"),
    ScriptedClient.error(403, "SignatureDoesNotMatch"), ScriptedClient.error(403, "InvalidToken"),
    ScriptedClient.error(400, "TokenRefreshRequired"), ScriptedClient.error(403, "AccessDenied"),
    ScriptedClient.answer(401), ScriptedClient.answer(403), ScriptedClient.error(403, "SecurityTokenExpired"),
  ])
  func renewed(refusal: @escaping ScriptedClient.Answer) async throws {
    let scripted = try ScriptedBucket([refusal, Self.list, Self.list], key: Self.key(["Old", "New"]))
    for _ in 0..<2 { try await scripted.bucket.reach() }
    #expect(Self.keys(scripted.client) == ["Old", "New", "New"])
    #expect(scripted.pauses.all.isEmpty)
  }

  @Test("a refusal stands where no other key can be read, and says why", arguments: [true, false])
  func none(isGone: Bool) async throws {
    let isRead = Mutex(false)
    let key = RenewableSecret(nowMs: { 0 }, uptimeMs: { 0 }) {
      let isAgain = isRead.withLock { isRead in defer { isRead = true }; return isRead }
      guard !(isAgain && isGone), let key = BucketCredentials(accessKey: "Old", secretKey: "a-secret") else {
        throw BucketKeyFault(sentence: "The file is gone.")
      }
      return key
    }
    let scripted = try ScriptedBucket([ScriptedClient.error(403, "InvalidAccessKeyId")], key: key)
    let error = await #expect(throws: BucketError.self) { try await scripted.bucket.reach() }
    #expect(error?.kind == .unknownKey && scripted.client.requests.count == 1)
    #expect("\(try #require(error))".hasSuffix("The file is gone.") == isGone)
  }

  @Test("a key that changes with every look is not asked for for ever")
  func restless() async throws {
    let refusals = Array(repeating: ScriptedClient.error(403, "InvalidAccessKeyId"), count: 20)
    let scripted = try ScriptedBucket(refusals, key: Self.key((0..<20).map { "K\($0)" }))
    await #expect(throws: BucketError.self) { try await scripted.bucket.reach() }
    #expect(scripted.client.requests.count == 4)
  }

  @Test("a key that was never read is told, with the reason")
  func unreadable() async throws {
    let scripted = try ScriptedBucket([], key: Self.key([]))
    let error = await #expect(throws: BucketError.self) { try await scripted.bucket.delete("a") }
    #expect("\(try #require(error))" == "There is no key for the object storage. The file is gone.")
  }
}
