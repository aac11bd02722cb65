import AtelierProtocol
import Testing

@testable import Store

@Suite("Erased data can be found nowhere")
struct ErasureTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private func marker(_ name: String) -> [UInt8] { Array("unmistakable-\(name)".utf8) }

  @Test("no byte of a prepared input can be found a day later, whoever it was prepared for")
  func inputs() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna"))
    let image = try await store.stage(marker("result"), mimeType: "image/png")
    let input = try await store.stage(marker("input"), mimeType: "image/jpeg")
    _ = try await store.finish(
      Settlement(
        id: id, state: .succeeded, files: [GenerationFile(index: 0, source: .staged(image), width: 1, height: 1)],
        inputs: [PreparedKeeping(id: "prep_1", account: "anna", generation: id, artifact: input, width: 1, height: 1)]))
    let own = try await store.stage(marker("own"), mimeType: "image/jpeg")
    _ = try await store.keepPrepared(
      PreparedKeeping(id: "prep_2", account: "bert", artifact: own, width: 1, height: 1))
    #expect(try await store.nextExpiry() == Timestamp(milliseconds: fixture.clock.now.milliseconds + 86_400_000))
    fixture.clock.advance(by: 86_399_999)
    try await store.tidy()
    #expect(try !traces(of: marker("input"), in: fixture).isEmpty && !traces(of: marker("own"), in: fixture).isEmpty)
    fixture.clock.advance(by: 1)
    try await store.tidy()
    #expect(try traces(of: marker("input"), in: fixture).isEmpty && traces(of: marker("own"), in: fixture).isEmpty)
    #expect(try !traces(of: marker("result"), in: fixture).isEmpty)
    for prepared in ["prep_1", "prep_2"] as [PreparedID] {
      #expect(try await store.prepared(prepared, account: nil) == .expired)
    }
    #expect(try await store.preparedInput(of: id) == .expired)
    #expect(try await store.nextExpiry() == nil)
    fixture.clock.advance(by: 31 * 86_400_000)
    try await store.confirmClock()
    try await store.tidy()
    #expect(try await store.prepared("prep_1", account: nil) == .notFound)
  }

  @Test("no byte of an account's pictures, thumbnails, inputs, words or remarks can be found after its deletion")
  func everything() async throws {
    let store = try await fixture.open()
    // What is in tables is in no file where those are on a server.
    let inTables = TestDatabase.isUsed ? [] : ["prompt", "text", "opinion", "note", "model"]
    let names = ["picture", "thumbnail", "input"] + inTables
    for number in 0..<40 {
      let id = try await store.begin(
        fixture.acceptance("anna", prompt: String(decoding: marker("prompt"), as: UTF8.self) + " \(number)"))
      let image = try await store.stage(marker("picture") + [UInt8(number)], mimeType: "image/png")
      let thumbnail = try await store.stage(marker("thumbnail") + [UInt8(number)], mimeType: "image/png")
      let input = try await store.stage(marker("input") + [UInt8(number)], mimeType: "image/png")
      _ = try await store.finish(
        Settlement(
          id: id, state: .succeeded,
          files: [GenerationFile(source: .staged(image), width: 1, height: 1), .thumbnail(thumbnail)],
          text: "unmistakable-text",
          inputs: [
            PreparedKeeping(
              id: PreparedID(rawValue: "prep_\(number)"), account: "anna", generation: id, artifact: input, width: 1,
              height: 1)
          ], turns: [StoredTurn(index: 0, json: "unmistakable-model")]))
      _ = try await store.keepFeedback(rating: 1, text: "unmistakable-opinion", of: id, account: nil)
      _ = try await store.annotate(id, metadata: ["a": "unmistakable-note"], isFavorite: true, account: nil)
    }
    for name in names { #expect(try !traces(of: marker(name), in: fixture).isEmpty, "\(name)") }
    _ = try await store.begin(fixture.acceptance("bert"))
    let summary = try await store.delete(.all(account: "anna"))
    #expect(summary.deleted == 40 && summary.stillRunning.isEmpty)
    for name in names { #expect(try traces(of: marker(name), in: fixture) == [], "\(name)") }
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("the pages that a reader kept in the log are gone when it has ended, at the next tidying", .onlySQLite)
  func reader() async throws {
    let store = try await fixture.open()
    for _ in 0..<10 {
      _ = try await store.finish(
        Settlement(
          id: try await store.begin(fixture.acceptance("anna", prompt: "unmistakable-prompt")), state: .failed))
    }
    let other = try await fixture.open()
    _ = try await other.number("SELECT count(*) FROM generation")
    let gate = Pause()
    let reading = Task {
      try await other.read { session in
        _ = try session.rows("SELECT count(*) FROM generation")
        gate.wait()
      }
    }
    await gate.reached()
    _ = try await store.delete(.all(account: "anna"))
    #expect(try !traces(of: marker("prompt"), in: fixture).isEmpty)
    gate.open()
    try await reading.value
    try await store.tidy()
    #expect(try traces(of: marker("prompt"), in: fixture).isEmpty)
  }

  @Test("deleting all goes on where another process was broken off, and leaves alone what is begun meanwhile")
  func brokenOff() async throws {
    let store = try await fixture.open()
    for number in 0..<30 as Range<UInt8> {
      try await store.succeed(try await store.begin(fixture.acceptance("anna")), with: [number])
    }
    // As a process that dies after some of its transactions leaves it: rows are gone, their files are not.
    try await store.write { session in
      try session.run("DELETE FROM generation WHERE id IN (SELECT id FROM generation ORDER BY id LIMIT 11)")
      try session.run("DELETE FROM artifact WHERE name NOT IN (SELECT artifact FROM generation_file)")
    }
    let running = try await store.begin(fixture.acceptance("anna"))
    let summary = try await store.delete(.all(account: "anna"))
    #expect(summary.deleted == 19 && summary.stillRunning == [running])
    #expect(fixture.temporary.files(below: "data/artifacts").count == 11)
    store.leftFiles.store(true, ordering: .relaxed)
    #expect(try await store.recoverAndSweep().sweptFiles == 11)
    #expect(try await store.check().findings.isEmpty)
  }
}
