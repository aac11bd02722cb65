import AtelierProtocol
import Encodings
import Foundation
import GRDB
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("How a generation ends", .timeLimit(.minutes(3)))
struct EndingTests {
  @Test("a detached one is announced exactly once, with what status and history say")
  func detached() async throws {
    let gate = Gate()
    let engine = try ServiceFixture().engine([ScriptedProvider(waitingAt: gate)])
    let answer = try await engine.generations.generate(.picture(detach: true), for: Caller())
    #expect(answer.generationId == "gen_1" && answer.state == .queued && answer.startedAt == nil)
    #expect(answer.progress?.phase == .queued && answer.progress?.overall == 0 && answer.images.isEmpty)
    await gate.hasSeen()
    gate.open()
    await engine.announcements.finish()
    let finished = try #require(engine.announcements.finished.first)
    #expect(finished.state == .succeeded)
    #expect(finished.error == nil)
    #expect(try await engine.status("gen_1")?.result == finished.result)
    #expect(try await engine.entry("gen_1")?.images == finished.result?.images)
    await engine.leave()
    #expect(engine.announcements.finished.count == 1)
  }

  @Test("a detached one that is cancelled, or fails, is announced exactly once", arguments: [true, false])
  func detachedWithoutPicture(isCancelled: Bool) async throws {
    let gate = Gate()
    let engine = try ServiceFixture().engine([
      ScriptedProvider { _, _ in
        try await gate.pass()
        throw AtelierError(.contentBlocked, provider: "scripted")
      }
    ])
    _ = try await engine.generations.generate(.picture(detach: true), for: Caller())
    await gate.hasSeen()
    if isCancelled { _ = try await engine.cancel("gen_1") } else { gate.open() }
    await engine.announcements.finish()
    await engine.leave()
    #expect(engine.announcements.finished.count == 1)
    let finished = try #require(engine.announcements.finished.first)
    #expect(finished.state == (isCancelled ? .cancelled : .failed))
    #expect(finished.result?.state == (isCancelled ? .cancelled : nil))
    #expect(finished.error?.data.kind == (isCancelled ? nil : "content_blocked"))
    #expect(finished.error?.data.generationId == (isCancelled ? nil : "gen_1"))
  }

