import ArgumentParser
import AtelierProtocol
import Store

/// `atelier credits`: the credits of accounts, for the operator.
struct CreditsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "credits",
    abstract: "Grant, revoke, show and audit accounts' credits.",
    discussion: """
        atelier credits grant --account anna --amount 8 --reason "sorry for the outage" --key ticket-12
        atelier credits show --account anna
        atelier credits audit
      """,
    subcommands: [
      CreditsGrantCommand.self, CreditsRevokeCommand.self, CreditsShowCommand.self, CreditsHistoryCommand.self,
      CreditsAuditCommand.self,
    ])
}

/// `atelier credits show`: the credits of an account, and their sources.
struct CreditsShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show an account's credits, where they come from, and what it owes.",
    discussion: """
        atelier credits show --account anna
        atelier credits show --account anna --json | jq .available
      """)

  @Option(help: "The account.")
  var account: String

  @Flag(help: "Print the balance as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    _ = try OperatorInput.meteredAccount(account)
  }

  func run() async throws {
    let id = try OperatorInput.meteredAccount(account)
    let balance = try await EngineAssembly.withStore(common.settings, for: id) { store, id in
      try await store.checkIsKnown(id)
      return try await store.creditBalance(of: id)
    }
    if json { return try Console.printJSON(balance) }
    print("Tier: \(balance.tier.rawValue)\(balance.unlimited ? ", limits lifted" : "").")
    print(balance.sentence)
    // The next to be spent first.
    for bucket in balance.buckets { print("  \(bucket.line)") }
    if let reset = balance.resetAt { print("The next month's credits come \(reset.localText).") }
  }
}

extension CreditBalance.Bucket {
  fileprivate var line: String {
    let aside = held > 0 ? ", \(held) held" : ""
    let end = expiresAt.map { "until \($0.localText)" } ?? "for good"
    return "\(kind.rawValue): \(available) of \(amount)\(aside), since \(createdAt.localText), \(end)"
  }
}

/// What a grant and a revocation have in common on the command line.
struct CreditChangeOptions: ParsableArguments {
  @Option(help: "The account.")
  var account: String

  @Option(help: "The number of credits, 1 to 1000000.")
  var amount: Int

  @Option(help: "The reason, shown in the account's history.")
  var reason: String

  /// - Throws: wrong usage.
  var metered: AccountID {
    get throws { try OperatorInput.meteredAccount(account) }
  }

  func validate() throws {
    _ = try metered
    try OperatorInput.checkAmount(amount)
    try OperatorInput.checkReason(reason)
  }
}

/// `atelier credits grant`: gives credits that never expire.
struct CreditsGrantCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant",
    abstract: "Grant an account credits that never expire.",
    discussion: """
      A repeated --key grants nothing again; without a key, each call is a new grant.

        atelier credits grant --account anna --amount 8 --reason "sorry for the outage" --key ticket-12
      """)

  @OptionGroup var change: CreditChangeOptions

  @Option(help: "A name for this grant: repeating it grants nothing.")
  var key: String?

  @Flag(help: "Print the balance as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws { try OperatorInput.checkKey(key) }

  func run() async throws {
    let (account, amount) = (try change.metered, change.amount)
    let grant = try await EngineAssembly.withStore(common.settings, for: account) { store, account in
      try await store.grantCredits(amount, to: account, because: change.reason, source: key)
    }
    if json { return try Console.printJSON(grant.balance) }
    if grant.isNewAccount { print("\(change.account) is a new account.") }
    print("\(change.account) was given \(amount.credits)\(grant.isNew ? "." : " by this key before, and nothing now.")")
    print(grant.balance.sentence)
  }
}

