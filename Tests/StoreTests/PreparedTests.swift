import AtelierProtocol
import Testing

@testable import Store

@Suite("Prepared inputs")
struct PreparedTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  func keep(_ id: PreparedID, _ bytes: [UInt8], in store: Store, lifetimeMs: Int64 = 86_400_000) async throws
    -> PreparedInput
  {
    let staged = try await store.stage(bytes, mimeType: "image/jpeg")
    return try await store.keepPrepared(
      PreparedKeeping(id: id, account: "anna", artifact: staged, width: 8, height: 9, lifetimeMs: lifetimeMs))
  }

  @Test("prepared inputs are found by their account until their time is over, then known as expired, at last forgotten")
  func life() async throws {
    let store = try await fixture.open()
    let input = try await keep("prep_1", [1, 2], in: store)
    #expect(input.expires.milliseconds - input.created.milliseconds == 86_400_000)
    #expect(try await store.prepared("prep_1", account: "anna") == .found(input))
    #expect(try await store.prepared("prep_1", account: nil) == .found(input))
    #expect(try await store.prepared("prep_1", account: "bert") == .notFound)
    #expect(try await store.prepared("prep_2", account: "anna") == .notFound)
    #expect(try await store.read(input.artifact) == [1, 2])
    fixture.clock.advance(by: 86_399_999)
    #expect(try await store.eraseExpiredPrepared() == 0)
    #expect(try await store.prepared("prep_1", account: "anna") == .found(input))
    fixture.clock.advance(by: 1)
    #expect(try await store.prepared("prep_1", account: "anna") == .expired)
    #expect(try await store.eraseExpiredPrepared() == 1)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    #expect(try await store.prepared("prep_1", account: "anna") == .expired)
    #expect(try await store.prepared("prep_1", account: "bert") == .notFound)
    fixture.clock.advance(by: 31 * 86_400_000)
    try await store.confirmClock()
    #expect(try await store.eraseExpiredPrepared() == 0)
    #expect(try await store.prepared("prep_1", account: "anna") == .notFound)
  }

  @Test("a lifetime of nothing keeps nothing", arguments: [0, -5] as [Int64])
  func notKept(lifetimeMs: Int64) async throws {
    let store = try await fixture.open()
    let input = try await keep("prep_1", [1], in: store, lifetimeMs: lifetimeMs)
    #expect(input.expires == input.created)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    #expect(fixture.temporary.files(below: "data/temporary").isEmpty)
    #expect(try await store.prepared("prep_1", account: "anna") == .expired)
  }

  @Test("an endless lifetime does not overflow")
  func endless() async throws {
    let store = try await fixture.open()
    let input = try await keep("prep_1", [1], in: store, lifetimeMs: .max)
    #expect(input.expires.milliseconds == .max)
    #expect(try await store.prepared("prep_1", account: "anna") == .found(input))
  }

  @Test("erasing one leaves content that a result shares")
  func sharedContent() async throws {
    let store = try await fixture.open()
    let input = try await keep("prep_1", [1, 2], in: store)
    let id = try await store.begin(fixture.acceptance())
    let staged = try await store.stage([1, 2], mimeType: "image/jpeg")
    _ = try await store.finish(
      Settlement(
        id: id, state: .succeeded, files: [GenerationFile(index: 0, source: .staged(staged), width: 1, height: 1)]))
    fixture.clock.advance(by: 90_000_000)
    #expect(try await store.eraseExpiredPrepared() == 1)
    #expect(try await store.read(input.artifact) == [1, 2])
    _ = try await store.delete(.one(id, account: nil))
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
  }

  @Test("an input that a generation was made from is found by it, and goes with it")
  func ofGeneration() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna"))
    #expect(try await store.preparedInput(of: id) == .notFound)
    var kept: [PreparedInput] = []
    for number in 1...2 as ClosedRange<UInt8> {
      let staged = try await store.stage([number], mimeType: "image/jpeg")
      kept.append(
        try await store.keepPrepared(
          PreparedKeeping(
            id: PreparedID(rawValue: "prep_\(number)"), account: "anna", generation: id, artifact: staged, width: 1,
            height: 1)))
      #expect(try await store.preparedInput(of: id) == .found(kept[kept.count - 1]))
    }
    _ = try await store.finish(Settlement(id: id, state: .failed))
    #expect(
      try await store.delete(.one(id, account: nil)) == DeletionSummary(deleted: 1, bytesFreed: 2, stillRunning: []))
    #expect(try await store.preparedInput(of: id) == .notFound)
    for input in kept { #expect(try await store.prepared(input.id, account: "anna") == .expired) }
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("the input of a private generation is not kept")
  func ofPrivateGeneration() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna", isPrivate: true))
    let staged = try await store.stage([1], mimeType: "image/jpeg")
    await #expect(throws: AtelierError.self) {
      try await store.keepPrepared(
        PreparedKeeping(id: "prep_1", account: "anna", generation: id, artifact: staged, width: 1, height: 1))
    }
    await store.discard(staged)
    #expect(try await store.recoverAndSweep().sweptFiles == 0)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
  }

  @Test("an id is given once")
  func sameID() async throws {
    let store = try await fixture.open()
    let input = try await keep("prep_1", [1], in: store)
    await #expect(throws: AtelierError.self) { try await keep("prep_1", [2], in: store) }
    #expect(try await store.prepared("prep_1", account: nil) == .found(input))
    #expect(try await store.recoverAndSweep().sweptFiles == 0)
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("the inputs of a generation are told apart: the photo, and each picture to go by; they expire and go together")
  func references() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna"))
    var inputs: [PreparedKeeping] = []
    for (number, reference) in [nil, 0, 1].enumerated() {
      let staged = try await store.stage([UInt8(number)], mimeType: "image/jpeg")
      inputs.append(
        PreparedKeeping(
          id: PreparedID(rawValue: "prep_\(number)"), account: "anna", generation: id, reference: reference,
          source: .staged(staged), width: 8, height: 9))
    }
    _ = try await store.finish(
      Settlement(id: id, state: .partial, inputs: inputs))
    for input in inputs {
      guard case .found(let found) = try await store.preparedInput(of: id, reference: input.reference) else {
        Issue.record("\(input.id) is not there")
        continue
      }
      #expect(found.id == input.id)
    }
    #expect(try await store.preparedInput(of: id, reference: 2) == .notFound)
    fixture.clock.advance(by: 86_400_000)
    #expect(try await store.eraseExpiredPrepared() == 3)
    #expect(try await store.preparedInput(of: id, reference: 1) == .expired)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    _ = try await store.delete(.one(id, account: nil))
    #expect(try await store.preparedInput(of: id, reference: 1) == .notFound)
    #expect(try await store.check().isSound)
  }
}
