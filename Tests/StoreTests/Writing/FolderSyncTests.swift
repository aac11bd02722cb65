import AtelierProtocol
import Glibc
import POSIX
import Support
import Testing

@testable import Store

@Suite("Syncing folders")
struct FolderSyncTests {
  @Test("syncing folders fails when one of them cannot be synced, and syncs the others", arguments: [0, 1, 20])
  func failure(others: Int) throws {
    let temporary = try TemporaryDirectory()
    let record = SyncRecord(below: temporary.path)
    let folders = FolderSync(pool: try ThreadPool(width: 4))
    let there = try (0..<others).map { try temporary.makeFolder("\($0)") }
    try folders.sync(Set(there))
    #expect(record.paths.count == others)
    record.clear()
    let failure = #expect(throws: FileFailure.self) { try folders.sync(Set(there + ["\(temporary.path)/gone"])) }
    #expect(failure?.code == ENOENT && failure?.path == "\(temporary.path)/gone")
    #expect(record.paths.count == others)
  }

  @Test("a finish whose folders cannot be synced changes nothing, and the next one does not take them for durable")
  func failedFinish() async throws {
    let fixture = try StoreFixture()
    let artifacts = fixture.directory.artifacts
    var surroundings = fixture.surroundings
    // A folder that is away cannot be synced.
    surroundings.reached = { step in if step == .named { rename(artifacts, artifacts + ".away") } }
    let store = try await fixture.open(with: surroundings)
    let id = try await store.begin(fixture.acceptance())
    let staged = try await store.stage([1], mimeType: "image/png")
    let settlement = Settlement(
      id: id, state: .succeeded, files: [GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3)])
    let error = await #expect(throws: AtelierError.self) { try await store.finish(settlement) }
    #expect(error?.details["errno"] == 2)
    #expect(rename(artifacts + ".away", artifacts) == 0)
    #expect(try await store.generation(id, account: nil)?.state == .running)
    let other = try await fixture.open()
    let record = SyncRecord(below: fixture.temporary.path)
    #expect(try await other.succeed(try await other.begin(fixture.acceptance()), with: [1]).finished != nil)
    for folder in [
      artifacts, fixture.directory.firstFolder(ofArtifact: staged.artifact.name),
      fixture.directory.folder(ofArtifact: staged.artifact.name),
    ] {
      #expect(record.paths.filter { "\(fixture.temporary.path)/\($0)" == folder }.count == 1, "\(folder): \(record.paths)")
    }
    // Now that a row relies on them, they are durable.
    record.clear()
    try await other.succeed(try await other.begin(fixture.acceptance()), with: [1])
    #expect(record.paths.filter { $0.hasPrefix("data/artifacts") } == [], "\(record.paths)")
  }
}