  @Test("a generation with some of its pictures is partial and says what failed")
  func partial() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([
      ScriptedProvider { request, _ in
        guard request.variation != 1 else { throw AtelierError(.contentBlocked, provider: "scripted") }
        return try ScriptedProvider.picture()
      }
    ])
    let result = try #require(try await engine.generations.generate(.picture(count: 3), for: Caller()).result)
    #expect(result.state == .partial)
    #expect(result.images.map(\.index) == [0, 2])
    #expect(result.failures.map(\.index) == [1])
    #expect(result.failures.first?.error.data.kind == "content_blocked")
    #expect(result.failures.first?.error.data.generationId == "gen_1")
    #expect(result.usage.inputTokens == 6)
    let entry = try #require(try await engine.entry("gen_1"))
    #expect(entry.state == .partial)
    #expect(entry.images.count == 2)
    await engine.leave()
  }

  @Test("a generation without any picture fails with the first error")
  func nothing() async throws {
    let engine = try ServiceFixture().engine([
      ScriptedProvider { request, _ in
        throw AtelierError(request.variation == 0 ? .contentBlocked : .noImageReturned, provider: "scripted")
      }
    ])
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(.picture(count: 2), for: Caller())
    }
    #expect(error?.kind == .contentBlocked)
    #expect(error?.generationId == "gen_1")
    #expect(try await engine.entry("gen_1")?.state == .failed)
    #expect(try await engine.entry("gen_1")?.error?.data.kind == "content_blocked")
    await engine.leave()
  }

  @Test("a generation is timed out after the time the request allows, and the provider's work is cancelled")
  func timedOut() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let engine = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let task = engine.generate(.picture(timeoutMs: 5_000))
    await gate.hasSeen()
    await fixture.clock.someoneSleeps(for: .milliseconds(5_000))
    fixture.clock.advance(by: .milliseconds(4_999))
    #expect(try await engine.status("gen_1")?.state == .running)
    fixture.clock.advance(by: .milliseconds(1))
    let error = await #expect(throws: AtelierError.self) { try await task.value }
    #expect(error?.kind == .timedOut)
    #expect(error?.generationId == "gen_1")
    #expect(error?.details["timeoutMs"] == 5000)
    #expect(try await engine.entry("gen_1")?.state == .failed)
    await engine.leave()
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
  }

  @Test("a private one leaves neither words nor pictures", arguments: [true, false])
  func isPrivate(isCancelled: Bool) async throws {
    let fixture = try ServiceFixture()
    let folder = try fixture.temporary.makeFolder("out")
    let gate = Gate(isOpen: !isCancelled)
    let engine = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let task = engine.generate(
      .picture("a secret garden", directory: folder, inline: true, key: "k", private: true))
    if isCancelled {
      await gate.hasSeen()
      _ = try await engine.cancel("gen_1")
    }
    let result = try #require(try await task.value.result)
    #expect(result.images.first?.data == (isCancelled ? nil : Base64.encoded(try ScriptedProvider.picture().bytes)))
    let entry = try #require(try await engine.entry("gen_1"))
    #expect(entry.prompt == nil)
    #expect(entry.thumbnail == nil)
    await engine.leave()
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    #expect(fixture.temporary.files(below: "data/temporary").isEmpty)
    #expect(fixture.temporary.files(below: "out").count == (isCancelled ? 0 : 1))
    for name in fixture.temporary.files(below: "data") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(fixture.directory.path)/\(name)"))
      #expect(bytes.range(of: Data("secret garden".utf8)) == nil, "\(name)")
    }
  }

  @Test("a private one's picture is never written, not even for a moment", arguments: [true, false])
  func privateIsNotWritten(isPrivate: Bool) async throws {
    let fixture = try ServiceFixture()
    let folder = "\(fixture.directory.path)/temporary"
    // A picture that is written anywhere in the data directory makes the folder again.
    let provider = ScriptedProvider { _, _ in
      try FileManager.default.removeItem(atPath: folder)
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([provider])
    let result = try await engine.generations.generate(.picture(inline: true, private: isPrivate), for: Caller())
    #expect(result.images.first?.data == Base64.encoded(try ScriptedProvider.picture().bytes))
    #expect(FileManager.default.fileExists(atPath: folder) == !isPrivate)
    await engine.leave()
  }

  @Test("a private one's picture is nobody's photo afterwards")
  func privateIsNotKept() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider()])
    _ = try await engine.generations.generate(.picture(inline: true, private: true), for: Caller())
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(
        Generate(recipe: .headshot, image: .generation("gen_1", index: 0)), for: Caller())
    }
    #expect(error?.kind == .notFound)
    #expect(error?.message.contains("private") == true)
    await engine.leave()
  }
}

