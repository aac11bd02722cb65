import Foundation
import JSON
import Support
import ServiceFixture
import Testing

@Suite("The commands for credits", .serialized, .timeLimit(.minutes(3)))
struct CreditsCommandTests {
  private let directory: TemporaryDirectory
  private var data: String { "\(directory.path)/data" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func run(_ arguments: String...) async throws -> Executable.Outcome {
    try await Executable.run(arguments + ["--data-dir", data])
  }

  /// What a command that succeeds prints with `--json`.
  private func json(_ arguments: String...) async throws -> JSONValue {
    let outcome = try await Executable.run(arguments + ["--json", "--data-dir", data])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try JSONValue(parsing: Array(outcome.output.utf8))
  }

  @Test("the credit commands explain themselves with examples", arguments: [
    ["credits"], ["credits", "grant"], ["credits", "revoke"], ["credits", "show"], ["credits", "history"],
    ["credits", "audit"], ["account"], ["account", "set"], ["account", "show"], ["account", "sign-in"],
    ["account", "sign-out"], ["account", "consent"], ["account", "delete"], ["backup"],
  ])
  func help(command: [String]) async throws {
    let outcome = try await Executable.run(command + ["--help"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("  atelier \(command.joined(separator: " "))"), "\(outcome.output)")
  }

  @Test("the credit commands refuse wrong usage with 2 and say what is wrong", arguments: [
    (["credits", "grant", "--account", "anna", "--amount", "0", "--reason", "x"], "1 to 1000000"),
    (["credits", "grant", "--account", "anna", "--amount=-5", "--reason", "x"], "1 to 1000000"),
    (["credits", "grant", "--account", "anna", "--amount", "1000001", "--reason", "x"], "1 to 1000000"),
    (["credits", "grant", "--account", "anna", "--amount", "99999999999999999999", "--reason", "x"], "--amount"),
    (["credits", "grant", "--account", "anna", "--amount", "1.5", "--reason", "x"], "--amount"),
    (["credits", "grant", "--account", "anna", "--amount", "1"], "--reason"),
    (["credits", "grant", "--account", "anna", "--amount", "1", "--reason", " \n"], "say why"),
    (["credits", "grant", "--account", "anna", "--amount", "1", "--reason", "x", "--key", ""], "--key"),
    (["credits", "grant", "--account", "", "--amount", "1", "--reason", "x"], "1 to 128 characters"),
    (["credits", "grant", "--account", "owner", "--amount", "1", "--reason", "x"], "this machine's own"),
    (["credits", "revoke", "--account", "anna", "--amount", "0", "--reason", "x"], "1 to 1000000"),
    (["credits", "revoke", "--account", "anna", "--amount", "1", "--reason", ""], "say why"),
    (["credits", "revoke", "--account", "owner", "--amount", "1", "--reason", "x"], "this machine's own"),
    (["credits", "show"], "--account"), (["credits", "show", "--account", "owner"], "this machine's own"),
    (["credits", "history", "--account", "owner"], "this machine's own"),
    (["credits", "history", "--account", "anna", "--limit", "101"], "1 to 100"),
    (["account", "sign-in", "anna"], "--token FILE"), (["account", "show", "owner"], "this machine's own"),
    (["account", "sign-in", "anna", "--identity", "email"], "--identity must be"),
    (["account", "sign-in", "anna", "--identity", "email:"], "--identity must be"),
    (["account", "sign-in", "anna", "--identity", "a:b", "--token", "-"], "--token FILE"),
    (["account", "sign-in", "anna", "--identity", "a:b", "--nonce", "n"], "--nonce"),
    (["account", "consent", "anna", "--accepts", ""], "--accepts"), (["account", "delete", "*"], "every account"),
    (["account", "delete", "deleted:anna"], "deleted accounts"),
    (["account", "set", "anna"], "--tier"), (["account", "set", "anna", "--tier", "gold"], "guest, free or premium"),
    (["account", "set", "anna", "--tier", "owner"], "guest, free or premium"),
    (["account", "set", "owner", "--tier", "free"], "this machine's own"), (["backup"], "folder"),
    (["account", "set", "anna", "--tier", "free", "--start", "2026-11-01T00:00:00Z"], "--tier premium only"),
    (["account", "set", "anna", "--tier", "premium", "--start", "yesterday"], "is not a time"),
    (["account", "set", "anna", "--tier", "premium", "--key", ""], "--key"),
    (["serve", "--multi-account", "--account", "owner"], "this machine's own"),
    (["backup", ""], "folder"),
  ])
  func usage(arguments: [String], words: String) async throws {
    let outcome = try await Executable.run(arguments + ["--data-dir", data])
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("Error: ") && outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: data))
  }

