import AtelierProtocol
import Foundation
import GRDB
import Providers
import ServiceFixture
import Store
import Testing

@testable import Engine

/// Whatever repeats a step because its effect is missing would do so without an end while the step fails.
@Suite("A store that cannot be written", .timeLimit(.minutes(5)))
struct FailingWritesTests {
  let fixture: ServiceFixture
  init() throws { fixture = try ServiceFixture() }

  /// What a service may be at when its disk fails.
  enum State: CaseIterable, Sendable {
    /// A request waits for a provider that is to be probed.
    case probe
    /// A request waits, and its provider's pause ends.
    case claim
    /// A request waits, and its time is over.
    case deadline
    /// A process has died that others of this data directory could continue.
    case deadProcess
    /// Somebody watches a generation of another process.
    case watch
    /// Somebody watches a generation of a process that has died.
    case watchOfTheDead
    /// A generation makes progress.
    case progress
    /// Pictures are finished.
    case pictures
    /// Requests are cancelled.
    case cancels
    /// A generation that waited gets its slot.
    case start
    /// A generation is about to be sent.
    case send
    /// A provider is not reached.
    case park
    /// A provider refuses again and again.
    case refusals
    /// A prepared picture is to be erased.
    case expiry
  }

  /// Each state with one error, and with `ATELIER_PROOFS` with every one.
  static let cases: [(State, ResultCode)] = {
    let codes = [ResultCode.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_BUSY]
    let isProof = ProcessInfo.processInfo.environment["ATELIER_PROOFS"] != nil
    return State.allCases.enumerated().flatMap { index, state in
      (isProof ? codes : [codes[index % codes.count]]).map { (state, $0) }
    }
  }()

  @Test("nothing is tried more often than once a second, in whatever state; afterwards everything goes on",
    arguments: cases)
  func boundedTries(state: State, code: ResultCode) async throws {
    let scene = try await scene(state, code)
    try await passMinute(scene.engines)
    let tries = scene.writes.tries
    #expect((1...60).contains(tries), "\(tries) tries in a minute")
    for engine in scene.engines { try await engine.engine.lazyStore.storeIfOpen?.flush() }
    scene.writes.end()
    scene.heal()
    try await fixture.heartbeats { try await scene.isOver() }
    for engine in scene.engines { await engine.leave() }
  }

  /// A service in one of the states.
  private struct Scene: Sendable {
    var engines: [TestEngine]
    var writes: FailingWrites
    /// Lets what waits for others go on.
    var heal: @Sendable () -> Void = {}
    /// Whether everything has ended as it should.
    var isOver: @Sendable () async throws -> Bool
  }

  /// A minute of the clock in small steps; all work under way gets its turn after each that wakes somebody. What goes on
  /// without a pause gets it once a second: beside all other tests, a turn of everybody takes long.
  private func passMinute(_ engines: [TestEngine]) async throws {
    for step in 1...240 {
      guard fixture.clock.advance(by: .milliseconds(250)) > 0 || step % 4 == 0 else { continue }
      for _ in 0..<30 { await Task.yield() }
      for engine in engines { try await engine.engine.lazyStore.storeIfOpen?.flush() }
    }
  }

  private func ended(_ engine: TestEngine, _ id: GenerationID = "gen_1") async throws -> Bool {
    try await engine.row(id)?.state.isFinal == true
  }

