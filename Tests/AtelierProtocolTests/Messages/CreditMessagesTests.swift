import AtelierProtocol
import JSON
import Support
import Testing

@Suite("The messages of accounts and credits")
struct CreditMessagesTests {
  @Test("messages of what changed come back as they were written")
  func roundTrip() throws {
    let change = CreditsChanged(account: "a", available: 3, held: 1)
    #expect(try written(change) == ["account": "a", "available": 3, "held": 1])
    #expect(try read(CreditsChanged.self, written(change)) == change)
  }

  @Test("account and credit messages need no account where there is a default")
  func defaults() throws {
    #expect(try read(AccountGet.self, [:]) == AccountGet())
    #expect(try read(CreditsBalance.self, [:]) == CreditsBalance())
    #expect(try read(CreditsHistory.self, [:]) == CreditsHistory())
    #expect(try read(CreditsProducts.self, [:]) == CreditsProducts())
    #expect(failure(CreditsProducts.self, ["account": "a"])?.path == "/account")
    #expect(failure(CreditsBalance.self, ["account": ""])?.expected == "an id of 1 to 128 characters")
    #expect(failure(AccountGet.self, ["id": "a"])?.path == "/id")
  }

  @Test(
    "the pages of a history are bounded, by limit and by cursor",
    arguments: [
      ("limit", 0, "an integer from 1 to 100"), ("limit", 101, "an integer from 1 to 100"),
      ("cursor", "", "a string of 1 to 1024 characters"), ("account", 5, "an id of 1 to 128 characters"),
    ] as [(String, JSONValue, String)])
  func history(member: String, value: JSONValue, expected: String) {
    let failure = failure(CreditsHistory.self, .object([member: value]))
    #expect(failure?.path == "/\(member)")
    #expect(failure?.expected == expected)
  }

  // MARK: Signing in

  private static let provider = "a name such as apple, of 1 to 32 small letters, digits, dots, hyphens and underscores"
  private static let subject = "a string of 1 to 255 characters without control characters"

  @Test(
    "messages of accounts refuse an identity that nobody has, with the place and what is expected there",
    arguments: [
      ("anna", "/identity", nil),
      (["subject": "s"], "/identity/provider", provider),
      (["provider": "apple"], "/identity/subject", subject),
      (["provider": "", "subject": "s"], "/identity/provider", provider),
      (["provider": "Apple", "subject": "s"], "/identity/provider", provider),
      (["provider": "apple\n", "subject": "s"], "/identity/provider", provider),
      (["provider": "two words", "subject": "s"], "/identity/provider", provider),
      (["provider": "äpple", "subject": "s"], "/identity/provider", provider),
      (["provider": .string(String(repeating: "a", count: 33)), "subject": "s"], "/identity/provider", provider),
      (["provider": "apple", "subject": ""], "/identity/subject", subject),
      (["provider": "apple", "subject": 7], "/identity/subject", subject),
      (["provider": "apple", "subject": "a\nb"], "/identity/subject", subject),
      (["provider": "apple", "subject": "a\r\n"], "/identity/subject", subject),
      (["provider": "apple", "subject": "a\u{0}"], "/identity/subject", subject),
      (["provider": "apple", "subject": "a\u{7f}"], "/identity/subject", subject),
      (["provider": "apple", "subject": "a\u{9b}31m"], "/identity/subject", subject),
      (["provider": "apple", "subject": .string(String(repeating: "é", count: 256))], "/identity/subject", subject),
      (["provider": "apple", "subject": "s", "token": "t"], "/identity/token", nil),
    ] as [(JSONValue, String, String?)])
  func identities(identity: JSONValue, path: String, expected: String?) {
    let failure = failure(AccountSignIn.self, ["account": "a", "identity": identity])
    #expect(failure?.path == path)
    if let expected { #expect(failure?.expected == expected) }
  }

  @Test("messages of accounts take an identity up to its bounds")
  func longestIdentity() throws {
    let provider = String(repeating: "a", count: 32)
    let subject = String(repeating: "é", count: 255)
    let params: JSONValue = [
      "account": "a", "identity": ["provider": .string(provider), "subject": .string(subject)],
    ]
    let signIn = try read(AccountSignIn.self, params)
    #expect(signIn.identity == Identity(provider: provider, subject: subject))
    #expect(try written(signIn) == params)
    #expect(failure(AccountSignIn.self, ["identity": ["provider": "email", "subject": "a@b"]])?.path == "/account")
  }

  // MARK: Estimates

  @Test("an estimate takes what generate takes, and refuses what it refuses, at the same place")
  func estimate() throws {
    let params: JSONValue = [
      "recipe": "headshot", "image": ["path": "a.png"], "output": ["count": 2], "account": "anna",
      "idempotencyKey": "k", "detach": true, "_meta": 1,
    ]
    #expect(try read(CreditsEstimate.self, params).subject == .generate(read(Generate.self, params)))
    let again: JSONValue = ["generationId": "gen_1", "seed": 4, "output": ["count": 2]]
    #expect(
      try read(CreditsEstimate.self, ["regenerate": again]).subject == .regenerate(read(Regenerate.self, again)))
    for wrong in [
      ["regenerate": [:]], ["regenerate": ["generationId": "gen_1", "image": ["path": "a"]]],
      ["regenerate": again, "recipe": "headshot"], ["regenerate": "gen_1"], ["regenerate": nil],
    ] as [JSONValue] {
      #expect(failure(CreditsEstimate.self, wrong) != nil)
    }
    for wrong in [
      [:], ["recipe": "cake"], ["recipe": "headshot", "output": ["count": 5]], ["recipe": "headshot", "promt": "x"],
      ["recipe": "headshot", "image": ["path": ""]], ["recipe": "headshot", "style": ["angel": 0]],
      ["request": ["recipe": "headshot"]],
    ] as [JSONValue] {
      // An estimate knows one member more, which it lists.
      #expect(failure(CreditsEstimate.self, wrong)?.path == failure(Generate.self, wrong)?.path)
      #expect(failure(CreditsEstimate.self, wrong) != nil)
    }
  }

  // MARK: Entries

  @Test(
    "the summary of a generation shows the beginning of its prompt, on one line",
    arguments: [
      ("", nil), (" \n\t ", nil), ("a lighthouse", "a lighthouse"), (" a\n\n  b\u{0} c ", "a b c"),
      (String(repeating: "é", count: 80), String(repeating: "é", count: 80)),
      (String(repeating: "é", count: 81), String(repeating: "é", count: 79) + "…"),
      (String(repeating: "word ", count: 40), String(repeating: "word ", count: 15) + "word…"),
      ("a " + String(repeating: "b", count: 100), "a " + String(repeating: "b", count: 77) + "…"),
    ] as [(String, String?)])
  func summary(prompt: String, expected: String?) {
    #expect(CreditsHistory.Entry.summary(of: prompt) == expected)
  }

  @Test("an entry of the history says what it did to an account, with null where nothing is counted")
  func entry() throws {
    let entry = CreditsHistory.Entry(
      id: "e", date: Timestamp(milliseconds: 0), kind: .use, amount: -4, balanceAfter: nil, generationId: "g",
      recipe: .create)
    #expect(
      try written(entry) == [
        "id": "e", "date": "1970-01-01T00:00:00.000Z", "kind": "use", "amount": -4, "balanceAfter": nil,
        "generationId": "g", "recipe": "create",
      ])
  }
}