  @Test("the credit commands give, take back and show, for people")
  func people() async throws {
    let grant = try await run("credits", "grant", "--account", "anna", "--amount", "8", "--reason", "a gift")
    #expect(grant.status == 0, "\(grant.errors)")
    #expect(
      grant.lines == ["anna is a new account.", "anna was given 8 credits.", "anna has 9 credits to spend."])
    let revoke = try await run("credits", "revoke", "--account", "anna", "--amount", "3", "--reason", "given twice")
    #expect(revoke.lines == ["3 credits of anna taken back.", "anna has 6 credits to spend."])
    let show = try await run("credits", "show", "--account", "anna")
    #expect(show.lines.prefix(2) == ["Tier: guest.", "anna has 6 credits to spend."])
    #expect(show.lines.last?.hasPrefix("  operator: 5 of 8, since ") == true, "\(show.output)")
    let history = try await run("credits", "history", "--account", "anna")
    try #require(history.lines.count == 4, "\(history.output)")
    #expect(history.lines.first?.contains("-3  revocation  leaves 6  operator  given twice") == true, "\(history.output)")
    #expect(history.lines[1].contains("+8  grant  leaves 9  operator  a gift"))
    #expect(history.lines.last == "0 credits used in all.")
    let audit = try await run("credits", "audit")
    #expect(audit.status == 0 && audit.lines == ["The ledger of credits is intact."])
  }

  @Test("the credit commands answer as the protocol does with --json")
  func programs() async throws {
    let give = ["credits", "grant", "--account", "anna", "--amount", "8", "--reason", "a gift", "--key", "ticket-1"]
    for _ in 0..<2 {
      let outcome = try await Executable.run(give + ["--json", "--data-dir", data])
      let balance = try JSONValue(parsing: Array(outcome.output.utf8))
      #expect(balance["available"] == 9 && balance["account"] == "anna" && balance["tier"] == "guest")
    }
    let again = try await Executable.run(give + ["--data-dir", data])
    #expect(again.lines.first == "anna was given 8 credits by this key before, and nothing now.")
    let other = try await run(
      "credits", "grant", "--account", "bert", "--amount", "8", "--reason", "x", "--key", "ticket-1")
    #expect(other.status == 1 && other.errors.contains("a grant of another amount, account or reason"), "\(other.errors)")
    let left = try await json("credits", "revoke", "--account", "anna", "--amount", "2", "--reason", "back")
    #expect(left["available"] == 7)
    let page = try await json("credits", "history", "--account", "anna", "--limit", "2")
    #expect(page["entries"]?.array?.count == 2 && page["entries"]?[0]?["reason"] == "back")
    let next = try #require(page["nextCursor"]?.string)
    let rest = try await json("credits", "history", "--account", "anna", "--cursor", next)
    #expect(rest["entries"]?.array?.count == 1 && rest["entries"]?[0]?["bucket"] == "guest")
    #expect(try await json("credits", "audit") == ["sound": true, "findings": []])
    let unknown = try await run("credits", "show", "--account", "bert")
    #expect(unknown.status == 1 && unknown.errors.contains("There is no account “bert”"), "\(unknown.errors)")
  }

  @Test("the credit commands take back a payment by its key, and wait for one that has not come")
  func awaited() async throws {
    let words = ["--account", "anna", "--amount", "8", "--reason", "refunded", "--key", "pi_1"]
    let refund = try await Executable.run(["credits", "revoke", "--owe"] + words + ["--data-dir", data])
    let waits = "Nothing is taken until the payment “pi_1” is granted; then 8 credits of it."
    #expect(refund.lines == [waits, "anna has 0 credits to spend."])
    let again = try await Executable.run(["credits", "revoke", "--no-owe"] + words + ["--data-dir", data])
    #expect(again.lines.first == waits)
    _ = try await run("credits", "grant", "--account", "anna", "--amount", "8", "--reason", "paid", "--key", "pi_1")
    let shown = try await json("credits", "show", "--account", "anna")
    #expect(shown["shortfall"] == 0 && shown["available"] == 1)
    #expect(try await json("credits", "audit")["sound"] == true)
  }

  @Test("the credit commands set a tier once by a key, and grant a month once")
  func flapping() async throws {
    func set(_ words: String...) async throws -> [String] {
      let outcome = try await Executable.run(["account", "set", "anna"] + words + ["--data-dir", data])
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.lines
    }
    let start = ["--start", "2026-01-31T00:00:00Z"]
    #expect(try await set("--tier", "premium", start[0], start[1], "--key", "e1").contains("anna was given 168 credits."))
    for key in ["e2", "e3", "e4"] {
      _ = try await set("--tier", "guest", "--key", "guest \(key)")
      let lines = try await set("--tier", "premium", "--key", key)
      #expect(
        lines == [
          "anna is premium now.", "The month goes on, and its credits were given when it began.",
          "anna has 169 credits to spend.",
        ])
    }
    #expect(
      try await set("--tier", "guest", "--key", "guest e2").first
        == "This change was made by this key before, and nothing now.")
    #expect(try await json("credits", "show", "--account", "anna")["tier"] == "premium")
  }

  @Test("the credit commands do not take back more than there is")
  func tooMuch() async throws {
    _ = try await run("account", "set", "anna", "--tier", "guest")
    let outcome = try await run("credits", "revoke", "--account", "anna", "--amount", "2", "--reason", "all")
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.errors == "atelier: Only 1 of these 2 credits can be revoked. Revoke at most 1.\n")
  }

  @Test("the credit commands set what an account is, and what it was stays as it was where nothing is said")
  func accounts() async throws {
    let premium = try await json("account", "set", "anna", "--tier", "premium", "--unlimited")
    #expect(premium["tier"] == "premium" && premium["unlimited"] == true && premium["available"] == 169)
    #expect(premium["resetAt"] != nil)
    let limited = try await json("account", "set", "anna", "--no-unlimited")
    #expect(limited["tier"] == "premium" && limited["unlimited"] == false)
    let free = try await run("account", "set", "anna", "--tier", "free")
    #expect(free.lines.first == "anna is free now.", "\(free.output)\(free.errors)")
    #expect(try await json("credits", "audit")["sound"] == true)
  }

  @Test("an audit ends with 1 and names what is wrong, and so does doctor")
  func damaged() async throws {
    _ = try await run("account", "set", "anna", "--tier", "guest")
    let change = "UPDATE account_balance SET available = 5"
    let code = "import sqlite3; d = sqlite3.connect('\(data)/atelier.sqlite'); d.execute('\(change)'); d.commit()"
    #expect(try await Executable.run(["-c", code], program: "/usr/bin/python3").status == 0)
    let audit = try await run("credits", "audit")
    #expect(audit.status == 1)
    #expect(audit.lines == ["anna: balance of the account is not the sum of its transfers."])
    #expect(audit.errors.contains("atelier doctor"))
    let machine = try await Executable.run(["credits", "audit", "--json", "--data-dir", data])
    #expect(machine.status == 1 && machine.output.contains("\"sound\":false"))
    let doctor = try await run("doctor")
    #expect(doctor.status == 1)
    #expect(doctor.lines.contains { $0.hasPrefix("✗ ledger: ") && $0.contains("backup") }, "\(doctor.output)")
  }

  @Test("an unusable data directory ends the credit commands with 3", arguments: [
    ["credits", "show", "--account", "anna"], ["credits", "audit"], ["account", "set", "anna", "--tier", "free"],
    ["backup", "copy"],
  ])
  func unusable(arguments: [String]) async throws {
    try Data().write(to: URL(fileURLWithPath: data))
    let outcome = try await Executable.run(arguments + ["--data-dir", data])
    #expect(outcome.status == 3 && outcome.errors.hasPrefix("atelier: ") && outcome.errors.contains(data))
  }
}
