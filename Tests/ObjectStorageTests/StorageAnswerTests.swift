import CurlHTTP
import Testing

@testable import ObjectStorage

@Suite("What answers in place of a storage")
struct StorageAnswerTests {
  private static let page = "<!DOCTYPE html><html><body>Sign in</body></html>"

  /// What a way to the storage answers to everything.
  private static let impostors: [ScriptedClient.Answer] = [
    ScriptedClient.answer(200), ScriptedClient.answer(200, page), ScriptedClient.answer(200, "<html></html>"),
    ScriptedClient.answer(200, page, headers: [.init("ETag", "\"5f\""), .init("Content-Length", "48")]),
    ScriptedClient.answer(200, "{}"), ScriptedClient.answer(200, "ok", headers: [.init("Content-Length", "2")]),
    ScriptedClient.answer(204), ScriptedClient.answer(302, page), ScriptedClient.answer(404, page),
  ]

  private static func bucket(_ answer: @escaping ScriptedClient.Answer) throws -> Bucket {
    try ScriptedBucket(Array(repeating: answer, count: 20), tries: 1).bucket
  }

  @Test("nothing is stored, listed or tried with one that answers everything alike", arguments: impostors.indices)
  func everything(index: Int) async throws {
    let bucket = try Self.bucket(Self.impostors[index])
    await #expect(throws: BucketError.self) { try await bucket.put([1, 2, 3], as: "a", mimeType: "image/png") }
    await #expect(throws: BucketError.self) { try await bucket.tryStoring(as: "trial") }
    await #expect(throws: BucketError.self) { try await bucket.objects(beginningWith: "") }
    await #expect(throws: BucketError.self) { try await bucket.reach() }
    await #expect(throws: BucketError.self) { try await bucket.checkWay() }
  }

  @Test(
    "a page is no answer: it neither deletes, nor says that an object is missing, nor that there are no versions",
    arguments: [200, 404])
  func pages(status: Int) async throws {
    let bucket = try Self.bucket(ScriptedClient.answer(status, Self.page))
    let deletion = await #expect(throws: BucketError.self) { try await bucket.delete("a") }
    #expect(deletion?.kind == .noStorage)
    if status == 404 {
      let look = await #expect(throws: BucketError.self) { try await bucket.object("a", atMost: 10) }
      #expect(look?.kind == .noStorage)
    } else {
      let versions = await #expect(throws: BucketError.self) { try await bucket.keepsVersions() }
      #expect(versions?.kind == .noStorage && versions?.persistence == .untilMended)
    }
  }

  @Test("a trial does all that is done with pictures, and leaves nothing")
  func trial() async throws {
    let trial = Array("trial".utf8)
    let scripted = try ScriptedBucket([
      ScriptedClient.stored(trial), ScriptedClient.answer(200, "trial"), ScriptedClient.answer(404),
      ScriptedClient.error(404, "NoSuchKey"), ScriptedClient.answer(
        200, "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"), ScriptedClient.answer(204),
    ])
    try await scripted.bucket.tryStoring(as: "trial", bytes: trial.count)
    #expect(scripted.client.requests.map(\.method) == [.put, .get, .head, .get, .get, .delete])
  }

  @Test("a trial fails with the first thing that cannot be done", arguments: 0..<6)
  func lacking(step: Int) async throws {
    var answers = [
      ScriptedClient.stored(Array("trial".utf8)), ScriptedClient.answer(200, "trial"), ScriptedClient.answer(404),
      ScriptedClient.error(404, "NoSuchKey"), ScriptedClient.answer(
        200, "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"), ScriptedClient.answer(204),
    ]
    answers[step] = ScriptedClient.error(403, "AccessDenied")
    let scripted = try ScriptedBucket(answers)
    let error = await #expect(throws: BucketError.self) { try await scripted.bucket.tryStoring(as: "trial", bytes: 5) }
    #expect(error?.kind == .accessDenied && scripted.client.requests.count == step + 2)
    #expect(scripted.client.requests.last?.method == .delete)
  }

  @Test("a trial that reads other bytes than it has stored fails")
  func altered() async throws {
    let scripted = try ScriptedBucket([
      ScriptedClient.stored(Array("trial".utf8)), ScriptedClient.answer(200, "trail"),
    ])
    let error = await #expect(throws: BucketError.self) { try await scripted.bucket.tryStoring(as: "trial", bytes: 5) }
    #expect(error?.kind == .noStorage)
  }
}
