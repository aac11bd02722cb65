import AtelierProtocol
import Foundation
import JSON
import ServiceFixture
import SimulatedIssuers
import Support
import Testing

@Suite("The commands for the people behind accounts", .serialized, .timeLimit(.minutes(3)))
struct AccountCommandTests {
  private let directory: TemporaryDirectory
  private var data: String { directory.path("data") }
  private let photo = Fixture.path("portraits/astronaut.png")

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ arguments: String..., input: String = "") async throws -> Executable.Outcome {
    try await Executable.run(arguments + ["--data-dir", data], input: input)
  }

  private func json(_ arguments: String...) async throws -> JSONValue {
    let outcome = try await Executable.run(arguments + ["--json", "--data-dir", data])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try JSONValue(parsing: Array(outcome.output.utf8))
  }

  @Test("the commands for accounts sign a guest in, follow it to its account, and delete that with its pictures")
  func whole() async throws {
    _ = try await run("account", "sign-in", "phone", "--identity", "email:anna@example.org")
    _ = try await run("generate", photo, "--account", "slate", "--no-output")
    let consent = try await run("account", "consent", "slate", "--accepts", "2026-11", "--at", "2026-11-01T00:00:00Z")
    #expect(consent.output.contains("Version 2026-11, accepted "))
    let merged = try await json("account", "sign-in", "slate", "--identity", "email:anna@example.org")
    #expect(merged["account"] == "phone" && merged["merged"] == true && merged["balance"]?["available"] == 5)
    let shown = try await run("account", "show", "slate")
    for line in ["slate was merged into phone.", "Signs in with email.", "Accepted version 2026-11"] {
      #expect(shown.output.contains(line), "\(shown.output)")
    }
    for name in ["phone", "slate"] {
      #expect(try await json("history", "--account", name)["entries"]?.array?.count == 1, "\(name)")
    }
    _ = try await run("generate", photo, "--account", "slate", "--no-output")
    #expect(try await json("history", "--account", "phone")["entries"]?.array?.count == 2)
    // What an operator decides about the old name counts for the account.
    #expect(try await json("credits", "grant", "--account", "slate", "--amount", "2", "--reason", "x")["available"] == 7)
    let folder = try directory.makeFolder("export")
    let export = try await json("export", folder, "--account", "phone")
    let path = try #require(export["accountPath"]?.string)
    let exported = try JSONValue(parsing: [UInt8](try Data(contentsOf: URL(filePath: path))))
    #expect(exported["account"] == "phone" && exported["signedInWith"] == ["email"])
    #expect(exported["consents"] == [["version": "2026-11", "acceptedAt": "2026-11-01T00:00:00.000Z"]])
    // By an old name, nobody is deleted by mistake.
    for command in [["account", "delete", "slate"], ["delete", "--all", "--account", "slate"]] {
      let refused = try await Executable.run(command + ["--data-dir", data])
      #expect(refused.status == 1 && refused.errors.contains("“slate” was merged into “phone”"), "\(refused.errors)")
    }
    #expect(try await run("account", "delete", "phone").output.contains("phone was deleted: 2 generations"))
    #expect(try await run("account", "delete", "phone").output.contains("nothing was deleted"))
    #expect(try await run("account", "show", "phone").status == 1)
    let pictures = FileManager.default.enumerator(atPath: "\(data)/artifacts")?.compactMap { $0 as? String } ?? []
    #expect(pictures.filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".png") } == [])
  }

  @Test("a token is taken from a file or standard input, and never from the arguments or into what is printed")
  func token() async throws {
    let issuer = try SimulatedIssuer("https://issuer.example")
    let keys = try directory.write("keys.json", try issuer.keySet().serialized())
    let configuration: JSONValue = [
      "accounts": [
        "issuers": [
          ["id": "example", "issuer": "https://issuer.example", "audiences": ["app"], "keys": .string(keys)],
        ],
      ],
    ]
    let path = try directory.write("atelier.json", configuration.serialized())
    let signIn = SimulatedSignIn(audience: "app", subject: "anna", nonce: "n")
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    let token = try issuer.token(for: signIn, at: now)
    let file = try directory.write("token", Array("\(token)\n".utf8))
    let options = ["--nonce", "n", "--config", path, "--data-dir", data]
    let first = try await Executable.run(["account", "sign-in", "phone", "--token", file] + options)
    #expect(first.status == 0 && first.output.contains("Continue as phone, which is free."), "\(first.errors)")
    let second = try await Executable.run(["account", "sign-in", "slate", "--token", "-"] + options, input: token)
    #expect(second.status == 0 && second.output.contains("Continue as phone"), "\(second.errors)")
    let expired = try issuer.token(for: signIn, flaw: .expired, at: now)
    let refused = try await Executable.run(["account", "sign-in", "slate", "--token", "-"] + options, input: expired)
    #expect(refused.status == 1 && refused.errors.contains("The sign-in has expired"))
    #expect(!refused.errors.contains(expired.suffix(40)))
    let marked = try directory.write("marked", SavedAs.marked("\(token)\n"))
    #expect(try await Executable.run(["account", "sign-in", "phone", "--token", marked] + options).status == 0)
    let wide = try directory.write("wide", SavedAs.utf16(token))
    let unread = try await Executable.run(["account", "sign-in", "phone", "--token", wide] + options)
    #expect(unread.errors.contains("The token in “\(wide)” is in UTF-16: save it as UTF-8 and try again."))
    let missing = try await Executable.run(["account", "sign-in", "slate", "--token", "/no/such/file"] + options)
    #expect(missing.status == 1 && missing.errors.contains("Could not read /no/such/file"))
  }

  @Test("a key set that cannot be used is a warning of the service that starts, and of no other command")
  func warning() async throws {
    let configuration: JSONValue = [
      "accounts": [
        "issuers": [
          ["id": "example", "issuer": "https://issuer.example", "audiences": ["app"], "keys": "/no/such/file"],
        ],
      ],
    ]
    let path = try directory.write("atelier.json", configuration.serialized())
    let served = try await run("serve", "--config", path)
    #expect(served.status == 0 && served.errors.contains("example"), "\(served.errors)")
    let shown = try await run("history", "--config", path)
    #expect(shown.status == 0 && !shown.errors.contains("example"), "\(shown.errors)")
  }
}
