import AtelierProtocol
import Support
import Testing

@testable import Store

@Suite("The end of a generation")
struct SettlementTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private func settlement(_ id: GenerationID, _ staged: StagedArtifact) -> Settlement {
    Settlement(
      id: id, state: .succeeded, files: [GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3)])
  }

  @Test("the answers of an acceptance and an end are what is read back", arguments: 0..<40 as Range<UInt64>)
  func answers(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let store = try await fixture.open()
    let acceptance = fixture.odd(using: &random)
    let accepted = try await store.accept(acceptance).row
    #expect(try await store.generation(acceptance.id, account: nil) == accepted, "seed \(seed)")
    _ = try await store.start(acceptance.id)
    let note = ProgressNote(phase: .preparing, message: "a", fraction: 0.25, sequence: 5)
    _ = try await store.note(note, for: acceptance.id)
    var staged: [StagedArtifact] = []
    for number in 0..<4 as Range<UInt8> {
      staged.append(try await store.stage([number], mimeType: ["image/png", "x/y"][Int(number) % 2]))
    }
    let settlement = Settlement.odd(acceptance.id, staged: staged, using: &random)
    let finished = try #require(try await store.finish(settlement).finished)
    #expect(try await store.generation(acceptance.id, account: nil) == finished, "seed \(seed)")
  }

  @Test("the end of several generations is recorded for all, or for none, and then their files are still the caller's")
  func several() async throws {
    let store = try await fixture.open()
    var settlements: [(settlement: Settlement, accepted: GenerationRow?)] = []
    for number in 0..<3 as Range<UInt8> {
      let id = try await store.begin(fixture.acceptance())
      settlements.append((settlement(id, try await store.stage([number], mimeType: "image/png")), nil))
    }
    let ids = settlements.map(\.settlement.id)
    var unfinished = settlements
    unfinished[1].settlement.state = .running
    #expect((await #expect(throws: AtelierError.self) { try await store.finish(unfinished) })?.kind == .internal)
    let rule = Trigger(
      "last_stays", .before, "UPDATE OF finished", on: "generation", when: "NEW.id = '\(ids[2].rawValue)'", .refuse("no"))
    try await store.write { try $0.add(rule) }
    #expect((await #expect(throws: AtelierError.self) { try await store.finish(settlements) })?.kind == .internal)
    for id in ids { #expect(try await store.generation(id, account: nil)?.state == .running) }
    try await store.write { try $0.remove(rule) }
    let outcomes = try await store.finish(settlements)
    #expect(outcomes.map(\.finished?.id) == ids)
    for (number, outcome) in outcomes.enumerated() {
      let artifact = try #require(outcome.finished?.images.first?.artifact)
      #expect(try await store.read(artifact) == [UInt8(number)])
    }
    #expect(try await store.finish([]).isEmpty)
  }

  @Test("the end of a generation is recorded with where it stood, unless a later note is there")
  func lastNote() async throws {
    let store = try await fixture.open()
    for (sequence, wins) in [(4, false), (5, false), (6, true)] as [(Int64, Bool)] {
      let id = try await store.begin(fixture.acceptance())
      _ = try await store.note(ProgressNote(phase: .uploading, message: "stored", fraction: 0.5, sequence: 5), for: id)
      let row = try await store.finish(
        Settlement(id: id, state: .failed, lastNote: ProgressNote(phase: .saving, message: "last", sequence: sequence))
      ).finished
      #expect(row?.message.text == (wins ? "last" : "stored") && row?.phase == (wins ? .saving : .uploading))
      #expect(row?.fraction == (wins ? nil : 0.5) && row?.sequence == (wins ? 6 : 5))
    }
  }

  @Test("the end keeps the photo when images were delivered and drops it otherwise", arguments: GenerationState.allCases)
  func prepared(state: GenerationState) async throws {
    guard GenerationState.endsOfWork.contains(state) else { return }
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna"))
    let photo = try await store.stage([1, 2], mimeType: "image/jpeg")
    let outcome = try await store.finish(
      Settlement(id: id, state: state, inputs: [keeping("prep_1", .staged(photo), for: id)]))
    #expect(outcome.finished != nil)
    if state == .succeeded || state == .partial {
      guard case .found(let input) = try await store.preparedInput(of: id) else {
        Issue.record("not kept")
        return
      }
      #expect(input.id == "prep_1" && input.account == "anna" && input.artifact == photo.artifact)
      #expect(try await store.read(input.artifact) == [1, 2])
    } else {
      #expect(try await store.preparedInput(of: id) == .notFound)
      #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    }
    #expect(fixture.temporary.files(below: "data/temporary").isEmpty)
    #expect(try await store.check().findings.isEmpty)
  }

  private func keeping(_ id: PreparedID, _ source: ArtifactSource, for generation: GenerationID?) -> PreparedKeeping {
    PreparedKeeping(id: id, account: "anna", generation: generation, source: source, width: 8, height: 9)
  }

  @Test("the end keeps a photo the store has without writing it again, for as long as anything refers to it")
  func storedPhoto() async throws {
    let store = try await fixture.open()
    let staged = try await store.stage([1, 2], mimeType: "image/jpeg")
    let first = try await store.keepPrepared(keeping("prep_1", .staged(staged), for: nil))
    let id = try await store.begin(fixture.acceptance("anna"))
    _ = try await store.finish(
      Settlement(id: id, state: .succeeded, inputs: [keeping("prep_2", .stored(first.artifact), for: id)]))
    let again = try await store.keepPrepared(keeping("prep_3", .stored(first.artifact), for: nil))
    #expect(again.artifact == first.artifact)
    #expect(fixture.temporary.files(below: "data/artifacts").count == 1)
    _ = try await store.delete(.one(id, account: nil))
    #expect(try await store.prepared("prep_2", account: nil) == .expired)
    #expect(try await store.read(first.artifact) == [1, 2])
    fixture.clock.advance(by: 90_000_000)
    #expect(try await store.eraseExpiredPrepared() == 2)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    let error = await #expect(throws: AtelierError.self) {
      try await store.keepPrepared(keeping("prep_4", .stored(first.artifact), for: nil))
    }
    #expect(error?.kind == .notFound)
  }

  @Test("the end delivers its images although the photo was erased meanwhile")
  func photoGone() async throws {
    let store = try await fixture.open()
    let staged = try await store.stage([1, 2], mimeType: "image/jpeg")
    let input = try await store.keepPrepared(keeping("prep_1", .staged(staged), for: nil))
    fixture.clock.advance(by: 90_000_000)
    try await store.eraseExpiredPrepared()
    let id = try await store.begin(fixture.acceptance("anna"))
    var settlement = settlement(id, try await store.stage([3], mimeType: "image/png"))
    settlement.inputs = [keeping("prep_2", .stored(input.artifact), for: id)]
    #expect(try await store.finish(settlement).finished?.images.count == 1)
    #expect(try await store.preparedInput(of: id) == .notFound)
  }

  @Test("the end keeps what the model said, by index, until the generation is deleted")
  func turns() async throws {
    let store = try await fixture.open()
    let other = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna"))
    let turns = [
      StoredTurn(index: 0, json: ["role": "model", "parts": [["thoughtSignature": "abc", "n": 1.50]]]),
      StoredTurn(index: 2, json: .string("a\u{0}b")),
    ]
    _ = try await store.finish(Settlement(id: id, state: .partial, turns: turns.reversed()))
    #expect(try await other.turns(of: id) == turns)
    #expect(try await other.turns(of: "gen_none").isEmpty)
    _ = try await store.delete(.one(id, account: nil))
    #expect(try await other.turns(of: id).isEmpty)
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("the end of a private generation keeps neither photo nor turns")
  func isPrivate() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna", isPrivate: true))
    var settlement = settlement(id, try await store.stage([3], mimeType: "image/png"))
    settlement.inputs = [keeping("prep_1", .staged(try await store.stage([4], mimeType: "image/jpeg")), for: id)]
    settlement.turns = [StoredTurn(index: 0, json: "a secret")]
    #expect(try await store.finish(settlement).finished?.images.count == 1)
    #expect(try await store.turns(of: id).isEmpty)
    #expect(try await store.preparedInput(of: id) == .notFound)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    #expect(fixture.temporary.files(below: "data/temporary").isEmpty)
  }

  @Test("an end that comes too late leaves nothing of what came with it", arguments: [true, false])
  func tooLate(isDeleted: Bool) async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna"))
    _ = try await store.cancel(id, account: nil)
    if isDeleted { _ = try await store.delete(.one(id, account: nil)) }
    var settlement = settlement(id, try await store.stage([3], mimeType: "image/png"))
    settlement.inputs = [keeping("prep_1", .staged(try await store.stage([4], mimeType: "image/jpeg")), for: id)]
    settlement.turns = [StoredTurn(index: 0, json: 1)]
    settlement.lastNote = ProgressNote(phase: .saving, message: "late", sequence: 99)
    #expect(try await store.finish(settlement).finished == nil)
    #expect(try await store.turns(of: id).isEmpty)
    #expect(try await store.generation(id, account: nil)?.message.text ?? "" == "")
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    #expect(fixture.temporary.files(below: "data/temporary").isEmpty)
  }

  @Test("the end names the provider that served, which need not be the one foreseen")
  func servedElsewhere() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    _ = try await store.finish(Settlement(id: id, state: .succeeded, provider: .openai, model: "another"))
    let entry = try await store.history(HistoryFilter(), limit: 1).entries.first
    #expect(entry?.provider == .openai && entry?.model == "another" && entry?.promptVersion == "3")
  }
}
