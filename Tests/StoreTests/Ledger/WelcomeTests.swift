import AtelierProtocol
import Support
import Testing

@testable import Store

/// A guest's credits and those for signing in are given once to each person, as far as identities tell who that is.
@Suite("What is given once to each person", .timeLimit(.minutes(3)))
struct WelcomeTests {
  let fixture: LedgerFixture
  init() throws { fixture = try LedgerFixture() }

  private func signIn(_ subject: String, as account: AccountID, isLinking: Bool = false) throws -> AccountID {
    try fixture.write {
      try $0.signIn(Identity(provider: "email", subject: subject), as: account, isLinking: isLinking).account
    }
  }

  private func delete(_ account: AccountID) throws {
    try fixture.write { try $0.session.accounts.deleteNames(of: account, at: $0.system) }
  }

  @Test("a person who signs in from many guests has the credits of one")
  func manyGuests() throws {
    #expect(try signIn("anna", as: "phone") == "phone")
    for number in 0..<30 {
      let guest = AccountID(rawValue: "guest \(number)")
      #expect(try fixture.balance(of: guest).available == 1)
      #expect(try signIn("anna", as: guest) == "phone")
    }
    #expect(try fixture.balance(of: "phone").available == 5)
    #expect(try fixture.findings() == [])
  }

  @Test("a guest's credits go on where the person's account had none, and what was bought goes on always")
  func carried() throws {
    try fixture.write { ledger in
      try ledger.session.accounts.register("phone", created: ledger.now)
      _ = try ledger.signIn(Identity(provider: "email", subject: "anna"), as: "phone")
    }
    #expect(try fixture.balance(of: "phone").available == 4)
    for (guest, available) in [("a", 7), ("b", 9)] as [(AccountID, Int)] {
      #expect(try fixture.write { try $0.gift(2, to: guest, for: "operator:\(guest)", because: "card") })
      #expect(try signIn("anna", as: guest) == "phone")
      #expect(try fixture.balance(of: "phone").available == available)
    }
    #expect(try fixture.findings() == [])
  }

  @Test("a person who links two accounts keeps what is given once of one of them")
  func linked() throws {
    _ = try signIn("anna", as: "phone")
    _ = try signIn("anna at work", as: "office")
    #expect(try signIn("anna", as: "office", isLinking: true) == "phone")
    #expect(try fixture.balance(of: "phone").available == 5)
    #expect(try fixture.findings() == [])
  }

  @Test("a person who comes back is known by any identity that the deleted account had", arguments: [
    ["anna"], ["anna at work"], ["new", "anna"], ["anna", "new"],
  ])
  func comesBack(identities: [String]) throws {
    _ = try signIn("anna", as: "phone")
    _ = try signIn("anna at work", as: "phone")
    try delete("phone")
    for identity in identities { _ = try signIn(identity, as: "desk") }
    #expect(try fixture.balance(of: "desk").available == 0)
    _ = try fixture.balance(of: "guest")
    #expect(try signIn(identities[0], as: "guest") == "desk")
    #expect(try fixture.balance(of: "desk").available == 0)
    #expect(try fixture.findings() == [])
  }

  @Test("a person who comes back under the same name gets no more from a guest's account than from their own")
  func sameName() throws {
    _ = try signIn("anna", as: "phone")
    try delete("phone")
    _ = try signIn("anna", as: "phone")
    _ = try fixture.balance(of: "guest")
    #expect(try signIn("anna", as: "guest") == "phone")
    #expect(try fixture.balance(of: "phone").available == 0)
    #expect(try fixture.findings() == [])
  }

  /// All that a person could spend with accounts that somebody had signed in to. What a guest spends before, nobody knows
  /// to be a person's.
  @Test("no sequence of guests, signing in, linking, leaving and coming back brings more than once for each identity",
    arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let identities = (0...Int(seed % 3)).map { "person \($0)" }
    var (generations, spent, guests) = (0, 0, 0)
    var accounts: Set<AccountID> = []
    // Fewer where each step waits for a server.
    for _ in 0..<(TestDatabase.isUsed ? 40 : 120) {
      let identity = identities[Int(random.next() % UInt64(identities.count))]
      var account = accounts.sorted().randomElement(using: &random)
      if account == nil || random.next() % 3 == 0 {
        // A new guest, or a name that was there before.
        guests += 1
        account = AccountID(rawValue: "guest \(random.next() % 4 == 0 ? Int(random.next() % 20) : guests + 100)")
      }
      guard var account else { continue }
      account = try fixture.tables.read { try $0.accounts.present(account) }
      switch random.next() % 8 {
      case 0 where accounts.contains(account):
        try delete(account)
        accounts.remove(account)
        continue
      case 1: _ = try fixture.balance(of: account)
      default:
        if random.next() % 2 == 0 { _ = try fixture.balance(of: account) }
        do {
          accounts.insert(try signIn(identity, as: account, isLinking: random.next() % 3 == 0))
        } catch is LedgerRefusal {}
      }
      accounts = Set(try accounts.map { name in try fixture.tables.read { try $0.accounts.present(name) } })
      guard random.next() % 3 == 0, accounts.contains(account), let available = try fixture.balance(of: account).available,
        available > 0
      else { continue }
      generations += 1
      let id = GenerationID(rawValue: "gen_\(generations)")
      try fixture.begin(id, of: account)
      try fixture.write(of: account) { try $0.hold(available, for: id, of: account) }
      try fixture.write { ledger in
        _ = try ledger.endHold(for: id, capturing: available, because: "test")
        try fixture.end(id, charged: available, in: ledger.session)
        try ledger.session.run("DELETE FROM generation WHERE id = ?", [id.rawValue])
      }
      spent += available
    }
    let left = try accounts.reduce(0) { try $0 + (fixture.balance(of: $1).available ?? 0) }
    let most = identities.count * (fixture.rules.guestCredits + fixture.rules.freeCredits)
    #expect(spent + left <= most, "seed \(seed)")
    #expect(try fixture.number("SELECT count(*) FROM credit_grant WHERE kind = 'free'") > 0, "seed \(seed)")
    #expect(try fixture.findings() == [], "seed \(seed)")
  }
}
