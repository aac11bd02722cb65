import AtelierProtocol
import CurlHTTP
import Support
import Synchronization
import Testing

@testable import Store

@Suite("Files in a bucket", .timeLimit(.minutes(2)))
struct S3FilesTests {
  private let fixture: StoreFixture
  private let storage = MemoryStorage()

  init() throws { fixture = try StoreFixture() }

  private func open() async throws -> Store {
    try await Store.open(
      directory: fixture.directory, server: fixture.server?.server, bucket: try storage.pictures(),
      surroundings: fixture.surroundings)
  }

  private func files(of store: Store) throws -> S3Files { try #require(store.files as? S3Files) }

  private func notes(_ store: Store) async throws -> Int {
    try await store.read { (session: any SQLSession) in
      try session.value("SELECT count(*) FROM file_note", as: Int.self) ?? -1
    }
  }

  private func removals(_ store: Store) async throws -> [ProcessID] {
    try await store.read { (session: any SQLSession) in try session.fileNotes.removals().map(\.process) }
  }

  @Test("a picture is stored, read and deleted, and then nothing of it is left")
  func life() async throws {
    let store = try await open()
    let id = try await store.begin(fixture.acceptance())
    let artifact = try #require(try await store.succeed(id, with: [1, 2, 3]).finished?.images.first?.artifact)
    #expect(storage.names == [artifact.name])
    #expect(try await notes(store) == 0)
    #expect(try await store.read(artifact) == [1, 2, 3])
    #expect(!storage.requests.contains("GET \(artifact.name)"))
    #expect(try await store.check().findings.isEmpty)
    _ = try await store.delete(.one(id, account: nil))
    #expect(storage.names.isEmpty)
    #expect(try await removals(store).isEmpty)
    #expect(fixture.temporary.files(below: "data/cache").isEmpty)
    #expect(await #expect(throws: AtelierError.self) { try await store.read(artifact) }?.kind == .notFound)
  }

  @Test("a staged picture that is not needed is removed")
  func discarded() async throws {
    let store = try await open()
    let staged = try await store.stage([1, 2, 3], mimeType: "image/png")
    #expect(storage.names == [staged.artifact.name])
    #expect(try await notes(store) == 1)
    await store.discard(staged)
    #expect(storage.names.isEmpty)
    #expect(try await notes(store) == 0)
  }

  @Test("a picture that two generations have stays until both are deleted, and is sent once")
  func shared() async throws {
    let store = try await open()
    let first = try await store.begin(fixture.acceptance())
    let artifact = try #require(try await store.succeed(first, with: [1]).finished?.images.first?.artifact)
    let second = try await store.begin(fixture.acceptance())
    try await store.succeed(second, with: [1])
    #expect(storage.requests.count { $0 == "PUT \(artifact.name)" } == 1)
    _ = try await store.delete(.one(first, account: nil))
    #expect(storage.names == [artifact.name])
    _ = try await store.delete(.one(second, account: nil))
    #expect(storage.names.isEmpty)
  }

  @Test("a bucket that stores nothing is an error, and leaves no note", arguments: [403, 503])
  func refused(status: Int) async throws {
    let store = try await open()
    storage.decide { request, _ in request.method == .put ? .answer(status) : .serve }
    let error = await #expect(throws: AtelierError.self) { try await store.stage([1], mimeType: "image/png") }
    #expect(error?.kind == .storageUnavailable)
    #expect(try await notes(store) == 0)
    storage.serveAll()
    _ = try await store.stage([1], mimeType: "image/png")
    #expect(storage.names.count == 1)
  }

  @Test("a picture whose answer is lost is stored all the same")
  func lostAnswer() async throws {
    let store = try await open()
    let isFirst = Mutex(true)
    storage.decide { request, _ in
      request.method == .put && isFirst.withLock({ first in defer { first = false }; return first }) ? .loseAnswer : .serve
    }
    let staged = try await store.stage([1], mimeType: "image/png")
    #expect(storage.names == [staged.artifact.name])
    await store.discard(staged)
    #expect(storage.names.isEmpty)
  }

  @Test("a picture that cannot be deleted now is deleted by the next sweep, or by whoever makes it again", arguments: [
    true, false,
  ])
  func deletedLater(isMadeAgain: Bool) async throws {
    let store = try await open()
    let id = try await store.begin(fixture.acceptance())
    let artifact = try #require(try await store.succeed(id, with: [1]).finished?.images.first?.artifact)
    storage.decide { request, _ in request.method == .delete ? .answer(503) : .serve }
    _ = try await store.delete(.one(id, account: nil))
    #expect(storage.names == [artifact.name])
    #expect(try await removals(store) == [.nobody])
    storage.serveAll()
    if isMadeAgain {
      let again = try await store.begin(fixture.acceptance())
      try await store.succeed(again, with: [1])
      #expect(storage.names == [artifact.name])
      #expect(storage.requests.suffix(4).contains("DELETE \(artifact.name)"))
    } else {
      try await store.sweep()
      #expect(storage.names.isEmpty)
    }
    #expect(try await removals(store).isEmpty)
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("a deletion that the bucket did not carry out is told, and carried out as soon as it answers, by whoever is there")
  func deletedSoon() async throws {
    let store = try await open()
    let id = try await store.begin(fixture.acceptance())
    let artifact = try #require(try await store.succeed(id, with: [1]).finished?.images.first?.artifact)
    let discarded = try await store.stage([2], mimeType: "image/png")
    storage.decide { request, name in request.method == .delete && !name.hasPrefix("trial") ? .answer(503) : .serve }
    _ = try await store.delete(.one(id, account: nil))
    await store.discard(discarded)
    #expect(storage.names == [artifact.name, discarded.artifact.name].sorted())
    #expect(await store.status().unfinishedDeletions == 2)
    let found = try await store.check().findings.filter { $0.kind == .unfinishedDeletion }
    #expect(found.count == 1 && found[0].sentence.hasPrefix("2 pictures") && found[0].isHarmless)
    for tries in 1...3 {
      await storage.rests.reaches(tries)
      storage.tryAgain()
    }
    await storage.rests.reaches(4)
    #expect(storage.names.count == 2)
    let lists = storage.requests.count { $0.hasPrefix("GET") }
    storage.serveAll()
    storage.tryAgain()
    while await store.status().unfinishedDeletions > 0 || !storage.names.isEmpty { await Task.yield() }
    #expect(storage.requests.count { $0.hasPrefix("GET") } == lists, "nothing is listed for it")
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("a picture that could not be stored leaves nothing behind once the bucket answers again")
  func refusedSoon() async throws {
    let store = try await open()
    storage.decide { request, _ in
      request.method == .put ? .loseAnswer : request.method == .delete ? .answer(503) : .serve
    }
    await #expect(throws: AtelierError.self) { try await store.stage([1], mimeType: "image/png") }
    await storage.rests.reaches(1)
    #expect(storage.names.count == 1)
    storage.serveAll()
    storage.tryAgain()
    while await store.status().unfinishedDeletions > 0 { await Task.yield() }
    #expect(storage.names.isEmpty)
  }

  @Test("a process that comes back after its pictures were removed as those of a dead one finds that it must put them again")
  func comesBack() async throws {
    let store = try await open()
    let staged = try await store.stage([1], mimeType: "image/png")
    try await store.change("UPDATE file_note SET process = 'proc_asleep'")
    _ = try await files(of: store).removeUnreferenced([staged.artifact.name])
    #expect(storage.names.isEmpty)
    // In the same transaction: a row that it writes from now on would name a picture that is gone.
    #expect(try await notes(store) == 0)
  }

  @Test("an object that was damaged is whole again once it is stored again", arguments: [[9], [9, 9, 9], []] as [[UInt8]])
  func mended(bytes: [UInt8]) async throws {
    let store = try await open()
    let staged = try await store.stage([1, 2, 3], mimeType: "image/png")
    storage.set(staged.artifact.name, bytes)
    _ = try await store.stage([1, 2, 3], mimeType: "image/png")
    #expect(storage.content.values.map { $0 } == [[1, 2, 3]])
  }

  @Test("a picture that is made while the same one is being deleted is there in the end")
  func madeWhileDeleted() async throws {
    let (first, second) = (try await open(), try await open())
    let id = try await first.begin(fixture.acceptance())
    let artifact = try #require(try await first.succeed(id, with: [1]).finished?.images.first?.artifact)
    let again = try await second.begin(fixture.acceptance())
    // The second process begins to store the picture when the first one is about to delete it.
    let making = Mutex<Task<FinishOutcome, any Error>?>(nil)
    storage.decide { request, _ in
      guard request.method == .delete else { return .serve }
      let isBegun = making.withLock { making in
        if making != nil { return true }
        making = Task { try await second.succeed(again, with: [1]) }
        return false
      }
      if !isBegun { for _ in 0..<500 { await Task.yield() } }
      return .serve
    }
    _ = try await first.delete(.one(id, account: nil))
    _ = try await making.withLock { $0 }?.value
    #expect(storage.names == [artifact.name])
    #expect(try await second.read(artifact) == [1])
    #expect(try await second.check().findings.isEmpty)
  }

  @Test("a dead process's pictures that no row names are swept, and its notes with them")
  func swept() async throws {
    let storage = storage
    let (process, name) = try await { () async throws -> (ProcessID, String) in
      let store = try await open()
      let staged = try await store.stage([1], mimeType: "image/png")
      return (store.process, staged.artifact.name)
    }()
    try await fixture.isDead(process)
    #expect(storage.names == [name])
    let store = try await open()
    _ = try await store.recover()
    try await store.sweep()
    #expect(storage.names.isEmpty)
    #expect(try await notes(store) == 0)
    #expect(!storage.requests.contains { $0.hasPrefix("GET ") })
  }

  @Test("a process that was taken for dead refers to nothing that may be gone, and can store it again")
  func takenForDead() async throws {
    let store = try await open()
    let id = try await store.begin(fixture.acceptance())
    let staged = try await store.stage([1], mimeType: "image/png")
    let process = store.process
    try await store.write { (session: any SQLSession) in try session.fileNotes.delete(of: process) }
    storage.set(staged.artifact.name, nil)
    #expect(await store.hasLost(.staged(staged)))
    let file = GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3)
    let error = await #expect(throws: AtelierError.self) {
      try await store.finish(Settlement(id: id, state: .succeeded, files: [file]))
    }
    #expect(error?.kind == .overloaded)
    try await store.succeed(id, with: [1])
    #expect(storage.names == [staged.artifact.name])
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("a closed store leaves what it had staged to the next process")
  func closed() async throws {
    let process = try await { () async throws -> ProcessID in
      let store = try await open()
      _ = try await store.stage([1], mimeType: "image/png")
      await store.close()
      return store.process
    }()
    try await fixture.isDead(process)
    let next = try await open()
    _ = try await next.recover()
    try await next.sweep()
    #expect(storage.names.isEmpty)
  }

  @Test("an object that is gone or altered is found by the check, and never given out", arguments: [nil, [9], [9, 9, 9]])
  func damaged(bytes: [UInt8]?) async throws {
    let store = try await open()
    let id = try await store.begin(fixture.acceptance())
    let artifact = try #require(try await store.succeed(id, with: [1, 2]).finished?.images.first?.artifact)
    storage.set(artifact.name, bytes)
    let cache = try files(of: store).cache
    try cache.remove(artifact.name)
    let error = await #expect(throws: AtelierError.self) { try await store.read(artifact) }
    #expect(error?.kind == (bytes == nil ? .notFound : .internal))
    #expect(try await store.check().findings.map(\.kind) == [bytes == nil ? .missingFile : .alteredFile])
  }

  @Test("an object that no row names is found by the check")
  func stranger() async throws {
    let store = try await open()
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [2])
    let staged = try await store.stage([1], mimeType: "image/png")
    let process = store.process
    try await store.write { (session: any SQLSession) in try session.fileNotes.delete(of: process) }
    #expect(try await store.check().findings.map(\.kind) == [.unreferencedFile])
    #expect(storage.names.contains(staged.artifact.name))
  }

  @Test("a picture that is read on another machine comes from the bucket once, and leaves its cache after its deletion")
  func otherMachine() async throws {
    let store = try await open()
    let id = try await store.begin(fixture.acceptance())
    let artifact = try #require(try await store.succeed(id, with: [1]).finished?.images.first?.artifact)
    let here = try files(of: store)
    try here.cache.remove(artifact.name)
    for _ in 0..<2 { #expect(try await store.read(artifact) == [1]) }
    #expect(storage.requests.count { $0 == "GET \(artifact.name)" } == 1)
    // As if another machine had deleted it.
    let copy = ArtifactCache(folder: "\(fixture.directory.path)/other", mostBytes: 1_000) {
      "\(fixture.directory.temporary)/draft"
    }
    try copy.keep([1], as: artifact.name)
    _ = try await store.delete(.one(id, account: nil))
    try here.cache.keep([1], as: artifact.name)
    try await store.tidy()
    #expect(try here.cache.names().isEmpty)
    #expect(try copy.names() == [artifact.name])
  }

  @Test(
    "two machines with one database show each other's pictures, and forget what the other deletes",
    .enabled(if: TestDatabase.isUsed))
  func machines() async throws {
    func open(_ name: String) async throws -> Store {
      try await Store.open(
        directory: DataDirectory(path: "\(fixture.temporary.path)/\(name)"), server: fixture.server?.server,
        bucket: try storage.pictures(), surroundings: fixture.surroundings)
    }
    let (first, second) = (try await open("first"), try await open("second"))
    let id = try await first.begin(fixture.acceptance())
    try await first.succeed(id, with: [1, 2, 3])
    let here = try #require(try await first.generation(id, account: nil)?.images.first?.artifact)
    let there = try #require(try await second.generation(id, account: nil)?.images.first?.artifact)
    #expect(here.path?.contains("/first/cache/") == true && there.path == nil)
    #expect(try await second.read(there) == [1, 2, 3])
    let path = try #require(try await second.generation(id, account: nil)?.images.first?.artifact?.path)
    #expect(try contents(of: path) == [1, 2, 3])
    _ = try await first.delete(.one(id, account: nil))
    #expect(storage.names.isEmpty)
    try await second.tidy()
    #expect(permissions(of: path) == nil)
    for store in [first, second] { await store.close() }
  }

  @Test(
    "every row has its object and every object its row, whatever two processes do at once",
    arguments: 0..<12 as Range<UInt64>)
  func random(seed: UInt64) async throws {
    let stores = [try await open(), try await open()]
    let decisions = Mutex(SplitMix64(seed: seed))
    storage.decide { _, _ in
      let turns = decisions.withLock { $0.next() % 20 }
      for _ in 0..<turns { await Task.yield() }
      return turns == 19 ? .answer(503) : turns == 18 ? .loseAnswer : .serve
    }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<6 {
        group.addTask { [fixture] in
          var random = SplitMix64(seed: seed &* 100 &+ UInt64(task))
          for _ in 0..<12 {
            let store = stores[Int(random.next() % 2)]
            guard let id = try? await store.begin(fixture.acceptance()) else { continue }
            guard (try? await store.succeed(id, with: [UInt8(random.next() % 2)])) != nil else { continue }
            if random.next() % 4 > 0 { _ = try? await store.delete(.one(id, account: nil)) }
          }
        }
      }
    }
    storage.serveAll()
    for store in stores { try await store.sweep() }
    #expect(try await stores[0].check().findings.isEmpty, "seed \(seed)")
    let rows = try await stores[0].read { (session: any SQLSession) in try session.artifacts.names() }
    #expect(rows == storage.names.filter { !$0.hasPrefix("trial") }, "seed \(seed)")
    #expect(try await removals(stores[0]).isEmpty, "seed \(seed)")
  }
}

@Suite(
  "Files in a real object storage", .enabled(if: RealBucket.isThere, "scripts/with-s3.sh has started no object storage"),
  .timeLimit(.minutes(2)))
struct RealBucketTests {
  @Test("pictures are stored, shared, read and deleted by two processes, and then nothing of them is left")
  func life() async throws {
    let fixture = try StoreFixture()
    let place = try RealBucket.place(prefix: "life")
    func open() async throws -> Store {
      try await Store.open(
        directory: fixture.directory, server: fixture.server?.server, bucket: place, surroundings: fixture.surroundings)
    }
    let stores = [try await open(), try await open()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          var random = SplitMix64(seed: UInt64(task))
          for _ in 0..<8 {
            let store = stores[Int(random.next() % 2)]
            let id = try await store.begin(fixture.acceptance())
            let bytes = [UInt8](repeating: UInt8(random.next() % 2), count: 10_000)
            let artifact = try #require(try await store.succeed(id, with: bytes).finished?.images.first?.artifact)
            #expect(try await store.read(artifact) == bytes)
            _ = try await store.delete(.one(id, account: nil))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await stores[0].check().findings.isEmpty)
    #expect(try await place.bucket.objects(beginningWith: "").isEmpty)
  }
}

@Suite("The cache of a bucket")
struct ArtifactCacheTests {
  private let temporary: TemporaryDirectory

