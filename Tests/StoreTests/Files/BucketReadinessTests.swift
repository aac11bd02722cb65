import AtelierProtocol
import CurlHTTP
import Foundation
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
    // Besides, it was asked once whether it keeps versions.
    #expect(storage.requests.count == 2)
    storage.uptime.store(9_999, ordering: .relaxed)
    try await store.checkReady()
    #expect(storage.requests.count == 2)
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
