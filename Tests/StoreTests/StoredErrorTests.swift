import AtelierProtocol
import JSON
import Testing

@testable import Store

@Suite("An error in a row")
struct StoredErrorTests {
  @Test("a stored error comes back whole, whether or not it says itself if a retry helps", arguments: [nil, true, false])
  func roundTrip(retryable: Bool?) throws {
    let error = AtelierError(
      .providerUnavailable, "Not here.", retryAfterMs: 5, generationId: "gen_1", provider: .gemini,
      details: ["reason": "region"], retryable: retryable)
    let row = try JSONValueEncoder().encode(StoredError(error))
    let stored = try JSONValueDecoder(unknownMembers: .reject).decode(StoredError.self, from: row)
    #expect(stored.error(about: "gen_1") == error)
  }

  @Test("one that does not say whether a retry helps is retried as its kind says")
  func silent() throws {
    let row: JSONValue = ["kind": "offline", "message": "No network.", "details": [:]]
    let stored = try JSONValueDecoder(unknownMembers: .reject).decode(StoredError.self, from: row)
    #expect(stored.error(about: "gen_1").isRetryable)
  }
}
