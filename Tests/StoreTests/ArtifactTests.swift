import AtelierProtocol
import Glibc
import POSIX
import Testing

@testable import Store

@Suite("Artifacts")
struct ArtifactTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test(
    "artifacts are files named by their digest, with the extension of their type",
    arguments: [
      ("image/png", "png"), ("image/jpeg", "jpg"), ("image/webp", "webp"), ("image/heic", "heic"),
      ("image/avif", "avif"), ("image/heif", "heif"), ("text/../../x", "bin"),
    ])
  func names(mimeType: String, fileExtension: String) async throws {
    let store = try await fixture.open()
    let staged = try await store.stage(Array("abc".utf8), mimeType: mimeType)
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(staged.artifact.sha256 == digest)
    #expect(staged.artifact.bytes == 3)
    #expect(staged.artifact.path == "\(fixture.directory.path)/artifacts/ba/78/\(digest).\(fileExtension)")
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    #expect(try contents(of: staged.temporaryPath) == Array("abc".utf8))
    await store.discard(staged)
    #expect(!FileStatus.exists(staged.temporaryPath))
  }

  @Test("a file that was damaged is whole again once its content is stored again, were it of the right size", arguments: [
    [9, 9, 9], [9], [],
  ] as [[UInt8]])
  func mended(bytes: [UInt8]) async throws {
    let store = try await fixture.open()
    let row = try await store.succeed(try await store.begin(fixture.acceptance()), with: [1, 2, 3]).finished
    let artifact = try #require(row?.images.first?.artifact)
    try write(bytes, to: try #require(artifact.path))
    await #expect(throws: AtelierError.self) { try await store.read(artifact) }
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [1, 2, 3])
    #expect(try await store.read(artifact) == [1, 2, 3])
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("the same content twice is one file, which stays until the last generation with it is deleted")
  func sharedContent() async throws {
    let store = try await fixture.open()
    let other = try await fixture.open()
    let ids = [try await store.begin(fixture.acceptance()), try await other.begin(fixture.acceptance())]
    let row = try #require(try await store.succeed(ids[0], with: [1, 2]).finished)
    try await other.succeed(ids[1], with: [1, 2])
    let artifact = try #require(row.images.first?.artifact)
    #expect(fixture.temporary.files(below: "data/artifacts").count == 1)
    let first = try await store.delete(.one(ids[0], account: nil))
    #expect(first == DeletionSummary(deleted: 1, bytesFreed: 0, stillRunning: []))
    #expect(try await other.read(artifact) == [1, 2])
    let second = try await store.delete(.one(ids[1], account: nil))
    #expect(second == DeletionSummary(deleted: 1, bytesFreed: 2, stillRunning: []))
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    let error = await #expect(throws: AtelierError.self) { try await other.read(artifact) }
    #expect(error?.kind == .notFound)
  }

  @Test("an earlier result can be used again; one that was deleted meanwhile cannot, and nothing is stored")
  func storedSource() async throws {
    let store = try await fixture.open()
    let first = try await store.begin(fixture.acceptance())
    let artifact = try #require(try await store.succeed(first, with: [5]).finished?.images.first?.artifact)
    let cached = GenerationFile(index: 0, source: .stored(artifact), width: 4, height: 3)
    let second = try await store.begin(fixture.acceptance())
    let settlement = Settlement(id: second, state: .succeeded, files: [cached], isCached: true)
    let row = try await store.finish(settlement).finished
    #expect(row?.images.first?.artifact == artifact && row?.isCached == true)
    for id in [first, second] { _ = try await store.delete(.one(id, account: nil)) }
    let third = try await store.begin(fixture.acceptance())
    let error = await #expect(throws: AtelierError.self) {
      try await store.finish(Settlement(id: third, state: .succeeded, files: [cached]))
    }
    #expect(error?.kind == .notFound)
    #expect(try await store.generation(third, account: nil)?.state == .running)
  }

  @Test("an altered or missing file is an error, and a new result with the same content heals it")
  func healing() async throws {
    let store = try await fixture.open()
    let first = try await store.begin(fixture.acceptance())
    let artifact = try #require(try await store.succeed(first, with: [1, 2, 3]).finished?.images.first?.artifact)
    try write([1, 2, 4], to: artifact.file)
    #expect(await #expect(throws: AtelierError.self) { try await store.read(artifact) }?.kind == .internal)
    #expect(unlink(artifact.file) == 0)
    #expect(await #expect(throws: AtelierError.self) { try await store.read(artifact) }?.kind == .notFound)
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [1, 2, 3])
    #expect(try await store.read(artifact) == [1, 2, 3])
    try write([1], to: artifact.file)
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [1, 2, 3])
    #expect(try await store.read(artifact) == [1, 2, 3])
  }

  @Test("only the digest of an artifact leads to a file, never the path or type it is said to have")
  func untrustedPath() async throws {
    let store = try await fixture.open()
    try write([1], to: "\(fixture.temporary.path)/secret.bin")
    for digest in ["../../../secret", "", String(repeating: "g", count: 64), String(repeating: "A", count: 64)] {
      let artifact = StoredArtifact(
        sha256: digest, mimeType: "x", bytes: 1, path: "\(fixture.temporary.path)/secret.bin")
      #expect(await #expect(throws: AtelierError.self) { try await store.read(artifact) }?.kind == .notFound)
    }
  }

  @Test("a finish that fails leaves no half: it can be tried again with the same files")
  func retry() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    let good = try await store.stage([1], mimeType: "image/png")
    let images = [
      GenerationFile(index: 0, source: .staged(good), width: 4, height: 3),
      GenerationFile(index: 0, source: .staged(good), width: 4, height: 3),
    ]
    await #expect(throws: AtelierError.self) {
      try await store.finish(Settlement(id: id, state: .succeeded, files: images))
    }
    #expect(try await store.generation(id, account: nil)?.state == .running)
    #expect(try await store.recoverAndSweep().sweptFiles == 0)
    #expect(try await store.check().findings.isEmpty)
    let row = try await store.finish(Settlement(id: id, state: .succeeded, files: [images[0]])).finished
    #expect(row?.images.count == 1)
    #expect(try await store.read(good.artifact) == [1])
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("a file that another process came to refer to is not removed")
  func referredMeanwhile() async throws {
    let store = try await fixture.open()
    let other = try await fixture.open()
    let artifact = try #require(
      try await store.succeed(try await store.begin(fixture.acceptance()), with: [1]).finished?.images.first?.artifact)
    // As when its last row was deleted a moment before.
    #expect(try await other.removeUnreferenced([artifact.name]) == 0)
    #expect(try await store.read(artifact) == [1])
  }

  @Test(
    "a full disk is told as such, costs nothing that was stored, and is survived",
    .enabled(if: Mount.isPermitted, "mounting is not permitted here"))
  func fullDisk() async throws {
    let mount = try #require(try Mount(bytes: 2_097_152))
    let store = try await Store.open(
      directory: DataDirectory(path: "\(mount.path)/data"), surroundings: fixture.surroundings)
    let id = try await store.begin(fixture.acceptance())
    let staged = try await store.stage([1, 2], mimeType: "image/png")
    let ballast = "\(mount.path)/ballast"
    let descriptor = open(ballast, O_WRONLY | O_CREAT, 0o600)
    let zeros = [UInt8](repeating: 0, count: 4_096)
    while Glibc.write(descriptor, zeros, zeros.count) > 0 {}
    close(descriptor)
    let kinds = [
      await #expect(throws: AtelierError.self) {
        try await store.stage([UInt8](repeating: 7, count: 100_000), mimeType: "image/png")
      },
      await #expect(throws: AtelierError.self) {
        let prompt = String(repeating: "p", count: 8_000)
        for _ in 0..<2_000 { _ = try await store.accept(fixture.acceptance(prompt: prompt)) }
      },
      await #expect(throws: AtelierError.self) {
        try await store.finish(
          Settlement(
            id: id, state: .succeeded, files: [GenerationFile(index: 0, source: .staged(staged), width: 1, height: 1)],
            text: String(repeating: "t", count: 3_000_000)))
      },
    ].map { $0?.kind }
    #expect(kinds == [.storageFull, .storageFull, .storageFull])
    #expect(unlink(ballast) == 0)
    let outcome = try await store.finish(
      Settlement(
        id: id, state: .succeeded, files: [GenerationFile(index: 0, source: .staged(staged), width: 1, height: 1)]))
    #expect(outcome.finished?.images.count == 1)
    #expect(try await store.read(staged.artifact) == [1, 2])
    #expect(try await store.recoverAndSweep().interrupted.isEmpty)
    #expect(try await store.check().findings.isEmpty)
    await store.close()
  }
}
