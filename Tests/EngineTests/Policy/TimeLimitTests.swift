import AtelierProtocol
import Providers
import ServiceFixture
import Testing

@testable import Engine

@Suite("The time limit of a generation", .timeLimit(.minutes(3)))
struct TimeLimitTests {
  @Test(
    "the time limit says when it is over whether a provider may have charged: only if something was sent",
    arguments: [true, false])
  func charged(isSent: Bool) async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let provider = ScriptedProvider(isLocal: false) { _, progress in
      if isSent { progress(ImageProgress(phase: .uploading, message: "Sending…")) }
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([provider])
    let task = engine.generate(.picture(timeoutMs: 5_000))
    await gate.hasSeen()
    await fixture.clock.someoneSleeps(for: .milliseconds(5_000))
    fixture.clock.advance(by: .milliseconds(5_000))
    let error = try await #require(throws: AtelierError.self) { try await task.value }
    #expect(error.kind == .timedOut && error.provider == "scripted")
    #expect(error.details["mayHaveBeenCharged"]?.bool == (isSent ? true : nil))
    await engine.leave()
  }

  /// Who is asked, what is configured and requested, and the limit that follows.
  struct Case: Sendable {
    var isServedHere: Bool
    var configuredMs: Int?
    var requestedMs: Int?
    var limitMs: Int
  }

  @Test("the time limit is longer for a server on this machine, unless the operator or the request sets it", arguments: [
    Case(isServedHere: false, limitMs: 60_000), Case(isServedHere: true, limitMs: 600_000),
    Case(isServedHere: true, configuredMs: 7_000, limitMs: 7_000),
    Case(isServedHere: false, configuredMs: 7_000, limitMs: 7_000),
    Case(isServedHere: true, requestedMs: 9_000, limitMs: 9_000),
    Case(isServedHere: true, configuredMs: 7_000, requestedMs: 9_000, limitMs: 9_000),
  ])
  func usual(wanted: Case) async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let provider = ScriptedProvider(isLocal: false, isServedHere: wanted.isServedHere) { _, _ in
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    var configuration = EngineConfiguration()
    if let configuredMs = wanted.configuredMs { configuration.policies[.create]?.limit(toMs: configuredMs) }
    let engine = try fixture.engine([provider], configuration: configuration)
    let task = engine.generate(.picture(timeoutMs: wanted.requestedMs))
    await gate.hasSeen()
    await fixture.clock.someoneSleeps(for: .milliseconds(wanted.limitMs))
    fixture.clock.advance(by: .milliseconds(wanted.limitMs))
    let error = try await #require(throws: AtelierError.self) { try await task.value }
    #expect(error.kind == .timedOut && error.details["timeoutMs"]?.number?.integer(as: Int.self) == wanted.limitMs)
    await engine.leave()
  }
}