@Suite("The output directory", .timeLimit(.minutes(3)))
struct OutputDirectoryTests {
  @Test("the output directory gets copies under new names; nothing in it is overwritten")
  func neverOverwrites() async throws {
    let fixture = try ServiceFixture()
    let folder = try fixture.temporary.makeFolder("out")
    let mine = Data("mine".utf8)
    for name in ["create-gen_1.png", "create-gen_2-0.png", "create-gen_2-0-2.png"] {
      try mine.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    let engine = try fixture.engine([ScriptedProvider()])
    let one = try #require(try await engine.generations.generate(.picture(directory: folder), for: Caller()).result)
    #expect(one.images.map(\.path) == ["\(folder)/create-gen_1-2.png"])
    let two = try #require(
      try await engine.generations.generate(.picture(count: 2, directory: folder), for: Caller()).result)
    #expect(two.images.map(\.path) == ["\(folder)/create-gen_2-0-3.png", "\(folder)/create-gen_2-1.png"])
    for image in one.images + two.images {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: try #require(image.path)))
      #expect([UInt8](bytes) == (try ScriptedProvider.picture().bytes))
      // Beside the host's copy the service names its own file.
      let stored = try #require(image.storedPath)
      #expect(stored.hasPrefix(fixture.directory.path) && stored != image.path)
      #expect(try Data(contentsOf: URL(fileURLWithPath: stored)) == bytes)
    }
    #expect(try await engine.entry("gen_1")?.images == one.images)
    let uncopied = try await engine.generations.generate(.picture("another"), for: Caller()).result?.images.first
    #expect(uncopied?.path != nil && uncopied?.storedPath == nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/create-gen_1.png")) == mine)
    #expect(fixture.temporary.files(below: "out").count == 6, "a temporary file was left")
    await engine.leave()
  }

  @Test(
    "an output directory that is missing, or a file, is refused before anything is accepted", arguments: ["missing", "file"])
  func refused(name: String) async throws {
    let fixture = try ServiceFixture()
    try Data().write(to: URL(fileURLWithPath: "\(fixture.temporary.path)/file"))
    let provider = ScriptedProvider()
    let engine = try fixture.engine([provider])
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(.picture(directory: "\(fixture.temporary.path)/\(name)"), for: Caller())
    }
    #expect(error?.kind == .fileAccessDenied)
    #expect(error?.generationId == nil)
    #expect(provider.requests.isEmpty)
    #expect(try await engine.entry("gen_1") == nil)
    await engine.leave()
  }

  @Test("an output directory that disappears meanwhile is an error, and nothing is kept")
  func disappears() async throws {
    let fixture = try ServiceFixture()
    let folder = try fixture.temporary.makeFolder("out")
    let gate = Gate()
    let engine = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let task = engine.generate(.picture(directory: folder))
    await gate.hasSeen()
    try FileManager.default.removeItem(atPath: folder)
    gate.open()
    let error = await #expect(throws: AtelierError.self) { try await task.value }
    #expect(error?.kind == .fileAccessDenied)
    #expect(try await engine.entry("gen_1")?.state == .failed)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    #expect(fixture.temporary.files(below: "data/temporary").isEmpty)
    await engine.leave()
  }

  @Test("pictures whose end can never be recorded are handed over, and in the output directory; the record follows")
  func finishFails() async throws {
    let fixture = try ServiceFixture()
    let folder = try fixture.temporary.makeFolder("out")
    let gate = Gate()
    let engine = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let task = engine.generate(.picture(count: 2, directory: folder, key: "k"))
    await gate.hasSeen()
    let database = try DatabaseQueue(beside: fixture.directory)
    try await database.write { database in
      try database.execute(
        sql: """
          CREATE TRIGGER no_end BEFORE UPDATE ON generation WHEN NEW.finished IS NOT NULL
          BEGIN SELECT RAISE(ABORT, 'no'); END
          """)
    }
    gate.open()
    let result = try await task.value
    #expect(result.state == .failed && result.error?.data.kind == "internal")
    #expect(result.generationId == "gen_1")
    #expect(result.images.count == 2 && result.images.allSatisfy { $0.data != nil })
    #expect(fixture.temporary.files(below: "out").count == 2)
    #expect(fixture.temporary.files(below: "data/temporary").isEmpty)

    try await database.write { try $0.execute(sql: "DROP TRIGGER no_end") }
    try await fixture.heartbeats { try await engine.row("gen_1")?.state == .failed }
    #expect(try await engine.entry("gen_1")?.images == [])
    let again = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(.picture(count: 2, directory: folder, key: "k"), for: Caller())
    }
    #expect(again?.kind == .internal && again?.isRetryable == false)
    await engine.leave()
  }
}

