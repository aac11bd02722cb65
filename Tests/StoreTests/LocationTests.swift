import AtelierProtocol
import Testing

@testable import Store

@Suite("Answers of the geocoder")
struct LocationTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test("the geocoder's answers are found until their time is over, then erased")
  func expiry() async throws {
    let store = try await fixture.open()
    let place = FoundPlace(name: "喫茶", city: "東京")
    try await store.keepLocationAnswer([place], digest: "a", lifetimeMs: 100)
    try await store.keepLocationAnswer([], digest: "b", lifetimeMs: 0)
    #expect(try await store.locationAnswer("a") == [place])
    #expect(try await store.locationAnswer("b") == nil)
    fixture.clock.advance(by: 100)
    #expect(try await store.locationAnswer("a") == nil)
    try await store.tidy()
    #expect(try await store.number("SELECT count(*) FROM location_answer") == 0)
    try await store.keepLocationAnswer([place], digest: "a", lifetimeMs: .max)
    #expect(try await store.locationAnswer("a") == nil, "a time without an end is none")
    await store.close()
  }

  @Test("the geocoder's answers are asked for in turns that all processes share")
  func turns() async throws {
    let (first, second) = (try await fixture.open(), try await fixture.open())
    #expect(try await first.reserveGeocoder(intervalMs: 1_000) == 0)
    #expect(try await second.reserveGeocoder(intervalMs: 1_000) == 1_000)
    fixture.clock.advance(by: 500)
    #expect(try await first.reserveGeocoder(intervalMs: 1_000) == 1_500)
    // A clock that was ahead gave a turn that nobody waits for.
    fixture.clock.advance(by: -86_400_000)
    #expect(try await second.reserveGeocoder(intervalMs: 1_000) == 0)
    await first.close()
    await second.close()
  }
}
