import AtelierProtocol
import GRDB
import Testing

@testable import Store

@Suite("Pauses of providers")
struct CooldownTests {
  let house: House
  init() throws { house = try House() }

  private func pause(
    _ provider: ProviderID = .gemini, forMs: Int64, kind: ErrorKind = .rateLimited, message: String = "Wait."
  ) -> Cooldown {
    Cooldown(
      provider: provider, until: Timestamp(milliseconds: house.clock.now.milliseconds + forMs), kind: kind,
      message: message, details: ["scope": "minute", "nul": "a\u{0}b"])
  }

  @Test("are known to every process until they are over")
  func shared() async throws {
    let (store, other) = (try await house.open(), try await house.open())
    #expect(try await other.cooldowns().isEmpty)
    let (long, short) = (pause(.openai, forMs: 2000, kind: .quotaExhausted), pause(forMs: 1000))
    try await store.coolDown(long)
    try await store.coolDown(short)
    #expect(try await other.cooldowns() == [short, long])
    #expect(try await other.cooldown(of: .gemini) == short)
    #expect(try await other.cooldown(of: .ondevice) == nil)
    house.clock.advance(by: 999)
    #expect(try await other.cooldown(of: .gemini) == short)
    house.clock.advance(by: 1)
    #expect(try await other.cooldown(of: .gemini) == nil)
    #expect(try await other.cooldowns() == [long])
    await store.close()
    #expect(try await house.open().cooldowns() == [long])
  }

  @Test("last until the later of two ends", arguments: [(500, "first"), (1000, "first"), (1001, "second")])
  func laterEnd(secondMs: Int64, winner: String) async throws {
    let store = try await house.open()
    let first = pause(forMs: 1000, message: "first")
    let second = pause(forMs: secondMs, kind: .quotaExhausted, message: "second")
    try await store.coolDown(first)
    try await store.coolDown(second)
    #expect(try await store.cooldown(of: .gemini) == (winner == "first" ? first : second))
  }

  @Test("begin anew after they are over")
  func again() async throws {
    let store = try await house.open()
    try await store.coolDown(pause(forMs: 1000))
    house.clock.advance(by: 5000)
    let second = pause(forMs: 10, message: "again")
    try await store.coolDown(second)
    #expect(try await store.cooldown(of: .gemini) == second)
  }

  @Test("are ended for every process; ending none is fine")
  func ended() async throws {
    let (store, other) = (try await house.open(), try await house.open())
    let stays = pause(.openai, forMs: 1000)
    for cooldown in [pause(forMs: 1000), stays] { try await store.coolDown(cooldown) }
    try await other.endCooldown(of: .gemini)
    try await other.endCooldown(of: .gemini)
    #expect(try await store.cooldowns() == [stays])
  }

  @Test("of a kind that only a newer version knows hold all the same")
  func unknownKind() async throws {
    let store = try await house.open()
    try await store.coolDown(pause(forMs: 1000))
    try await store.write { try $0.execute(sql: "UPDATE provider_cooldown SET kind = 'tired'") }
    #expect(try await store.cooldown(of: .gemini)?.kind == .rateLimited)
  }
}