/// `atelier credits revoke`: takes back credits.
struct CreditsRevokeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Revoke an account's credits.",
    discussion: """
      Those that were granted with the same --key are taken first, then others that were granted, then bought ones. Where
      there are fewer, the rest is owed if the key is that of a grant of as many: a payment was refunded. Otherwise nothing
      is taken. --owe and --no-owe decide it. A repeated --key takes nothing again; without a key, each call is a new
      revocation.

      --payment names the key of the grant that is refunded, whole or in part: all refunds of a payment together take no
      more than it brought. If it was not granted yet, nothing is taken until it is.

        atelier credits revoke --account anna --amount 3 --reason "given twice" --key ticket-13
        atelier credits revoke --account anna --amount 48 --reason "pi_3NxA refunded" --key stripe:pi_3NxA
        atelier credits revoke --account anna --amount 8 --reason "re_1 of pi_4" --key stripe:re_1 --payment stripe:pi_4
      """)

  @OptionGroup var change: CreditChangeOptions

  @Option(help: "A name for this revocation: repeating it takes nothing.")
  var key: String?

  @Option(help: "The key of the grant that is refunded, which may be still to come.")
  var payment: String?

  @Flag(inversion: .prefixedNo, help: "Whether credits that are not there are owed.")
  var owe: Bool?

  @Flag(help: "Print the balance as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    try OperatorInput.checkKey(key)
    try OperatorInput.checkKey(payment, as: "--payment")
  }

  func run() async throws {
    let (account, amount) = (try change.metered, change.amount)
    let (balance, outcome) = try await EngineAssembly.withStore(common.settings, for: account) { store, account in
      try await store.revokeCredits(amount, from: account, because: change.reason, source: key, payment: payment, owes: owe)
    }
    if json { return try Console.printJSON(balance) }
    if outcome.isWaiting {
      print("Nothing is taken until the payment “\(payment ?? key ?? "")” is granted; then \(amount.credits) of it.")
    } else if outcome.isNew {
      print("\(outcome.taken.credits) of \(change.account) taken back\(outcome.owed > 0 ? ", \(outcome.owed) owed" : "").")
    } else {
      print("This key was used before: nothing more is taken back from \(change.account).")
    }
    print(balance.sentence)
  }
}

/// `atelier credits history`: the history of an account's credits, newest first.
struct CreditsHistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the changes to an account's credits, newest first.",
    discussion: """
        atelier credits history --account anna --limit 5
        atelier credits history --account anna --json | jq .totalUsed
      """)

  @Option(help: "The account.")
  var account: String

  @Option(help: "The number of entries, 1 to 100.")
  var limit: Int = 20

  @Option(help: "Continue after this cursor, the nextCursor of the previous page.")
  var cursor: String?

  @Flag(help: "Print the page as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    _ = try OperatorInput.meteredAccount(account)
    guard (1...100).contains(limit) else { throw ValidationError("--limit must be from 1 to 100.") }
    guard cursor.map({ Int64($0) != nil }) ?? true else {
      throw ValidationError("--cursor must be the nextCursor of an earlier page.")
    }
  }

  func run() async throws {
    let id = try OperatorInput.meteredAccount(account)
    let page = try await EngineAssembly.withStore(common.settings, for: id) { store, id in
      try await store.checkIsKnown(id)
      return try await store.creditHistory(of: id, limit: limit, cursor: cursor)
    }
    if json { return try Console.printJSON(page) }
    for entry in page.entries { print(entry.line) }
    print("\(page.totalUsed.credits) used in all.")
    if let next = page.nextCursor { print("More: atelier credits history --account '\(account)' --cursor \(next)") }
  }
}

extension CreditsHistory.Entry {
  fileprivate var line: String {
    let change = amount > 0 ? "+\(amount)" : "\(amount)"
    let rest = balanceAfter.map { "  leaves \($0)" } ?? ""
    let about = [bucket?.rawValue, recipe?.rawValue, prompt, reason].compactMap { $0 }.joined(separator: "  ")
    return "\(date.localText)  \(change)  \(kind.rawValue)\(rest)  \(about)"
  }
}

/// `atelier credits audit`: checks all invariants.
struct CreditsAuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Check the whole credit ledger.",
    discussion: """
      Adds up every balance, follows every chain and compares every row with its hash, while other processes go on with
      their work. Prints what is wrong and ends with 1; ends with 0 when nothing is.

        atelier credits audit
        atelier credits audit --json | jq .sound
      """)

  @Flag(help: "Print the findings as JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let findings = try await EngineAssembly.withStore(common.settings) { try await $0.auditLedger() }
    if json {
      try Console.printJSON(Report(sound: findings.isEmpty, findings: findings))
    } else if findings.isEmpty {
      print("The ledger of credits is intact.")
    } else {
      for finding in findings { print(finding) }
      Console.tell("The ledger of credits is damaged. Run `atelier doctor` to see what to do.")
    }
    if !findings.isEmpty { throw ExitCode(1) }
  }

  struct Report: Codable, Sendable {
    var sound: Bool
    /// One sentence each.
    var findings: [String]
  }
}

extension Store {
  /// Looking at an account that was never used must not make it exist.
  /// - Throws: `not_found`.
  func checkIsKnown(_ account: AccountID) async throws {
    guard try await isKnown(account) else { throw AtelierError(unknownAccount: account) }
  }
}

extension CreditBalance {
  /// The account's balance as text.
  var sentence: String {
    var parts = ["\((available ?? 0).credits) to spend"]
    if held > 0 { parts.append("\(held) held") }
    if shortfall > 0 { parts.append("\(shortfall) owed for what was taken back") }
    return "\(account.rawValue) has \(parts.joined(separator: ", "))."
  }
}

extension Int {
  /// A number of credits as text.
  var credits: String { self == 1 ? "1 credit" : "\(self) credits" }
}
