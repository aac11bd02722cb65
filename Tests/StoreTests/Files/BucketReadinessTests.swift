import AtelierProtocol
import CurlHTTP
import Foundation
import POSIX
import Support
import Synchronization
import Testing

@testable import Store

@Suite("Whether a bucket can store", .timeLimit(.minutes(2)))
struct BucketReadinessTests {
  private let fixture: StoreFixture
  private let storage = MemoryStorage()

  init() throws { fixture = try StoreFixture() }

  private func open() async throws -> Store {
    try await Store.open(
      directory: fixture.directory, server: fixture.server?.server, bucket: try storage.pictures(),
      surroundings: fixture.surroundings)
  }

  @Test("a bucket that answers is asked once in ten seconds, and not while pictures are stored")
  func remembered() async throws {
    let store = try await open()
    for _ in 0..<5 { try await store.checkReady() }
    // First all that storing needs is tried.
    let tried = ["versioning", "PUT trial", "GET trial", "HEAD absent", "GET absent", "GET ", "DELETE trial"]
    #expect(storage.requests.map { $0.replacing(#/trial-[0-9]+/#, with: "trial") } == tried)
    storage.uptime.store(9_999, ordering: .relaxed)
    try await store.checkReady()
    #expect(storage.requests.count == tried.count)
    storage.uptime.store(10_000, ordering: .relaxed)
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [1])
    let stored = storage.requests.count
    try await store.checkReady()
    #expect(storage.requests.count == stored)
  }

  @Test("a bucket that is away or refuses is told before a provider is asked, until it stores again", arguments: [403, 503])
  func away(status: Int) async throws {
    let store = try await open()
    storage.decide { _, _ in .answer(status) }
    for _ in 0..<2 {
      let error = await #expect(throws: AtelierError.self) { try await store.checkReady() }
      #expect(error?.kind == .storageUnavailable)
      #expect(error?.hint?.hasSuffix("(HTTP \(status)).") == true)
    }
    #expect(await store.status().problem?.contains("(HTTP \(status))") == true)
    // One that lists but takes nothing is not ready either.
    storage.decide { request, _ in request.method == .put ? .answer(status) : .serve }
    await #expect(throws: AtelierError.self) { try await store.checkReady() }
    storage.serveAll()
    try await store.checkReady()
    #expect(storage.names.isEmpty, "a trial leaves nothing")
    #expect(await store.status().isHealthy)
  }

  @Test("callers that come together share one question")
  func together() async throws {
    let store = try await open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { try await store.checkReady() } }
      try await group.waitForAll()
    }
    #expect(storage.requests.count { $0.hasPrefix("PUT trial") } == 1)
  }

  @Test("pictures that come together to a bucket that was never asked share one question, and each costs one request")
  func burst() async throws {
    let store = try await open()
    let count = 300
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask { _ = try await store.stage(Array("picture \(number)".utf8), mimeType: "image/png") }
      }
      try await group.waitForAll()
    }
    #expect(questions == 1)
    #expect(storage.requests.count == count + 1)
  }

  @Test("a caller that is cancelled takes the shared question from nobody else")
  func cancelledCaller() async throws {
    let store = try await open()
    let (asked, answered) = (Promise<Void>(), Promise<Void>())
    storage.decide { request, _ in
      if request.url.hasSuffix("?versioning=") {
        asked.fulfil(())
        _ = await answered.value()
      }
      return .serve
    }
    let stage: @Sendable (UInt8) -> Task<StagedArtifact, any Error> = { byte in
      Task { try await store.stage([byte], mimeType: "image/png") }
    }
    let first = stage(1)
    _ = await asked.value()
    let others = [stage(2), stage(3)]
    first.cancel()
    answered.fulfil(())
    for other in others { _ = try await other.value }
    _ = try? await first.value
    #expect(questions == 1)
  }

  @Test("a bucket that cannot do one thing that storing needs is told before the first request that costs", arguments: [
    ("PUT", 403, "AccessDenied", nil), ("GET", 403, "AccessDenied", nil), ("HEAD", 403, "", nil),
    ("DELETE", 403, "AccessDenied", nil), ("LIST", 403, "AccessDenied", nil), ("PUT", 403, "InvalidAccessKeyId", nil),
    ("PUT", 507, "XMinioStorageFull", nil), ("PUT", 501, "NotImplemented", false), ("PUT", 405, "MethodNotAllowed", false),
    ("GET", 403, "SecondLevelDomainForbidden", false),
  ] as [(String, Int, String, Bool?)])
  func lacking(step: String, status: Int, code: String, retryable: Bool?) async throws {
    let store = try await open()
    storage.decide { request, _ in
      let isList = request.url.contains("list-type")
      return request.url.hasSuffix("?versioning=") || (isList ? "LIST" : request.method.rawValue) != step
        ? .serve : .refuse(status, code)
    }
    for _ in 0..<2 {
      let error = await #expect(throws: AtelierError.self) { try await store.accept(fixture.acceptance()) }
      #expect(error?.kind == (status == 507 ? .storageFull : .storageUnavailable), "\(String(describing: error))")
      #expect(error?.retryable == retryable, "what only another configuration helps is said to be for ever, and no more")
      #expect(error?.hint?.contains("HTTP \(status)") == true)
    }
    #expect(await store.status().problem?.contains(code.isEmpty ? "HTTP \(status)" : code) == true)
    storage.serveAll()
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [1])
    #expect(storage.names.count == 1)
  }

  @Test(
    "a bucket that takes a little and no pictures is told before the first request that costs, and by a check",
    arguments: [
      (403, "QuotaExceeded"), (413, ""), (405, "EntityTooLarge"), (507, "XMinioStorageFull"), (403, "AccessDenied"),
    ])
  func small(status: Int, code: String) async throws {
    let store = try await open()
    refuseLarge(over: 1_000, status, code)
    for _ in 0..<3 { await #expect(throws: AtelierError.self) { try await store.checkReadyToPay() } }
    #expect(await store.status().problem != nil)
    #expect(try await store.check().findings.contains { $0.kind == .unwritable })
    storage.serveAll()
    try await store.checkReadyToPay()
    #expect(await store.status().isHealthy && storage.names.isEmpty)
  }

  private func refuseLarge(over most: Int, _ status: Int, _ code: String) {
    storage.decide { request, _ in
      request.method == .put && (request.body?.count ?? 0) > most ? .refuse(status, code) : .serve
    }
  }

  @Test(
    "a picture that a bucket has refused for its size is followed by no other paid one until as much is taken",
    arguments: [(403, "QuotaExceeded"), (413, ""), (507, "XMinioStorageFull"), (403, "AccessDenied")])
  func asMuch(status: Int, code: String) async throws {
    let store = try await open()
    try await store.checkReadyToPay()
    let id = try await store.begin(fixture.acceptance())
    refuseLarge(over: 200_000, status, code)
    let picture = [UInt8](repeating: 7, count: 300_000)
    await #expect(throws: AtelierError.self) { try await store.succeed(id, with: picture) }
    for _ in 0..<3 {
      await #expect(throws: AtelierError.self) { try await store.checkReadyToPay() }
      #expect(await store.status().problem != nil)
    }
    storage.serveAll()
    try await store.checkReadyToPay()
    #expect(await store.status().isHealthy)
    try await store.succeed(id, with: picture)
    #expect(storage.names.count == 1)
    // A check tries as much as the largest picture has.
    refuseLarge(over: 200_000, status, code)
    #expect(try await store.check().findings.contains { $0.kind == .unwritable })
  }

  @Test("a picture that a rule of the bucket has removed is missing and not deleted, and one in an archive waits there")
  func removed() async throws {
    let store = try await open()
    let id = try await store.begin(fixture.acceptance())
    try await store.succeed(id, with: [1])
    let artifact = try #require(try await store.generation(id, account: nil)?.files.first?.artifact)
    try FileManager.default.removeItem(atPath: fixture.directory.cache)
    storage.decide { request, name in
      request.method == .get && name == artifact.name ? .refuse(403, "InvalidObjectState") : .serve
    }
    let archived = await #expect(throws: AtelierError.self) { try await store.read(artifact) }
    #expect(archived?.kind == .storageUnavailable && archived?.hint?.contains("archive") == true)
    #expect(await store.status().isHealthy, "one picture says nothing of the others")
    storage.decide { request, _ in request.method == .get ? .refuse(403, "AccessDenied") : .serve }
    await #expect(throws: AtelierError.self) { try await store.read(artifact) }
    #expect(await store.status().problem?.contains("AccessDenied") == true)
    storage.serveAll()
    storage.set(artifact.name, nil)
    let missing = await #expect(throws: AtelierError.self) { try await store.read(artifact) }
    #expect(missing?.kind == .notFound && missing?.message.contains("in history") == true, "\(missing?.message ?? "")")
    #expect(await store.status().isHealthy)
    _ = try await store.delete(.one(id, account: nil))
    let deleted = await #expect(throws: AtelierError.self) { try await store.read(artifact) }
    #expect(deleted?.message.contains("deleted") == true)
  }

  @Test("a bucket whose server does not know If-None-Match stores all the same, and keeps what several store at once")
  func noCondition() async throws {
    storage.forgetConditions()
    let store = try await open()
    let (first, second) = (try await store.begin(fixture.acceptance()), try await store.begin(fixture.acceptance()))
    let before = storage.requests.count
    try await store.succeed(first, with: [1])
    // The trial has found out that the condition is not known.
    #expect(storage.requests.count == before + 1)
    try await store.succeed(second, with: [1])
    _ = try await store.delete(.one(first, account: nil))
    #expect(storage.names.count == 1)
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("a way that answers 200 to everything stores nothing, from the first request on or later, until it is gone")
  func impostor() async throws {
    let store = try await open()
    storage.decide { _, _ in .page(200, "<!DOCTYPE html><html>Sign in</html>") }
    let refusal = await #expect(throws: AtelierError.self) { try await store.accept(fixture.acceptance()) }
    #expect(refusal?.kind == .storageUnavailable && refusal?.hint?.contains("sign-in page") == true)
    storage.serveAll()
    let id = try await store.begin(fixture.acceptance())
    storage.decide { _, _ in .page(200, "") }
    let error = await #expect(throws: AtelierError.self) { try await store.succeed(id, with: [1]) }
    #expect(error?.kind == .storageUnavailable)
    storage.serveAll()
    try await store.succeed(id, with: [1])
    // Nothing that is stored seems damaged because of a page.
    storage.decide { request, _ in request.method == .get ? .page(200, "<!DOCTYPE html>") : .serve }
    #expect(await #expect(throws: AtelierError.self) { try await store.check() }?.kind == .storageUnavailable)
    storage.serveAll()
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("a key that was replaced while a picture is made stores it, without another start")
  func renewedKey() async throws {
    let store = try await open()
    let id = try await store.begin(fixture.acceptance())
    storage.believe("next")
    let error = await #expect(throws: AtelierError.self) { try await store.succeed(id, with: [1]) }
    #expect(error?.kind == .storageUnavailable && error?.hint?.contains("InvalidAccessKeyId") == true)
    storage.giveKey("next")
    storage.uptime.add(5_000, ordering: .relaxed)
    try await store.succeed(id, with: [1])
    storage.giveKey("third")
    storage.believe("third")
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [2])
    #expect(storage.names.count == 2)
  }

  @Test("a bucket that never answers is asked once, all others are refused at once, and asked again after a while")
  func silent() async throws {
    let store = try await open()
    storage.decide { _, _ in .hang }
    for _ in 0..<5 {
      let error = await #expect(throws: AtelierError.self) { try await store.accept(fixture.acceptance()) }
      #expect(error?.kind == .storageUnavailable && error?.hint?.contains("took too long") == true)
    }
    #expect(await store.status().problem?.contains("took too long") == true)
    #expect(storage.requests == ["versioning", "versioning"])
    storage.serveAll()
    await #expect(throws: AtelierError.self) { try await store.accept(fixture.acceptance()) }
    storage.uptime.store(10_000, ordering: .relaxed)
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [1])
    #expect(await store.status().isHealthy)
  }

  @Test("a read that is cancelled while the bucket says nothing is no fault of the bucket", arguments: [true, false])
  func cancelledRead(isOfAnotherFile: Bool) async throws {
    let store = try await open()
    let id = try await store.begin(fixture.acceptance())
    let artifact = try #require(try await store.succeed(id, with: [1]).finished?.images.first?.artifact)
    try #require(store.files as? S3Files).cache.remove(artifact.name)
    // What is asked after an answer with another file is whether something on the way has given it.
    if isOfAnotherFile { storage.set(artifact.name, [2]) }
    let (asked, never) = (Promise<Void>(), Promise<Void>())
    storage.decide { _, name in
      if isOfAnotherFile == (name == artifact.name) { return .serve }
      asked.fulfil(())
      _ = await never.value()
      throw CancellationError()
    }
    let read = Task { try await store.read(artifact) }
    _ = await asked.value()
    read.cancel()
    let error = await #expect(throws: AtelierError.self) { try await read.value }
    #expect(error?.kind == .storageUnavailable)
    storage.serveAll()
    let requests = storage.requests
    try await store.checkReady()
    #expect(storage.requests == requests, "the bucket is known to answer")
  }

  @Test("a bucket that keeps versions stores nothing, not even for a trial, until it keeps none", arguments: [
    "Enabled", "Suspended",
  ])
  func versions(status: String) async throws {
    let store = try await open()
    storage.setVersioning(status)
    for _ in 0..<3 {
      let error = await #expect(throws: AtelierError.self) { try await store.accept(fixture.acceptance()) }
      #expect(error?.kind == .storageUnavailable && error?.hint == PictureBucket.keepsVersions)
    }
    let staging = await #expect(throws: AtelierError.self) { try await store.stage([1], mimeType: "image/png") }
    #expect(staging?.hint == PictureBucket.keepsVersions)
    #expect(storage.requests.allSatisfy { !$0.hasPrefix("PUT") })
    #expect(await store.status().problem?.contains(PictureBucket.keepsVersions) == true)
    storage.setVersioning(nil)
    let before = questions
    for _ in 0..<3 { try await store.succeed(try await store.begin(fixture.acceptance()), with: [1]) }
    #expect(questions == before + 1)
    #expect(await store.status().isHealthy)
  }

  @Test("a bucket that does not say whether it keeps versions is used, and asked once", arguments: [400, 403, 405, 501])
  func unknownVersions(status: Int) async throws {
    let store = try await open()
    storage.decide { request, _ in request.url.hasSuffix("?versioning=") ? .answer(status) : .serve }
    for _ in 0..<3 { try await store.succeed(try await store.begin(fixture.acceptance()), with: [1]) }
    #expect(questions == 1)
  }

  @Test("a bucket whose versions are confirmed is not asked for them")
  func confirmedVersions() async throws {
    var place = try storage.pictures()
    place.mayKeepVersions = true
    let store = try await Store.open(
      directory: fixture.directory, server: fixture.server?.server, bucket: place, surroundings: fixture.surroundings)
    storage.setVersioning("Enabled")
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [1])
    #expect(questions == 0)
  }

  /// How often the bucket was asked whether it keeps versions.
  private var questions: Int { storage.requests.count { $0 == "versioning" } }

  @Test("a bucket that is away damages no picture: the check says only that it is away")
  func unknown() async throws {
    let store = try await open()
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [1])
    storage.decide { _, _ in .answer(503) }
    let error = await #expect(throws: AtelierError.self) { try await store.check() }
    #expect(error?.kind == .storageUnavailable)
    storage.serveAll()
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("a picture that could not be stored is stored later, with its generation still open")
  func later() async throws {
    let store = try await open()
    let id = try await store.begin(fixture.acceptance())
    storage.decide { request, _ in request.method == .put ? .answer(503) : .serve }
    let error = await #expect(throws: AtelierError.self) { try await store.succeed(id, with: [1]) }
    #expect(error?.kind == .storageUnavailable)
    #expect(try await store.generation(id, account: nil)?.state == .running)
    storage.serveAll()
    try await store.checkReady()
    #expect(try await store.succeed(id, with: [1]).finished?.state == .succeeded)
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("the notes of a process on a machine that is lost are swept by one with no dead process beside it")
  func lostMachine() async throws {
    let store = try await open()
    let staged = try await store.stage([1], mimeType: "image/png")
    try await store.change("UPDATE file_note SET process = 'proc_lost'")
    #expect(storage.names == [staged.artifact.name])
    #expect(try await store.sweep() == 1)
    #expect(storage.names.isEmpty)
    #expect(try await store.files.hasLeftovers() == false)
  }

  @Test("a removal whose end could not be written is carried out again by the same process")
  func unwrittenEnd() async throws {
    let store = try await open()
    let id = try await store.begin(fixture.acceptance())
    let row = try await store.succeed(id, with: [1]).finished
    let name = try #require(row?.images.first?.artifact?.name)
    _ = try await store.delete(.one(id, account: nil))
    // As if the transaction had failed that says that it is over.
    try await store.write { [process = store.process] session in
      try session.fileNotes.beginRemoval(of: name, by: process)
    }
    #expect(try await store.succeed(try await store.begin(fixture.acceptance()), with: [1]).finished != nil)
    #expect(storage.names == [name])
    #expect(try await store.files.hasLeftovers() == false)
  }

  @Test("the path of a picture is told while it is in the cache, and is none afterwards")
  func path() async throws {
    let store = try await open()
    let id = try await store.begin(fixture.acceptance())
    let made = try #require(try await store.succeed(id, with: [1, 2, 3]).finished?.images.first?.artifact)
    let path = try #require(made.path)
    #expect(try contents(of: path) == [1, 2, 3])
    try write([1], to: path)
    #expect(try await store.generation(id, account: nil)?.images.first?.artifact?.path == nil)
    #expect(try await store.read(made) == [1, 2, 3])
    #expect(try await store.generation(id, account: nil)?.images.first?.artifact?.path == path)
    // The folder may go under the running process.
    try FileManager.default.removeItem(atPath: "\(fixture.directory.path)/cache")
    #expect(try await store.generation(id, account: nil)?.images.first?.artifact?.path == nil)
    let requests = storage.requests.count
    _ = try await store.generation(id, account: nil)
    #expect(storage.requests.count == requests)
    #expect(try await store.read(made) == [1, 2, 3])
    #expect(try contents(of: path) == [1, 2, 3])
  }
}
