import AtelierProtocol
import StatementCounting
import Testing

@testable import Store

@Suite("Generations")
struct GenerationTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test("an accepted generation is queued, owned by this process and read back as it was handed over")
  func accepts() async throws {
    let store = try await fixture.open()
    let acceptance = fixture.acceptance("anna", key: "k")
    guard case .accepted(let row) = try await store.accept(acceptance) else {
      Issue.record("not accepted")
      return
    }
    #expect(row.id == acceptance.id)
    #expect(row.account == "anna")
    #expect(row.process == store.process)
    #expect(row.state == .queued)
    #expect(row.phase == .queued)
    #expect(row.created == fixture.clock.now)
    #expect(row.started == nil && row.finished == nil)
    #expect(row.request == acceptance.request)
    #expect(row.prompt == "a lighthouse")
    #expect(row.paramsHash == acceptance.paramsHash)
    #expect(row.metadata == ["ticket": 12])
    #expect(row.provider == .gemini && row.model == "a-model" && row.promptVersion == "3")
    #expect(try await store.generation(acceptance.id, account: nil) == row)
    #expect(try await store.generation(acceptance.id, account: "anna") == row)
    #expect(try await store.generation(acceptance.id, account: "bert") == nil)
    #expect(try await store.generation(idempotencyKey: "k", account: "anna") == row)
    #expect(try await store.generation(idempotencyKey: "k", account: "bert") == nil)
    #expect(try await store.running(account: "anna") == [row])
    #expect(try await store.running(account: nil) == [row])
    #expect(try await store.running(account: "bert").isEmpty)
  }

  @Test("a finished generation has everything its settlement said")
  func finishes() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    fixture.clock.advance(by: 900)
    let image = try await store.stage([1, 2, 3], mimeType: "image/png")
    let thumbnail = try await store.stage([9], mimeType: "image/jpeg")
    let failure = ImageFailure(
      index: 1, view: "left", error: AtelierError(.noImageReturned).body(at: fixture.clock.now))
    let outcome = try await store.finish(
      Settlement(
        id: id, state: .partial,
        files: [
          GenerationFile(
            view: "front", source: .staged(image), width: 4, height: 3, outputPath: "/out/1.png", credits: 1),
          .thumbnail(thumbnail),
        ],
        text: "words", places: DeliveredPlaces(
          places: [
            Place(name: "Bar", streetAddress1: "Street 1", city: "Rome", source: .geocoder, verifiedAt: fixture.clock.now)
          ], dropped: DroppedPlaces(count: 1, names: ["Invented"])),
        provider: .ondevice, model: "other", promptVersion: "4", isCached: true,
        usage: Usage(inputTokens: 5, outputTokens: 6, costUsd: 0.25), timings: Timings(queuedMs: 1, totalMs: 900),
        warnings: [Warning(kind: "tight_crop", message: "Close.")], failures: [failure]))
    let row = try #require(outcome.finished)
    #expect(row.state == .partial)
    #expect(row.finished == fixture.clock.now)
    #expect(row.images.count == 1)
    let stored = try #require(row.images.first)
    #expect(stored.view == "front" && stored.width == 4 && stored.height == 3 && stored.outputPath == "/out/1.png")
    #expect(stored.artifact == image.artifact)
    #expect(stored.sha256 == "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81")
    #expect(row.thumbnail == thumbnail.artifact)
    #expect(row.text == "words" && row.places?.first?.city == "Rome" && row.dropped?.names == ["Invented"])
    #expect(row.provider == .ondevice && row.model == "other" && row.promptVersion == "4" && row.isCached)
    #expect(row.usage == Usage(inputTokens: 5, outputTokens: 6, costUsd: 0.25))
    #expect(row.timings == Timings(queuedMs: 1, totalMs: 900))
    #expect(row.warnings == [Warning(kind: "tight_crop", message: "Close.")])
    #expect(row.failures == [failure])
    #expect(row.creditsCharged == 0, "nothing is charged to who is not metered")
    #expect(try await store.generation(id, account: nil) == row)
    #expect(try await store.read(image.artifact) == [1, 2, 3])
    #expect(fixture.temporary.files(below: "data/temporary").isEmpty)
  }

  @Test("a failure keeps its error")
  func failureKeepsError() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    let error = AtelierError(
      .rateLimited, "Wait.", retryAfterMs: 1500, provider: .gemini, details: ["scope": "minute", "nul": "a\u{0}b"])
    let outcome = try await store.finish(Settlement(id: id, state: .failed, error: error))
    var expected = error
    expected.generationId = id
    #expect(outcome.finished?.error == expected)
  }

  @Test("a state that is not final is refused as an end")
  func refusesOpenEnd() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    for state in GenerationState.allCases where !state.isFinal {
      await #expect(throws: AtelierError.self) { try await store.finish(Settlement(id: id, state: state)) }
    }
    #expect(try await store.generation(id, account: nil)?.state == .running)
  }

  @Test("a generation ends once: whatever comes after leaves it as it was", arguments: GenerationState.allCases)
  func endsOnce(state: GenerationState) async throws {
    guard GenerationState.endsOfWork.contains(state) else { return }
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    let first = try #require(try await store.finish(Settlement(id: id, state: state)).finished)
    for next in GenerationState.allCases where next.isFinal {
      let staged = try await store.stage([4, 5], mimeType: "image/png")
      let outcome = try await store.finish(
        Settlement(
          id: id, state: next, files: [GenerationFile(index: 0, source: .staged(staged), width: 1, height: 1)]))
      #expect(outcome == .alreadyFinal(first))
    }
    #expect(fixture.temporary.files(below: "data/temporary").isEmpty)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    #expect(try await store.start(id) == .ended(state))
    #expect(
      try await store.note(ProgressNote(phase: .saving, message: "late", sequence: 99), for: id) == .ended(state))
    let cancelled = try await store.cancel(id, account: nil)
    #expect(cancelled == (state == .cancelled ? .alreadyCancelled(first) : .alreadyFinished(first)))
    #expect(try await store.generation(id, account: nil) == first)
  }

  @Test("an unknown generation can be neither finished, started, noted nor cancelled")
  func unknown() async throws {
    let store = try await fixture.open()
    #expect(try await store.finish(Settlement(id: "gen_none", state: .failed)) == .deleted)
    #expect(try await store.start("gen_none") == .ended(nil))
    let note = ProgressNote(phase: .saving, message: "", sequence: 1)
    #expect(try await store.note(note, for: "gen_none") == .ended(nil))
    #expect(try await store.cancel("gen_none", account: nil) == .notFound)
    #expect(try await store.generation("gen_none", account: nil) == nil)
  }

  @Test("cancelling ends what is queued or running, the same way again, and for its account only")
  func cancels() async throws {
    let store = try await fixture.open()
    for isStarted in [false, true] {
      let acceptance = fixture.acceptance("anna")
      _ = try await store.accept(acceptance)
      if isStarted { #expect(try await store.start(acceptance.id) == .goOn) }
      #expect(try await store.cancel(acceptance.id, account: "bert") == .notFound)
      guard case .cancelled(let row) = try await store.cancel(acceptance.id, account: "anna") else {
        Issue.record("not cancelled")
        return
      }
      #expect(row.state == .cancelled && row.finished == fixture.clock.now)
      #expect(try await store.cancel(acceptance.id, account: nil) == .alreadyCancelled(row))
    }
  }

  @Test("notes are seen by others, rise strictly and hold a fraction from 0 to 1")
  func notes() async throws {
    let store = try await fixture.open()
    let other = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    func seen() async throws -> GenerationRow { try #require(try await other.generation(id, account: nil)) }
    let table: [(note: ProgressNote, message: String, fraction: Double?)] = [
      (ProgressNote(phase: .uploading, message: "half", fraction: 0.5, sequence: 2), "half", 0.5),
      (ProgressNote(phase: .preparing, message: "older", fraction: 0.1, sequence: 1), "half", 0.5),
      (ProgressNote(phase: .preparing, message: "same", fraction: 0.1, sequence: 2), "half", 0.5),
      (ProgressNote(phase: .uploading, message: "over", fraction: 7, sequence: 3), "over", 1),
      (ProgressNote(phase: .uploading, message: "under", fraction: -7, sequence: 4), "under", 0),
      (ProgressNote(phase: .processing, message: "none", fraction: .nan, sequence: 5), "none", nil),
    ]
    for (note, message, fraction) in table {
      #expect(try await store.note(note, for: id) == .goOn)
      #expect(try await seen().message.text == message)
      #expect(try await seen().fraction == fraction)
    }
    #expect(try await seen().phase == .processing)
    let theirs = ProgressNote(phase: .saving, message: "theirs", sequence: 9)
    #expect(try await other.note(theirs, for: id) == .ended(.running))
    #expect(try await seen().message == "none")
  }

  @Test("notes of all that runs are one transaction, which tells what ended elsewhere")
  func manyNotes() async throws {
    let store = try await fixture.open()
    let other = try await fixture.open()
    var ids: [GenerationID] = []
    for _ in 0..<6 { ids.append(try await store.begin(fixture.acceptance())) }
    let theirs = try await other.begin(fixture.acceptance())
    _ = try await other.cancel(ids[1], account: nil)
    _ = try await other.cancel(ids[4], account: nil)
    _ = try await other.delete(.one(ids[4], account: nil))
    let counter = StatementCounter()
    counter.attach(to: store)
    let note = ProgressNote(phase: .processing, message: "going on", fraction: 0.75, sequence: 3)
    let notes = Dictionary(uniqueKeysWithValues: (ids + [theirs, "gen_none"]).map { ($0, note) })
    #expect(try await store.note(notes) == [ids[1], ids[4], theirs, "gen_none"])
    #expect(counter.transactions == 1)
    for id in [ids[0], ids[2], ids[3], ids[5]] {
      let row = try await other.generation(id, account: nil)
      #expect(row?.message == "going on" && row?.fraction == 0.75 && row?.sequence == 3)
    }
    #expect(try await other.generation(theirs, account: nil)?.message == "")
    #expect(try await store.note([:]) == [])
  }

  @Test("a process learns from its next note that another process cancelled, and its finish stores nothing")
  func cancelledElsewhere() async throws {
    let store = try await fixture.open()
    let other = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    _ = try await other.cancel(id, account: nil)
    #expect(try await store.note(ProgressNote(phase: .saving, message: "", sequence: 1), for: id) == .ended(.cancelled))
    let outcome = try await store.succeed(id, with: [1])
    guard case .alreadyFinal(let row) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(row.state == .cancelled && row.images.isEmpty)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    _ = try await other.delete(.one(id, account: nil))
    #expect(try await store.succeed(id, with: [1]) == .deleted)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
  }

  @Test("a settlement is stored although the task that asks for it is cancelled")
  func survivesCancellation() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      #expect(Task.isCancelled)
      return try await store.finish(Settlement(id: id, state: .cancelled))
    }
    #expect(try await task.value.finished?.state == .cancelled)
  }

  @Test("a private generation keeps neither prompt nor images, and is not taken over")
  func keepsNothingPrivate() async throws {
    let store = try await fixture.open()
    let secret = "a very secret text"
    let acceptance = fixture.acceptance(prompt: secret, isPrivate: true, isRequeueable: true)
    let id = try await store.begin(acceptance)
    let staged = try await store.stage([6, 6, 6], mimeType: "image/png")
    let outcome = try await store.finish(
      Settlement(
        id: id, state: .succeeded,
        files: [
          GenerationFile(source: .staged(staged), width: 4, height: 3, outputPath: "/out/a.png"), .thumbnail(staged),
        ],
        text: secret, places: DeliveredPlaces(
          places: [Place(name: secret, streetAddress1: "", city: "", source: .host, verifiedAt: fixture.clock.now)],
          dropped: DroppedPlaces(count: 1, names: [secret]))))
    let row = try #require(outcome.finished)
    #expect(row.prompt == nil && row.text == nil && row.places == [] && row.thumbnail == nil)
    #expect(row.request["prompt"] == nil)
    #expect(!row.isRequeueable)
    #expect(row.images.map(\.outputPath) == ["/out/a.png"])
    #expect(row.images.map(\.bytes) == [3])
    #expect(row.images.allSatisfy { $0.artifact == nil })
    await store.close()
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    #expect(fixture.temporary.files(below: "data/temporary").isEmpty)
    for file in fixture.temporary.files() {
      let text = String(decoding: try contents(of: "\(fixture.temporary.path)/\(file)"), as: UTF8.self)
      #expect(!text.contains(secret), "\(file)")
    }
  }

  @Test("texts in any script are kept, and a zero character cuts nothing short")
  func texts() async throws {
    let store = try await fixture.open()
    for prompt in ["短髪にしてください 💇🏽‍♀️", "मुझे", "pelo «corto»", "a\u{0}b", "", "'; DROP TABLE generation; --"] {
      let row = try await store.accept(fixture.acceptance(prompt: prompt)).row
      #expect(row.prompt == prompt.replacing("\u{0}", with: "\u{FFFD}"))
      #expect(row.request["prompt"]?.string == prompt)
    }
    _ = try await store.accept(fixture.acceptance("anna", key: "k"))
    await #expect(throws: AtelierError.self) {
      try await store.generation(idempotencyKey: "k\u{0}x", account: "anna")
    }
    await #expect(throws: AtelierError.self) { try await store.running(account: "anna\u{0}x") }
    await #expect(throws: AtelierError.self) { try await store.accept(fixture.acceptance("anna\u{0}x")) }
  }

  @Test("only the process that accepted it may start it, and its start is not told to another")
  func startOfAnother() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    let acceptance = fixture.acceptance()
    _ = try await store.accept(acceptance)
    #expect(try await other.start(acceptance.id) == .ended(.queued))
    let row = try #require(try await store.generation(acceptance.id, account: nil))
    #expect(row.state == .queued && row.process == store.process && row.started == nil)
    #expect(try await store.start(acceptance.id) == .goOn)
    #expect(try await other.start(acceptance.id) == .ended(.running))
    await other.close()
    await store.close()
  }
}
