import CurlHTTP
import POSIX
import Testing

@testable import ObjectStorage

@Suite("A bucket")
struct BucketTests {
  private static let picture = Array("a picture".utf8)
  private static let stored = ScriptedClient.stored(picture)

  @Test("an object is put under its prefix, only if none is there, with the digest of its body")
  func put() async throws {
    let scripted = try ScriptedBucket([Self.stored])
    #expect(try await scripted.bucket.put(Self.picture, as: "b c.jpg", mimeType: "image/jpeg") == .stored)
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

  @Test("an object that is there stays, if it has the same bytes")
  func second() async throws {
    let scripted = try ScriptedBucket([
      ScriptedClient.error(412, "PreconditionFailed"), ScriptedClient.answer(200, "a picture"),
    ])
    #expect(try await scripted.bucket.put(Self.picture, as: "a", mimeType: "image/jpeg") == .alreadyThere)
    #expect(scripted.client.requests.map(\.method) == [.put, .get])
  }

  @Test("an object with other bytes under the name is damaged, and is replaced", arguments: [
    ScriptedClient.answer(200, "a pixture"), ScriptedClient.answer(200, "a pic"), ScriptedClient.answer(200, ""),
    ScriptedClient.failure(.tooLarge),
  ])
  func damaged(found: @escaping ScriptedClient.Answer) async throws {
    let scripted = try ScriptedBucket([ScriptedClient.answer(412), found, Self.stored])
    #expect(try await scripted.bucket.put(Self.picture, as: "a", mimeType: "image/jpeg") == .stored)
    let last = try #require(scripted.client.requests.last)
    #expect(last.method == .put && last.body == Self.picture)
    #expect(!last.headers.contains { $0.name == "if-none-match" })
  }

  @Test("an object that is deleted between the refusal and the look is put again")
  func deletedMeanwhile() async throws {
    let scripted = try ScriptedBucket([ScriptedClient.answer(412), ScriptedClient.answer(404), Self.stored])
    #expect(try await scripted.bucket.put(Self.picture, as: "a", mimeType: "image/jpeg") == .stored)
  }

  @Test("a put whose answer was lost succeeds although its second try finds the object")
  func lostAnswer() async throws {
    let scripted = try ScriptedBucket([
      ScriptedClient.failure(.reset), ScriptedClient.answer(412), ScriptedClient.answer(200, "a picture"),
    ])
    #expect(try await scripted.bucket.put(Self.picture, as: "a", mimeType: "image/jpeg") == .alreadyThere)
  }

  @Test("a server that does not know the condition is put to without it, and asked for it once", arguments: [
    ScriptedClient.error(501, "NotImplemented"), ScriptedClient.answer(501), ScriptedClient.answer(405),
    ScriptedClient.error(400, "NotImplemented"), ScriptedClient.error(400, "InvalidArgument"), ScriptedClient.answer(400),
  ])
  func noCondition(refusal: @escaping ScriptedClient.Answer) async throws {
    let scripted = try ScriptedBucket([refusal, Self.stored, Self.stored])
    for _ in 0..<2 { #expect(try await scripted.bucket.put(Self.picture, as: "a", mimeType: "image/jpeg") == .stored) }
    let hasCondition = scripted.client.requests.map { $0.headers.contains { $0.name == "if-none-match" } }
    #expect(hasCondition == [true, false, false])
  }

  @Test("a server that refuses all puts is not taken for one that lacks the condition")
  func noPut() async throws {
    let refusal = ScriptedClient.error(501, "NotImplemented")
    let scripted = try ScriptedBucket([refusal, refusal, Self.stored])
    let error = await #expect(throws: BucketError.self) {
      try await scripted.bucket.put(Self.picture, as: "a", mimeType: "image/jpeg")
    }
    #expect(error?.kind == .unsupported && error?.persistence == .always)
    _ = try await scripted.bucket.put(Self.picture, as: "a", mimeType: "image/jpeg")
    #expect(scripted.client.requests.last?.headers.contains { $0.name == "if-none-match" } == true)
  }

  @Test("a put whose tag is not that of the bytes is looked at: an object of another size or tag is none", arguments: [
    ("e", 200, "9", "e", true), ("", 200, "9", "", true), ("", 200, "9", "f", true), ("e", 200, "8", "e", false),
    ("e", 200, "9", "f", false), ("e", 200, "", "e", false), ("e", 404, "", "", false),
  ])
  func proof(tag: String, status: Int, size: String, seen: String, isStored: Bool) async throws {
    let scripted = try ScriptedBucket([
      ScriptedClient.answer(200, headers: [.init("ETag", tag)]),
      ScriptedClient.answer(status, headers: [.init("Content-Length", size), .init("ETag", seen)]),
    ])
    do throws(BucketError) {
      #expect(try await scripted.bucket.put(Self.picture, as: "a", mimeType: "image/jpeg") == .stored && isStored)
    } catch {
      #expect(error.kind == .noStorage && !isStored)
    }
    #expect(scripted.client.requests.map(\.method) == [.put, .head])
  }

  @Test("a busy storage is asked again, with longer and longer pauses", arguments: [
    ScriptedClient.error(503, "SlowDown"), ScriptedClient.error(409, "ConditionalRequestConflict"),
    ScriptedClient.answer(500), ScriptedClient.answer(502, "<html>"), ScriptedClient.answer(429),
    ScriptedClient.error(400, "RequestTimeout"), ScriptedClient.failure(.connect, mayHaveBeenSent: false),
    ScriptedClient.error(400, "XAmzContentSHA256Mismatch"),
  ])
  func busy(answer: @escaping ScriptedClient.Answer) async throws {
    let scripted = try ScriptedBucket([answer, answer, Self.stored])
    #expect(try await scripted.bucket.put(Self.picture, as: "a", mimeType: "image/jpeg") == .stored)
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
      ScriptedClient.answer(200), ScriptedClient.answer(404),
      ScriptedClient.error(404, "NoSuchBucket"),
    ])
    for _ in 0..<5 { try await scripted.bucket.delete("a") }
    #expect(await #expect(throws: BucketError.self) { try await scripted.bucket.delete("a") }?.kind == .noSuchBucket)
  }

  @Test("a name that servers understand differently is refused before anything is sent", arguments: [
    "", ".", "..", "a/../b", "./a", "a/.", "a\nb", "a\0", "a\u{7F}", String(repeating: "a", count: 1_030),
  ])
  func names(name: String) async throws {
    let scripted = try ScriptedBucket([])
    let bucket = scripted.bucket
    #expect(await #expect(throws: BucketError.self) { try await bucket.delete(name) }?.kind == .badName)
    await #expect(throws: BucketError.self) { try await bucket.presignedURL(of: name, forSeconds: 60) }
    #expect(scripted.client.requests.isEmpty)
  }

  @Test("a cancelled request ends as one")
  func cancelled() async throws {
    let scripted = try ScriptedBucket([Self.stored])
    let bucket = scripted.bucket
    let task = Task { () throws(BucketError) in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await bucket.put(Self.picture, as: "a", mimeType: "image/jpeg")
    }
    #expect(await #expect(throws: BucketError.self) { try await task.value }?.kind == .cancelled)
  }

  @Test("a presigned URL is for one object and at most a week, and ends with temporary credentials")
  func presigned() async throws {
    let bucket = try ScriptedBucket([], at: "s3://pictures/at?region=eu-central-1").bucket
    let (url, endsAt) = try await bucket.presignedURL(of: "b c.jpg", forSeconds: 10_000_000)
    #expect(url.hasPrefix("https://pictures.s3.eu-central-1.amazonaws.com/at/b%20c.jpg?X-Amz-Algorithm="))
    #expect(url.contains("X-Amz-Expires=604800&"))
    #expect(url.contains("X-Amz-Security-Token=TOKEN&"))
    let now = bucket.time.secondsSince1970
    #expect(endsAt == now + 604_800)
    let brief = try #require(BucketCredentials(accessKey: "a", secretKey: "b", sessionToken: "c", endsAt: now + 60))
    let other = try ScriptedBucket([], key: RenewableSecret(constant: brief)).bucket
    #expect(try await other.presignedURL(of: "a", forSeconds: 600).endsAt == now + 60)
    #expect(try await other.presignedURL(of: "a", forSeconds: 30).endsAt == now + 30)
  }

  @Test("a bucket over http at another machine says to the client that this is meant")
  func plain() async throws {
    let scripted = try ScriptedBucket([ScriptedClient.answer(204)], at: "s3://pictures?endpoint=http://minio&insecure=true")
    try await scripted.bucket.delete("a")
    #expect(scripted.client.requests.first?.mayBePlain == true)
  }
}
