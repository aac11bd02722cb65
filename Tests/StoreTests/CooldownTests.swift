import AtelierProtocol
import Localization
import Support
import Testing

@testable import Store

@Suite("Pauses of providers and models")
struct CooldownTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private func pause(
    _ provider: ProviderID = .gemini, _ model: String? = nil, forMs: Int64, kind: ErrorKind = .rateLimited,
    message: Sentence = "Wait."
  ) -> Cooldown {
    let now = fixture.clock.now
    return Cooldown(
      provider: provider, model: model, setAt: now, until: Timestamp(milliseconds: now.milliseconds + forMs),
      kind: kind, message: message, details: ["scope": "minute", "nul": "a\u{0}b"])
  }

  @Test("a pause that is recorded late removes none that came after it, and is over when it asked to be")
  func late() async throws {
    let store = try await fixture.open()
    let start = fixture.clock.now
    let early = Cooldown(
      provider: .gemini, model: "m", setAt: start, until: start.later(by: 60_000), kind: .rateLimited, message: "early")
    fixture.clock.advance(by: 5_000)
    let later = Cooldown(
      provider: .openai, setAt: fixture.clock.now, until: start.later(by: 3_600_000), kind: .quotaExhausted,
      message: "later")
    try await store.coolDown(later)
    fixture.clock.advance(by: 1_000)
    try await store.coolDown(early)
    #expect(try await store.cooldowns().map(\.until) == [early.until, later.until])
    await store.close()
  }

  @Test("pauses are known to every process until they are over")
  func shared() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    #expect(try await other.cooldowns().isEmpty)
    let (long, short) = (pause(.openai, forMs: 2000, kind: .quotaExhausted), pause(.gemini, "banana", forMs: 1000))
    try await store.coolDown(long)
    try await store.coolDown(short)
    #expect(try await other.cooldowns() == [short, long])
    #expect(try await other.cooldowns(of: .gemini) == [short])
    #expect(try await other.cooldowns(of: .ondevice).isEmpty)
    fixture.clock.advance(by: 999)
    #expect(try await other.cooldowns(of: .gemini) == [short])
    fixture.clock.advance(by: 1)
    #expect(try await other.cooldowns(of: .gemini).isEmpty)
    #expect(try await other.cooldowns() == [long])
    await store.close()
    #expect(try await fixture.open().cooldowns() == [long])
  }

  @Test("pauses last until the later of two ends", arguments: [(500, "first"), (1000, "first"), (1001, "second")])
  func laterEnd(secondMs: Int64, winner: String) async throws {
    let store = try await fixture.open()
    let first = pause(forMs: 1000, message: "first")
    let second = pause(forMs: secondMs, kind: .quotaExhausted, message: "second")
    try await store.coolDown(first)
    try await store.coolDown(second)
    #expect(try await store.cooldowns(of: .gemini) == [winner == "first" ? first : second])
  }

  @Test(
    "pauses of a provider's standard models hold back what names none: that for pictures, or that for places",
    arguments: [
      ("a-picture-model", [Recipe.places]), ("a-writer", [.create]), ("another", [.create, .places]),
    ])
  func standardModels(paused: String, claimed: [Recipe]) async throws {
    let store = try await fixture.open()
    try await store.coolDown(pause(.gemini, paused, forMs: 1000))
    for recipe in [Recipe.create, .places] {
      var acceptance = fixture.acceptance(recipe: recipe, isRequeueable: true)
      acceptance.model = nil
      _ = try await fixture.dying { [acceptance] in try await $0.accept(acceptance) }
    }
    _ = try await store.recover()
    func claimAll() async throws -> [Recipe] {
      var recipes: [Recipe] = []
      while let row = try await store.claimNext(
        for: .gemini, includingUnclaimed: true, standardModel: "a-picture-model", standardTextModel: "a-writer")
      { recipes.append(row.recipe) }
      return recipes
    }
    #expect(try await claimAll() == claimed)
    fixture.clock.advance(by: 1000)
    #expect(try await claimAll() == [.create, .places].filter { !claimed.contains($0) })
  }

  @Test("pauses are over, and give way to a new one, as soon as the clock stands before they were set")
  func clockSetRight() async throws {
    let store = try await fixture.open()
    fixture.clock.advance(by: 400 * 86_400_000)
    try await store.coolDown(pause(forMs: 300_000))
    #expect(try await store.cooldowns().count == 1)
    fixture.clock.advance(by: -400 * 86_400_000)
    #expect(try await store.cooldowns().isEmpty)
    let second = pause(forMs: 10, message: "again")
    try await store.coolDown(second)
    #expect(try await store.cooldowns() == [second])
    fixture.clock.advance(by: 400 * 86_400_000)
    #expect(try await store.cooldowns().isEmpty)
  }

  @Test(
    "pauses hold as a plain list of them does, whatever is set and ended and however the clock jumps",
    arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let (store, other) = (try await fixture.open(), try await fixture.open())
    var model: [Cooldown] = []
    let providers: [ProviderID] = [.gemini, .openai]
    let names = [nil, "a", "b"]
    for _ in 0..<40 {
      let now = fixture.clock.now
      let provider = providers.randomElement(using: &random) ?? .gemini
      let name = names.randomElement(using: &random) ?? nil
      switch Int.random(in: 0..<7, using: &random) {
      case 0...2:
        let new = pause(
          provider, name, forMs: Int64.random(in: 0...5000, using: &random), message: "\(random.next())")
        try await store.coolDown(new)
        model.removeAll { $0.isOver(at: now) }
        let standing = model.first { $0.provider == provider && $0.model == name }
        if let standing, standing.until >= new.until { break }
        model.removeAll { $0.provider == provider && $0.model == name }
        model.append(new)
      case 3:
        try await store.endCooldown(of: provider, model: name ?? "a")
        model.removeAll { $0.provider == provider && $0.concerns(name ?? "a") }
      case 4:
        try await store.endCooldowns(of: provider)
        model.removeAll { $0.provider == provider }
      case 5: fixture.clock.advance(by: Int64.random(in: 0...3000, using: &random))
      default: fixture.clock.advance(by: Int64.random(in: -1...1, using: &random) * 86_400_000 * 400)
      }
      let current = model.filter { !$0.isOver(at: fixture.clock.now) }
      let found = try await other.cooldowns()
      #expect(found.count == current.count && found.allSatisfy(current.contains), "seed \(seed)")
      #expect(
        found.allSatisfy { $0.until.milliseconds - fixture.clock.now.milliseconds <= 5000 },
        "seed \(seed): longer than it was set for")
      for provider in providers {
        #expect(try await other.cooldowns(of: provider) == found.filter { $0.provider == provider }, "seed \(seed)")
      }
    }
  }

  @Test("pauses are ended for every process: a model's with the provider's own, or all of a provider's")
  func ended() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    let (own, a, b) = (pause(forMs: 1000), pause(.gemini, "a", forMs: 1000), pause(.gemini, "b", forMs: 1000))
    let stays = pause(.openai, "a", forMs: 1000)
    for cooldown in [own, a, b, stays] { try await store.coolDown(cooldown) }
    #expect(try await store.cooldowns(of: .gemini) == [own, a, b])
    for _ in 0..<2 { try await other.endCooldown(of: .gemini, model: "a") }
    #expect(try await store.cooldowns() == [b, stays])
    for _ in 0..<2 { try await other.endCooldowns(of: .gemini) }
    #expect(try await store.cooldowns() == [stays])
  }

  @Test("pauses that are over and forgotten leave no rows behind")
  func rows() async throws {
    let store = try await fixture.open()
    for number in 0..<5 {
      try await store.coolDown(pause(.gemini, "model-\(number)", forMs: 10))
      fixture.clock.advance(by: 10 + RefusalBackoff.rememberedMs)
    }
    let rows = try await store.number("SELECT count(*) FROM provider_cooldown")
    #expect(rows == 1)
  }

  @Test("pauses are at least a second long whatever the provider says, and double to five minutes until it succeeds",
    arguments: [0, 500, 30_000, 3_600_000])
  func doubles(askedMs: Int64) async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    var least: Int64 = 1_000
    for number in 1...12 {
      let sentAt = fixture.clock.now
      fixture.clock.advance(by: 40)
      let told = try await (number.isMultiple(of: 2) ? store : other).coolDown(
        pause(.gemini, "a", forMs: askedMs), sentAt: sentAt, backoff: RefusalBackoff())
      #expect(told.until.milliseconds - fixture.clock.now.milliseconds == max(askedMs, least), "refusal \(number)")
      #expect(try await store.cooldowns(of: .gemini) == [told] && told.refusals == number)
      #expect(RefusalBackoff().isLongest(afterRefusals: told.refusals) == (least == 300_000))
      least = min(least * 2, 300_000)
      fixture.clock.advance(by: told.until.milliseconds - fixture.clock.now.milliseconds)
    }
    #expect(try await store.hasRefused(.gemini, model: "a"))
    #expect(try await store.refusals(of: .gemini, model: "a") == 12)
    try await store.endCooldown(of: .gemini, model: "a")
    #expect(try await !store.hasRefused(.gemini, model: "a"))
    #expect(try await store.refusals(of: .gemini, model: "a") == 0)
    let fresh = try await store.coolDown(pause(.gemini, "a", forMs: 0), backoff: RefusalBackoff())
    #expect(fresh.refusals == 1 && fresh.until.milliseconds == fixture.clock.now.milliseconds + 1_000)
  }

  @Test("pauses are not longer because many requests met the same limit, nor after some time without any")
  func sameRefusal() async throws {
    let store = try await fixture.open()
    let sentAt = fixture.clock.now
    for _ in 0..<20 {
      let told = try await store.coolDown(pause(.gemini, "a", forMs: 0), sentAt: sentAt, backoff: RefusalBackoff())
      #expect(told.refusals == 1)
      fixture.clock.advance(by: 400)
    }
    #expect(try await store.refusals(of: .gemini, model: "b") == 0)
    fixture.clock.advance(by: RefusalBackoff.rememberedMs + 1_000)
    #expect(try await store.refusals(of: .gemini, model: "a") == 0)
    let later = try await store.coolDown(pause(.gemini, "a", forMs: 0), backoff: RefusalBackoff())
    #expect(later.refusals == 1)
  }

  @Test("a pause lets one generation at a time try the model afterwards, until it succeeds", arguments: ["a-model", nil])
  func trial(paused: String?) async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    _ = try await fixture.dying { store in
      for _ in 0..<4 { _ = try await store.accept(fixture.acceptance(isRequeueable: true)) }
    }
    _ = try await store.recover()
    @Sendable func claim(_ store: Store) async throws -> GenerationID? {
      try await store.claimNext(for: .gemini, includingUnclaimed: true)?.id
    }
    try await store.coolDown(pause(.gemini, paused, forMs: 1_000))
    #expect(try await claim(store) == nil)
    fixture.clock.advance(by: 1_000)
    let first = try #require(try await claim(store))
    for process in [store, other] { #expect(try await claim(process) == nil) }
    // It waits again: the next one is the first in the line, which is the same.
    #expect(try await store.release([first]) == [first])
    #expect(try await claim(other) == first)
    #expect(try await claim(store) == nil)
    // An end of another kind lets the next one try.
    _ = try await other.finish(Settlement(id: first, state: .failed, error: AtelierError(.contentBlocked)))
    let second = try #require(try await claim(store))
    #expect(second != first)
    #expect(try await claim(other) == nil)
    try await store.endCooldown(of: .gemini, model: "a-model")
    for process in [store, other] { #expect(try await claim(process) != nil) }
  }

  @Test("pauses of a kind that only a newer version knows hold all the same")
  func unknownKind() async throws {
    let store = try await fixture.open()
    try await store.coolDown(pause(forMs: 1000))
    try await store.change("UPDATE provider_cooldown SET kind = 'tired'")
    #expect(try await store.cooldowns(of: .gemini).first?.kind == .rateLimited)
  }
}
