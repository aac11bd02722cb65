import Foundation
import Support
import Testing

@Suite("The password of a database on a server", .timeLimit(.minutes(2)))
struct StorePasswordTests {
  private let directory: TemporaryDirectory
  private let server: PasswordServer

  init() throws {
    directory = try TemporaryDirectory()
    server = try PasswordServer()
    try directory.makeFolder("bin")
    // As the keyring's program: what it is asked, and a password of each role's own.
    let program = """
      #!/bin/sh
      echo "$@" >> '\(directory.path("asked"))'
      printf '[/1]\\nlabel = a password\\nsecret = the keyring of %s\\n' "$7"
      """
    try ProgramFile.write(program, at: directory.path("bin/secret-tool"))
  }

  /// What the keyring was asked so far.
  private var questions: [String] {
    let text = try? String(contentsOfFile: directory.path("asked"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  private func url(_ role: String) -> String { "postgresql://\(role)@127.0.0.1:\(server.port)/shop?sslmode=disable" }

  /// Runs a command that cannot work: the server hangs up once it was told a password.
  private func run(_ arguments: [String], _ variables: [String: String] = [:]) async throws -> String {
    let keyring = ["PATH": "\(directory.path("bin")):/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]
    let outcome = try await Executable.run(
      arguments + ["--data-dir", directory.path("data")], environment: keyring.merging(variables) { $1 })
    #expect(outcome.status != 0)
    #expect(!(outcome.output + outcome.errors).contains("the keyring of"), "a password was printed")
    return outcome.errors
  }

  @Test("the keyring is asked for the password of the very role, by whatever opens the database")
  func asked() async throws {
    let configuration = try directory.write("atelier.json", Array(#"{"store": {"url": "\#(url("works"))"}}"#.utf8))
    let empty = directory.path("empty")
    try directory.makeFolder("empty")
    let uses = [
      ("owner", ["store", "prepare", "--url", url("owner")]), ("works", ["store", "prepare", "--config", configuration]),
      ("works", ["store", "copy", "--from", url("works"), "--to", empty, "--yes"]),
      ("works", ["credits", "show", "--account", "anna", "--config", configuration]),
    ]
    for (role, arguments) in uses {
      let (told, before) = (server.passwords.count, questions.count)
      let errors = try await run(arguments)
      let passwords = server.passwords.dropFirst(told)
      #expect(!passwords.isEmpty && Set(passwords) == ["the keyring of \(role)"], "\(arguments): \(passwords) \(errors)")
      let asked = Set(questions.dropFirst(before))
      #expect(asked == ["search service atelier provider store user \(role)"], "\(arguments): \(asked)")
    }
  }

  @Test("the keyring is not asked where the environment or a file has the password, nor for a socket")
  func notAsked() async throws {
    let file = try directory.write("password", Array("the file\n".utf8))
    try #require(chmod(file, 0o600) == 0)
    _ = try await run(["store", "prepare", "--url", url("owner")], ["ATELIER_STORE_PASSWORD": "the environment"])
    _ = try await run(["store", "prepare", "--url", url("owner"), "--password-file", file])
    #expect(Set(server.passwords) == ["the environment", "the file"])
    // As an editor may have saved it.
    let marked = try directory.write("marked", SavedAs.marked("the marked file\n"))
    try #require(chmod(marked, 0o600) == 0 && symlink(marked, directory.path("link")) == 0)
    for path in [marked, directory.path("link")] {
      let told = server.passwords.count
      _ = try await run(["store", "prepare", "--url", url("owner"), "--password-file", path])
      #expect(Set(server.passwords.dropFirst(told)) == ["the marked file"])
    }
    let wide = try directory.write("wide", SavedAs.utf16("the wide file\n"))
    try #require(chmod(wide, 0o600) == 0)
    let count = server.passwords.count
    let errors = try await run(["store", "prepare", "--url", url("owner"), "--password-file", wide])
    #expect(errors.contains("it is in UTF-16: save it as UTF-8 and try again") && server.passwords.count == count)
    _ = try await run(["store", "prepare", "--url", "postgresql://owner@%2Fnonexistent/shop"])
    #expect(questions == [])
  }

  @Test("a lacking password is told of with the places where it may be")
  func lacking() async throws {
    let errors = try await run(["store", "prepare", "--url", url("owner")], ["DBUS_SESSION_BUS_ADDRESS": ""])
    #expect(server.passwords == [])
    for place in ["ATELIER_STORE_PASSWORD", "store.passwordFile", "--password-file", "keyring"] {
      #expect(errors.contains(place), "\(errors)")
    }
  }
}