  private func scene(_ state: State, _ code: ResultCode) async throws -> Scene {
    let gate = Gate()
    switch state {
    case .probe, .claim, .deadline, .refusals:
      let kind: ErrorKind = state == .probe || state == .deadline ? .offline : .rateLimited
      let failure = AtelierError(kind, retryAfterMs: 0, provider: "scripted")
      let far = FarProvider(failure: failure)
      let engine = try fixture.engine([far.provider()], configuration: .withoutRetries)
      await engine.engine.serve()
      let writes = try await engine.failingWrites()
      if state == .refusals {
        // Accepted, and noted to be sent; its pause and its return to the queue cannot be written.
        writes.begin(code, after: 2)
        _ = try await engine.generations.generate(.patient(detach: true), for: Caller())
      } else {
        let request = Generate.patient(detach: true, waitMs: state == .deadline ? 5_000 : nil)
        _ = try await engine.generations.generate(request, for: Caller())
        await engine.waits("gen_1")
        writes.begin(code)
      }
      return Scene(engines: [engine], writes: writes, heal: { far.connect() }) { try await ended(engine) }
    case .deadProcess, .watchOfTheDead, .watch:
      let dying = try fixture.engine([ScriptedProvider(waitingAt: gate)])
      _ = dying.generate(.picture(timeoutMs: 3_600_000))
      await gate.hasSeen()
      let engine = try fixture.engine([ScriptedProvider()])
      let writes = try await engine.failingWrites()
      _ = try await engine.status("gen_1")
      if state == .deadProcess { await engine.engine.serve() }
      writes.begin(code)
      if state != .watch { await dying.engine.lazyStore.close() }
      if state == .deadProcess { return Scene(engines: [engine], writes: writes) { try await ended(engine) } }
      let watch = Task { try await engine.generations.watch(GenerationWatch(generationId: "gen_1"), for: Caller()).state }
      return Scene(
        engines: state == .watch ? [engine, dying] : [engine], writes: writes,
        // A process that has died does not go on.
        heal: { if state == .watch { gate.open() } },
        isOver: {
          guard try await ended(engine) else { return false }
          // A look may be under way on other threads, and has to be followed by another.
          let clock = Task {
            while !Task.isCancelled {
              fixture.clock.advance(by: GenerationManager.look)
              for _ in 0..<100 { await Task.yield() }
            }
          }
          defer { clock.cancel() }
          return try await watch.value == (state == .watch ? .succeeded : .interrupted)
        })
    case .progress, .pictures, .park, .send:
      let isFar = state == .park || state == .send
      let provider = ScriptedProvider(maximumConcurrentImages: 64, isLocal: !isFar) { _, progress in
        progress(ImageProgress(phase: .processing, message: "Painting…", fraction: 0.5))
        try await gate.pass()
        if state == .park { throw AtelierError(.offline, provider: "scripted") }
        return try ScriptedProvider.picture()
      }
      let engine = try fixture.engine([provider], configuration: .withoutRetries)
      let writes = try await engine.failingWrites()
      if state == .send {
        try await engine.engine.lazyStore.store().checkReadyToPay()
        writes.begin(code, after: 1)
      }
      let count = state == .pictures ? 10 : 1
      for number in 1...count {
        var request = Generate.patient("picture \(number)", detach: true)
        if !isFar { request.whenOffline = nil }
        _ = try await engine.generations.generate(request, for: Caller())
      }
      if state != .send {
        await gate.hasSeen(count)
        writes.begin(code)
      }
      if state != .progress { gate.open() }
      return Scene(engines: [engine], writes: writes, heal: { gate.open() }) {
        if state == .park, code != .SQLITE_FULL, code != .SQLITE_BUSY { return try await ended(engine) }
        if state == .park { return try await engine.row("gen_1")?.state == .queued }
        for number in 1...count where try await !ended(engine, GenerationID(rawValue: "gen_\(number)")) { return false }
        return true
      }
    case .cancels, .start:
      let engine = try fixture.engine([ScriptedProvider(maximumConcurrentImages: 1, waitingAt: gate)])
      let writes = try await engine.failingWrites()
      let count = state == .start ? 2 : 10
      for number in 1...count {
        _ = try await engine.generations.generate(.picture("picture \(number)", detach: true), for: Caller())
      }
      await gate.hasSeen()
      writes.begin(code)
      for id in ["gen_1"] + (state == .start ? [] : (2...count).map { "gen_\($0)" }) {
        _ = try await engine.cancel(GenerationID(rawValue: id))
      }
      return Scene(engines: [engine], writes: writes, heal: { gate.open() }) {
        for number in 1...count where try await !ended(engine, GenerationID(rawValue: "gen_\(number)")) { return false }
        return true
      }
    case .expiry:
      let engine = try fixture.engine([ScriptedProvider()])
      let store = try await engine.engine.lazyStore.store()
      let staged = try await store.stage([1, 2, 3], mimeType: "image/jpeg")
      _ = try await store.keepPrepared(
        PreparedKeeping(
          id: "prep_x", account: .owner, source: .staged(staged), width: 300, height: 300, lifetimeMs: 1_000))
      let writes = try await engine.failingWrites()
      writes.begin(code)
      await engine.engine.serve()
      _ = try await engine.engine.lazyStore.store()
      return Scene(engines: [engine], writes: writes) {
        // There is no heartbeat here: the rounds come by themselves.
        for _ in 0..<60 {
          fixture.clock.advance(by: .seconds(20))
          for _ in 0..<200 { await Task.yield() }
          // The clock must not outrun a round that is under way on other threads.
          try await store.flush()
          if fixture.temporary.files(below: "data/artifacts").isEmpty { return true }
        }
        return false
      }
    }
  }
}
