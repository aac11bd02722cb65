import AtelierProtocol
import Receipts
import Testing

@Suite("The token of an account")
struct AppAccountTokenTests {
  /// As Python's `uuid.uuid5(namespace, id)` has them.
  static let derived = [
    ("customer-7", "fe9a7dea-1260-55f5-a54d-8a1209e54bb8"),
    ("owner", "1b53bd15-3a21-5cbc-97b1-c89344cfd707"),
    ("Zoë 🦊", "3f0bccc8-4f7b-5942-986c-08678cf62bc7"),
    ("", "71acfcdc-5b83-53f8-846c-5fcd2aeefce7"),
    ("6f1d1c4e-7a52-4d7b-9c1e-0d6a5b1f2e3", "e4ae8a84-e356-575b-b20b-0592050c98e1"),
  ]

  @Test("the token of an account is the same that any other program derives", arguments: derived)
  func derivation(id: String, token: String) {
    #expect(AppAccountToken(for: AccountID(rawValue: id)).text == token)
  }

  @Test("the token of an account is the account itself where that is a UUID, in lower case")
  func itself() {
    let id: AccountID = "6F1D1C4E-7A52-4D7B-9C1E-0D6A5B1F2E3C"
    #expect(AppAccountToken(for: id).text == "6f1d1c4e-7a52-4d7b-9c1e-0d6a5b1f2e3c")
    #expect(AppAccountToken(for: id) == AppAccountToken(for: AccountID(rawValue: id.rawValue.lowercased())))
  }

  @Test("the token of an account is derived from what only looks like a UUID", arguments: [
    "{6f1d1c4e-7a52-4d7b-9c1e-0d6a5b1f2e3c}", "6f1d1c4e7a524d7b9c1e0d6a5b1f2e3c",
    "6f1d1c4e-7a52-4d7b-9c1e-0d6a5b1f2e3g", "6f1d1c4e-7a52-4d7b-9c1e-0d6a5b1f2e3cc",
    "6f1d1c4e07a52-4d7b-9c1e-0d6a5b1f2e3c", "------------------------------------",
    "6f1d1c4e-7a52-4d7b-9c1e-0d6a5b1f2e3c\u{301}",
  ])
  func lookalike(id: String) {
    let token = AppAccountToken(for: AccountID(rawValue: id))
    #expect(token.text != id)
    #expect(token.text.utf8.count == 36)
    // Version 5, variant 10 (RFC 9562 sections 4.1 and 4.2).
    #expect(Array(token.text)[14] == "5")
    #expect("89ab".contains(Array(token.text)[19]))
    #expect(!token.matches(id))
  }

  @Test("the token of an account matches itself in any capitals, and nothing else")
  func matching() {
    let token = AppAccountToken(for: "customer-7")
    #expect(token.matches("fe9a7dea-1260-55f5-a54d-8a1209e54bb8"))
    #expect(token.matches("FE9A7DEA-1260-55f5-A54D-8a1209e54bb8"))
    #expect(!token.matches("fe9a7dea-1260-55f5-a54d-8a1209e54bb9"))
    #expect(!token.matches("fe9a7dea-1260-55f5-a54d-8a1209e54bb8 "))
    #expect(!token.matches("customer-7"))
    #expect(!token.matches(""))
  }
}
