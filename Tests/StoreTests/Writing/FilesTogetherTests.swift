import AtelierProtocol
import Glibc
import Support
import Synchronization
import Testing

@testable import Store

@Suite("Files of writes that arrive together")
struct FilesTogetherTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private static func image(_ staged: StagedArtifact, index: Int = 0) -> GenerationFile {
    GenerationFile(index: index, source: .staged(staged), width: 4, height: 3)
  }

  @Test("a finish that is undone leaves the same content to the next one, whose file is there")
  func sharedContent() async throws {
    let store = try await fixture.open()
    let (first, second) = (try await store.begin(fixture.acceptance()), try await store.begin(fixture.acceptance()))
    let mine = try await store.stage([1, 2], mimeType: "image/png")
    let other = try await store.stage([1, 2], mimeType: "image/png")
    // The same position twice: its second image is refused after the file of the first was placed.
    let refused = Settlement(id: first, state: .succeeded, files: [Self.image(mine), Self.image(mine)])
    let sound = Settlement(id: second, state: .succeeded, files: [Self.image(other)])
    let results = try await store.together([refused, sound].map { each in { try await store.finish(each) } })
    #expect(results[0].error != nil)
    let artifact = try #require(results[1].value?.finished?.images.first?.artifact)
    #expect(try await store.read(artifact) == [1, 2])
    #expect(try await store.recoverAndSweep().sweptFiles == 0)
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("a file whose row is deleted in a transaction that comes to nothing stays")
  func deletionUndone() async throws {
    let store = try await fixture.open()
    let watcher = try store.watchCommits()
    let id = try await store.begin(fixture.acceptance())
    let artifact = try #require(try await store.succeed(id, with: [1]).finished?.images.first?.artifact)
    let isRemoved = Mutex(false)
    await #expect(throws: AtelierError.self) {
      try await store.write { session in
        try watcher.refuse(session)
        try session.run("DELETE FROM generation WHERE id = ?", [id.rawValue])
        _ = try store.forgetUnreferenced([artifact.name], in: session)
        // As when somebody else had deleted the last row with this content a moment before it came back.
        try isRemoved.withLock { isRemoved in
          isRemoved = try store.folder.remove(artifact.name) {
            try store.engine.readNow { try store.artifact(artifact.name, in: $0) != nil }
          }
        }
      }
    }
    #expect(!isRemoved.withLock { $0 })
    #expect(try await store.read(artifact) == [1])
    #expect(try await store.check().findings.isEmpty)
  }

  @Test(
    "a write that asks for too much of a full disk fails and does not take the others along", .onlySQLite,
    .enabled(if: Mount.isPermitted, "mounting is not permitted here"), arguments: [300_000, 3_000_000, 30_000_000])
  func fullDisk(length: Int) async throws {
    let mount = try #require(try Mount(bytes: 4_718_592))
    let store = try await fixture.open(DataDirectory(path: "\(mount.path)/data"))
    var ids: [GenerationID] = []
    for _ in 0..<12 { ids.append(try await store.begin(fixture.acceptance())) }
    let text = String(repeating: "t", count: length)
    let results = try await store.together(
      ids.enumerated().map { number, id in
        {
          try await store.finish(
            Settlement(id: id, state: .succeeded, text: number % 4 == 1 ? text : "short"))
        }
      })
    for (number, result) in results.enumerated() {
      let row = try await store.generation(ids[number], account: nil)
      if let finished = result.value?.finished {
        #expect(row == finished)
      } else {
        #expect((result.error as? AtelierError)?.kind == .storageFull, "\(number): \(result)")
        #expect(row?.state == .running)
      }
      if number % 4 != 1 { #expect(result.value?.finished != nil, "\(number): \(result)") }
    }
    if length > 4_000_000 { #expect(results.filter { $0.value == nil }.count == 3) }
    await store.close()
  }

  @Test(
    "no file is without row and no row without file, whatever is written at the same time",
    arguments: 0..<10 as Range<UInt64>)
  func anything(seed: UInt64) async throws {
    let fixture = try StoreFixture(seed: seed)
    let stores = [try await fixture.open(), try await fixture.open()]
    let watchers = try stores.map { try $0.watchCommits() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<12 as Range<UInt64> {
        group.addTask {
          var random = SplitMix64(seed: seed &* 100 &+ worker)
          let place = Int.random(in: stores.indices, using: &random)
          for _ in 0..<8 {
            await Self.live(in: stores[place], of: fixture, watcher: watchers[place], random: &random)
          }
        }
      }
      try await group.waitForAll()
    }
    for store in stores {
      #expect(try await store.check().isSound, "seed \(seed)")
      _ = try await store.recoverAndSweep()
    }
    let report = try await stores[0].check()
    #expect(report.findings.isEmpty, "seed \(seed): \(report.findings)")
    #expect(fixture.temporary.files(below: "data/temporary").isEmpty, "seed \(seed)")
  }

  /// One generation from acceptance to perhaps its deletion. Few contents, so that they share files; failures of all
  /// kinds.
  private static func live(
    in store: Store, of fixture: StoreFixture, watcher: CommitWatcher, random: inout SplitMix64
  ) async {
    let content = [UInt8.random(in: 0..<4, using: &random)]
    do {
      let id = try await store.begin(fixture.acceptance(isPrivate: .random(using: &random)))
      let (staged, photo) = (
        try await store.stage(content, mimeType: "image/png"), try await store.stage([99], mimeType: "image/jpeg")
      )
      let isTwice = Int.random(in: 0..<4, using: &random) == 0
      let settlement = Settlement(
        id: id, state: [.succeeded, .partial, .failed].randomElement(using: &random) ?? .failed,
        files: isTwice ? [image(staged), image(staged)] : [image(staged)],
        inputs: [
          PreparedKeeping(
            id: PreparedID(rawValue: "prep_\(fixture.next())"), account: .owner, generation: id, source: .staged(photo),
            width: 1, height: 1)
        ])
      do {
        _ = try await store.finish(settlement)
      } catch {
        for staged in settlement.stagedArtifacts { await store.discard(staged) }
        _ = try await store.finish(Settlement(id: id, state: .failed))
      }
      try await store.keepThumbnail(.thumbnail(try await store.stage([content[0] + 50], mimeType: "image/jpeg")), for: id)
      if Bool.random(using: &random) { _ = try await store.delete(.one(id, account: nil)) }
      if Int.random(in: 0..<6, using: &random) == 0 {
        _ = try? await store.write { try watcher.refuse($0) }
      }
      if Int.random(in: 0..<8, using: &random) == 0 { _ = try await store.recoverAndSweep() }
    } catch {
      Issue.record(error)
    }
  }
}
