import AtelierProtocol
import Providers
import TestHouse
import Testing

@testable import Engine

@Suite("The pause a provider asks for (REQUIREMENTS 5.4)", .timeLimit(.minutes(3)))
struct CooldownTests {
  private static let request = Generate(recipe: .create, prompt: "a lighthouse", provider: ProviderChoice("busy"))

  private static func busy(_ error: AtelierError) -> ScriptedProvider {
    ScriptedProvider(id: "busy", isLocal: false) { _, _ in throw error }
  }

  private static func refusal(_ engine: TestEngine) async throws -> AtelierError {
    try await #require(throws: AtelierError.self) {
      try await engine.sessions.generate(request, for: Caller())
    }
  }

  @Test("holds for every process of the data directory, with the time that remains, and ends by itself")
  func shared() async throws {
    let house = try TestHouse()
    let error = AtelierError(.rateLimited, retryAfterMs: 45_838, provider: "busy")
    let (first, second) = (Self.busy(error), Self.busy(error))
    let one = try house.engine([first], configuration: .withoutRetries)
    let other = try house.engine([second], configuration: .withoutRetries)
    #expect(try await Self.refusal(one).kind == .rateLimited)
    for engine in [one, other] {
      let refusal = try await Self.refusal(engine)
      #expect(refusal.kind == .coolingDown && refusal.retryAfterMs == 45_838)
      #expect(refusal.message == "The provider asked for a pause. Please wait 46 seconds and try again.")
    }
    house.clock.advance(by: .seconds(40))
    #expect(try await Self.refusal(other).retryAfterMs == 5838)
    guard case .service(let status) = try await other.engine.status(Status(), for: Caller()) else {
      Issue.record("no status")
      return
    }
    #expect(status.providers.first?.available == false)
    #expect(status.providers.first?.cooldownUntil == Timestamp(milliseconds: house.clock.now.milliseconds + 5838))
    #expect(first.requests.count == 1 && second.requests.isEmpty)
    house.clock.advance(by: .milliseconds(5838))
    #expect(try await Self.refusal(other).kind == .rateLimited)
    #expect(second.requests.count == 1)
    await one.leave()
    await other.leave()
  }

  @Test("is five minutes when the provider names none")
  func unnamed() async throws {
    let house = try TestHouse()
    let engine = try house.engine([Self.busy(AtelierError(.rateLimited, provider: "busy"))], configuration: .withoutRetries)
    _ = try await Self.refusal(engine)
    #expect(try await Self.refusal(engine).retryAfterMs == 300_000)
    await engine.leave()
  }

  @Test("of a quota that is used up for the day is told as that")
  func dailyQuota() async throws {
    let house = try TestHouse()
    let error = AtelierError(
      .quotaExhausted, "Today's quota is used up.", retryAfterMs: 36_000, provider: "busy",
      details: ["reason": "quota_day"])
    let engine = try house.engine([Self.busy(error)], configuration: .withoutRetries)
    _ = try await Self.refusal(engine)
    let refusal = try await Self.refusal(engine)
    #expect(refusal.kind == .quotaExhausted && refusal.message == "Today's quota is used up.")
    #expect(refusal.details["reason"]?.string == "quota_day" && refusal.retryAfterMs == 36_000)
    await engine.leave()
  }

  @Test("is announced when it begins and when it ends, and ended by a new key")
  func announced() async throws {
    let house = try TestHouse()
    let engine = try house.engine(
      [Self.busy(AtelierError(.rateLimited, retryAfterMs: 26_000, provider: "busy"))], configuration: .withoutRetries)
    _ = try await Self.refusal(engine)
    await house.clock.someoneSleeps(for: .seconds(26))
    let until = Timestamp(milliseconds: house.clock.now.milliseconds + 26_000)
    house.clock.advance(by: .seconds(26))
    let changes = await engine.announcements.providerChanges(2)
    #expect(changes == [
      ProviderChanged(id: "busy", available: false, cooldownUntil: until), ProviderChanged(id: "busy", available: true),
    ])
    _ = try await Self.refusal(engine)
    await engine.engine.monitor.keyChanged(of: "busy")
    #expect(await engine.announcements.providerChanges(4).last?.available == true)
    #expect(try await Self.refusal(engine).kind == .rateLimited)
    await engine.leave()
  }
}
