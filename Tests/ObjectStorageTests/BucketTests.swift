import CurlHTTP
import Testing

@testable import ObjectStorage

@Suite("A bucket")
struct BucketTests {
  private static let picture = Array("a picture".utf8)

  @Test("an object is put under its prefix, only if none is there, with the digest of its body")
  func put() async throws {
    let scripted = try ScriptedBucket([ScriptedClient.answer(200)])
    #expect(try await scripted.bucket.putIfAbsent(Self.picture, as: "b c.jpg", mimeType: "image/jpeg") == .stored)
    let request = try #require(scripted.client.requests.first)
    #expect(request.method == .put)
    #expect(request.url == "https://storage.example/pictures/at/b%20c.jpg")
    #expect(request.body == Self.picture)
    func header(_ name: String) -> String? { request.headers.first { $0.name == name }?.value }
    #expect(header("if-none-match") == "*")
    #expect(header("content-type") == "image/jpeg")
    #expect(header("host") == "storage.example")
    #expect(header("x-amz-content-sha256") == CanonicalRequest.payload(Self.picture))
    #expect(header("x-amz-security-token") == "TOKEN")
    let signed = "content-type;host;if-none-match;x-amz-content-sha256;x-amz-date;x-amz-security-token"
    #expect(header("authorization")?.contains("SignedHeaders=\(signed), ") == true)
    #expect(!request.mayBePlain)
  }

  @Test("an object that is there stays, if it has the same size")
  func second() async throws {
    let scripted = try ScriptedBucket([
      ScriptedClient.error(412, "PreconditionFailed"), ScriptedClient.answer(200, headers: [.init("Content-Length", "9")]),
    ])
    #expect(try await scripted.bucket.putIfAbsent(Self.picture, as: "a", mimeType: "image/jpeg") == .alreadyThere)
    #expect(scripted.client.requests.map(\.method) == [.put, .head])
  }