  init() throws { temporary = try TemporaryDirectory() }

  private func cache(_ most: Int) -> ArtifactCache {
    ArtifactCache(folder: "\(temporary.path)/cache", mostBytes: most) { "\(temporary.path)/draft" }
  }

  private func name(_ bytes: [UInt8]) -> String {
    StoredArtifact.name(sha256: StoredArtifact.digest(bytes), mimeType: "image/png")
  }

  @Test("a file that was altered in the cache is not given out, and goes")
  func altered() throws {
    let cache = cache(1_000)
    try cache.keep([1, 2], as: name([1, 2]))
    #expect(try cache.bytes(of: name([1, 2])) == [1, 2])
    try write([1, 3], to: cache.path(of: name([1, 2])))
    #expect(try cache.bytes(of: name([1, 2])) == nil)
    #expect(try cache.names().isEmpty)
  }

  @Test("a file that was altered in the cache is kept anew, were it of the same size")
  func mended() throws {
    let cache = cache(1_000)
    try cache.keep([1, 2], as: name([1, 2]))
    try write([1, 3], to: cache.path(of: name([1, 2])))
    #expect(try cache.keep([1, 2], as: name([1, 2])))
    #expect(try contents(of: cache.path(of: name([1, 2]))) == [1, 2])
  }

  @Test("the cache has at most its size, and what was used last stays")
  func size() throws {
    let cache = cache(1_000)
    let all = (0..<30).map { [UInt8](repeating: $0, count: 100) }
    for bytes in all {
      try cache.keep(bytes, as: name(bytes))
      #expect(try cache.names().count <= 10)
      #expect(try cache.bytes(of: name(bytes)) == bytes)
    }
    #expect(try cache.bytes(of: name(all[0])) == nil)
  }

  @Test("a cache without room keeps nothing", arguments: [0, 1, -5])
  func none(most: Int) throws {
    let cache = cache(most)
    try cache.keep([1, 2, 3], as: name([1, 2, 3]))
    #expect(try cache.names().isEmpty)
    #expect(temporary.files().isEmpty)
  }

  @Test("a name that is none leads nowhere", arguments: ["", "../../etc/passwd", "ab/../x", "a.b"])
  func names(name: String) throws {
    let cache = cache(1_000)
    try cache.keep([1], as: name)
    try cache.remove(name)
    #expect(try cache.bytes(of: name) == nil)
    #expect(temporary.files().isEmpty)
  }
}
