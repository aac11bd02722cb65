import ArgumentParser
import AtelierProtocol
import Engine

/// `atelier account show`: who an account belongs to, and what it has.
struct AccountShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show an account: its tier, its credits, how its person signs in, and what that person has accepted.",
    discussion: """
        atelier account show anna
        atelier account show anna --json | jq .signedInWith
      """)

  @Argument(help: "The account.")
  var account: String

  @Flag(help: "Print the answer as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws { _ = try OperatorInput.meteredAccount(account) }

  func run() async throws {
    let named = try OperatorInput.meteredAccount(account)
    let answer = try await EngineAssembly.withEngine(common.settings, for: named) { engine, account in
      try await engine.lazyStore.store().checkIsKnown(account)
      return try await engine.account(AccountGet(account: account), for: Caller())
    }
    if json { return try Console.printJSON(answer) }
    if answer.account.rawValue != account { print("\(account) was merged into \(answer.account.rawValue).") }
    print("Tier: \(answer.tier.rawValue)\(answer.unlimited ? ", limits lifted" : "").")
    print(answer.balance.sentence)
    if !answer.signedInWith.isEmpty { print("Signs in with \(answer.signedInWith.joined(separator: ", ")).") }
    if let consent = answer.consent {
      print("Accepted version \(consent.version) of the terms of use \(consent.acceptedAt.localText).")
    }
    if let end = answer.premiumUntil { print("Premium until \(end.localText).") }
    for id in answer.running { print("Running: \(id.rawValue)") }
  }
}

/// `atelier account sign-in`: signs in the person behind an account.
struct AccountSignInCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-in",
    abstract: "Sign in the person behind an account.",
    discussion: """
      A new identity belongs to the account from then on. If another account has it, that one is used from then on, and a
      guest's account is merged into it. --link merges an account that has other identities as well. A token is read from
      a file or, with -, from standard input; the configuration names the issuers whose tokens are accepted.

        atelier account sign-in tablet --token token.jwt
        atelier account sign-in tablet --identity email:anna@example.org
      """)

  @Argument(help: "The account that the person has used so far.")
  var account: String

  @Option(help: "A file with an identity token of OpenID Connect; - is standard input.", completion: .file())
  var token: String?

  @Option(help: "An identity that you have verified, as PROVIDER:SUBJECT, such as email:anna@example.org.")
  var identity: String?

  @Option(help: "The nonce that the token must contain.")
  var nonce: String?

  @Flag(help: "Merge the account even if it has other identities: both are the same person's.")
  var link = false

  @Flag(help: "Print the answer as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    _ = try OperatorInput.meteredAccount(account)
    guard (token == nil) != (identity == nil) else {
      throw ValidationError("Say who signs in: --token FILE, or --identity PROVIDER:SUBJECT.")
    }
    guard nonce == nil || token != nil else { throw ValidationError("--nonce is for --token only.") }
    _ = try identity.map(OperatorInput.identity)
  }

  func run() async throws {
    let request = AccountSignIn(
      account: try OperatorInput.meteredAccount(account), identity: try identity.map(OperatorInput.identity),
      identityToken: token == nil ? nil : try await TokenInput.read(token ?? ""), nonce: nonce, link: link ? true : nil)
    let answer = try await EngineAssembly.withEngine(common.settings) { try await $0.signIn(request, for: Caller()) }
    if json { return try Console.printJSON(answer) }
    if answer.merged { print("\(account) was merged into \(answer.account.rawValue).") }
    print("Continue as \(answer.account.rawValue), which is \(answer.tier.rawValue).")
    if answer.granted > 0 { print("\(answer.account.rawValue) was given \(answer.granted.credits).") }
    print(answer.balance.sentence)
  }
}

/// `atelier account sign-out`: names the account of a new guest.
struct AccountSignOutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-out",
    abstract: "End the use of an account: print the account of a new guest to continue with.",
    discussion: """
      The account stays as it is, and signing in finds it again.

        atelier account sign-out anna
      """)

  @Argument(help: "The account that the person has used.")
  var account: String

  @OptionGroup var common: CommonOptions

  func validate() throws { _ = try OperatorInput.meteredAccount(account) }

  func run() async throws {
    let request = AccountSignOut(account: try OperatorInput.meteredAccount(account))
    let answer = try await EngineAssembly.withEngine(common.settings) { engine in
      try engine.signOut(request, for: Caller())
    }
    print(answer.account.rawValue)
  }
}

/// `atelier account consent`: records what a person has accepted.
struct AccountConsentCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "consent",
    abstract: "Record that a person has accepted a version of the terms of use.",
    discussion: """
      The first acceptance of a version counts. accounts.requireConsent in the configuration requires it.

        atelier account consent anna --accepts 2026-11
      """)

  @Argument(help: "The account of the person.")
  var account: String

  @Option(help: "The version of the terms, such as 2026-11.")
  var accepts: String

  @Option(help: "When the person accepted it, such as 2026-11-01T00:00:00Z. By default now.")
  var at: String?

  @Flag(help: "Print the answer as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    _ = try OperatorInput.meteredAccount(account)
    _ = try at.map(OperatorInput.time)
    guard ConsentVersion.allows(accepts) else {
      throw ValidationError("--accepts must be of 1 to \(ConsentVersion.maximum) characters.")
    }
  }

  func run() async throws {
    let (named, acceptedAt) = (try OperatorInput.meteredAccount(account), try at.map(OperatorInput.time))
    let answer = try await EngineAssembly.withEngine(common.settings, for: named) { engine, account in
      try await engine.recordConsent(
        AccountConsent(account: account, version: accepts, acceptedAt: acceptedAt), for: Caller())
    }
    if json { return try Console.printJSON(answer) }
    if !answer.isNew { print("This version was accepted before, and nothing changed.") }
    for consent in answer.consents { print("Version \(consent.version), accepted \(consent.acceptedAt.localText).") }
  }
}

/// `atelier account delete`: deletes an account.
struct AccountDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete an account for ever: history, pictures, identities and consent.",
    discussion: """
      What still runs is cancelled first. The numbers of the ledger stay, without the account's name, and so do copies that
      were written elsewhere. At a terminal, it asks first; --yes answers beforehand.

        atelier account delete anna
      """)

  @Argument(help: "The account.")
  var account: String

  @Flag(name: [.short, .long], help: "Do not ask.")
  var yes = false

  @Flag(help: "Print the answer as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws { _ = try OperatorInput.meteredAccount(account) }

  func run() async throws {
    let named = try OperatorInput.meteredAccount(account)
    var isThere = false
    let answer = try await EngineAssembly.withEngine(common.settings) { engine in
      isThere = try await engine.lazyStore.store().hasAnything(of: named)
      if isThere {
        try await Confirmation.ask(
          "Delete the account \(account) with its history, its pictures and its credits for ever?", yes: yes)
      }
      return try await engine.deleteAccount(AccountDelete(account: named), for: Caller())
    }
    if json { return try Console.printJSON(answer) }
    guard isThere else { return print("There is no account “\(account)”: nothing was deleted.") }
    print("\(answer.account.rawValue) was deleted: \(answer.deleted) generations, \(Megabytes(answer.bytesFreed)) freed.")
  }
}