  @Test("an object of another size under the name is an error")
  func otherContent() async throws {
    let scripted = try ScriptedBucket([
      ScriptedClient.answer(412), ScriptedClient.answer(200, headers: [.init("content-length", "8")]),
    ])
    let error = await #expect(throws: BucketError.self) {
      try await scripted.bucket.putIfAbsent(Self.picture, as: "a", mimeType: "image/jpeg")
    }
    #expect(error?.kind == .otherContent)
  }

  @Test("an object that is deleted between the refusal and the look is put again")
  func deletedMeanwhile() async throws {
    let scripted = try ScriptedBucket([
      ScriptedClient.answer(412), ScriptedClient.answer(404), ScriptedClient.answer(200),
    ])
    #expect(try await scripted.bucket.putIfAbsent(Self.picture, as: "a", mimeType: "image/jpeg") == .stored)
  }

  @Test("a put whose answer was lost succeeds although its second try finds the object")
  func lostAnswer() async throws {
    let scripted = try ScriptedBucket([
      ScriptedClient.failure(.reset), ScriptedClient.answer(412),
      ScriptedClient.answer(200, headers: [.init("Content-Length", "9")]),
    ])
    #expect(try await scripted.bucket.putIfAbsent(Self.picture, as: "a", mimeType: "image/jpeg") == .alreadyThere)
  }

  @Test("a busy storage is asked again, with longer and longer pauses", arguments: [
    ScriptedClient.error(503, "SlowDown"), ScriptedClient.error(409, "ConditionalRequestConflict"),
    ScriptedClient.answer(500), ScriptedClient.answer(502, "<html>"), ScriptedClient.answer(429),
    ScriptedClient.error(400, "RequestTimeout"), ScriptedClient.failure(.connect, mayHaveBeenSent: false),
    ScriptedClient.failure(.timedOut(.stall)), ScriptedClient.error(400, "XAmzContentSHA256Mismatch"),
  ])
  func busy(answer: @escaping ScriptedClient.Answer) async throws {
    let scripted = try ScriptedBucket([answer, answer, ScriptedClient.answer(200)])
    #expect(try await scripted.bucket.putIfAbsent(Self.picture, as: "a", mimeType: "image/jpeg") == .stored)
    #expect(scripted.pauses.all == [.milliseconds(50), .milliseconds(100)])
  }

  @Test("a storage that stays busy is an error, which says whether something may have happened")
  func staysBusy() async throws {
    let scripted = try ScriptedBucket([
      ScriptedClient.failure(.reset), ScriptedClient.failure(.connect, mayHaveBeenSent: false),
    ], tries: 2)
    let error = await #expect(throws: BucketError.self) { try await scripted.bucket.delete("a") }
    #expect(error == BucketError(.unreachable(.connect), mayHaveHappened: true))
    #expect(scripted.client.requests.count == 2)
  }

  @Test("a refusal that nobody's waiting changes is not asked again", arguments: [
    ScriptedClient.error(403, "SignatureDoesNotMatch"), ScriptedClient.error(404, "NoSuchBucket"),
    ScriptedClient.answer(400), ScriptedClient.failure(.tls, mayHaveBeenSent: false), ScriptedClient.answer(301),
  ])
  func refused(answer: @escaping ScriptedClient.Answer) async throws {
    let scripted = try ScriptedBucket([answer])
    await #expect(throws: BucketError.self) { try await scripted.bucket.delete("a") }
    #expect(scripted.client.requests.count == 1 && scripted.pauses.all.isEmpty)
  }

  @Test("an object is read up to a size, and a missing one is none")
  func get() async throws {
    let scripted = try ScriptedBucket([
      ScriptedClient.answer(200, "a picture"), ScriptedClient.error(404, "NoSuchKey"), ScriptedClient.answer(404),
      ScriptedClient.error(404, "NoSuchBucket"), ScriptedClient.failure(.tooLarge),
    ])
    let bucket = scripted.bucket
    #expect(try await bucket.object("a", atMost: 100) == Self.picture)
    #expect(scripted.client.requests.first?.limits.responseBytes == 100)
    #expect(try await bucket.object("a", atMost: 100) == nil)
    #expect(try await bucket.object("a", atMost: 100) == nil)
    #expect(await #expect(throws: BucketError.self) { try await bucket.object("a", atMost: 1) }?.kind == .noSuchBucket)
    #expect(await #expect(throws: BucketError.self) { try await bucket.object("a", atMost: 1) }?.kind == .tooLarge)
  }

  @Test("an object is deleted, whether it is there or not")
  func delete() async throws {
    let scripted = try ScriptedBucket([
      ScriptedClient.answer(204), ScriptedClient.answer(204), ScriptedClient.error(404, "NoSuchKey"),
      ScriptedClient.answer(200),
      ScriptedClient.error(404, "NoSuchBucket"),
    ])
    for _ in 0..<4 { try await scripted.bucket.delete("a") }
    #expect(await #expect(throws: BucketError.self) { try await scripted.bucket.delete("a") }?.kind == .noSuchBucket)
  }

  @Test("a name that servers understand differently is refused before anything is sent", arguments: [
    "", ".", "..", "a/../b", "./a", "a/.", "a\nb", "a\0", "a\u{7F}", String(repeating: "a", count: 1_030),
  ])
  func names(name: String) async throws {
    let scripted = try ScriptedBucket([])
    let bucket = scripted.bucket
    #expect(await #expect(throws: BucketError.self) { try await bucket.delete(name) }?.kind == .badName)
    #expect(throws: BucketError.self) { try bucket.presignedURL(of: name, forSeconds: 60) }
    #expect(scripted.client.requests.isEmpty)
  }

  @Test("a cancelled request ends as one")
  func cancelled() async throws {
    let scripted = try ScriptedBucket([ScriptedClient.answer(200)])
    let bucket = scripted.bucket
    let task = Task { () throws(BucketError) in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await bucket.putIfAbsent(Self.picture, as: "a", mimeType: "image/jpeg")
    }
    #expect(await #expect(throws: BucketError.self) { try await task.value }?.kind == .cancelled)
  }

  @Test("a presigned URL is for one object and at most a week")
  func presigned() throws {
    let bucket = try ScriptedBucket([], at: "s3://pictures/at?region=eu-central-1").bucket
    let url = try bucket.presignedURL(of: "b c.jpg", forSeconds: 10_000_000)
    #expect(url.hasPrefix("https://pictures.s3.eu-central-1.amazonaws.com/at/b%20c.jpg?X-Amz-Algorithm="))
    #expect(url.contains("X-Amz-Expires=604800&"))
    #expect(url.contains("X-Amz-Security-Token=TOKEN&"))
  }

  @Test("a bucket over http at another machine says to the client that this is meant")
  func plain() async throws {
    let scripted = try ScriptedBucket([ScriptedClient.answer(204)], at: "s3://pictures?endpoint=http://minio&insecure=true")
    try await scripted.bucket.delete("a")
    #expect(scripted.client.requests.first?.mayBePlain == true)
  }
}
