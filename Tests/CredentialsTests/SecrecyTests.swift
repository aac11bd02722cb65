import AtelierProtocol
import Foundation
import Testing

@testable import Credentials

@Suite("A key is never shown", .timeLimit(.minutes(2)))
struct SecrecyTests {
  private static let keys = [InventedKey.first, InventedKey.second, InventedKey.third]

  private func expectNoKey(in text: String, _ place: String) {
    for key in Self.keys { #expect(!text.contains(key) && !text.contains(key.dropFirst(8)), "\(place)") }
  }

  /// All the ways in which a value comes to be printed.
  private func expectNoKey(in value: Any, _ place: String) {
    var dumped = ""
    dump(value, to: &dumped)
    for text in [dumped, "\(value)", String(reflecting: value)] { expectNoKey(in: text, place) }
  }

  @Test("a key is never shown to the keyring's program in its arguments or environment, whatever is done with it")
  func arguments() async throws {
    let fixture = try CredentialsFixture()
    let tool = try FakeSecretTool(.working, in: fixture)
    let environment = [
      "OPENAI_API_KEY": InventedKey.second, "GOOGLE_API_KEY": "", "ANYTHING": InventedKey.third, "HOME": fixture.path,
    ]
    let chain = fixture.chain(environment, tool: tool)
    _ = try await chain.set(SecretText(InventedKey.first), for: .gemini)
    _ = try await chain.key(for: .gemini)
    _ = await chain.status(for: .caller)
    _ = try await chain.delete(.gemini)
    #expect(tool.verbs == ["store", "search", "search", "search", "clear", "search"])
    let calls = tool.calls
    #expect(calls.contains("store") && calls.contains("DBUS_SESSION_BUS_ADDRESS="))
    expectNoKey(in: calls, "the calls of secret-tool")
    // Nothing but what leads to the bus; the shell adds PWD.
    let variables = calls.split(separator: "\n").filter { $0.contains("=") && !$0.hasPrefix("--label=") }
      .compactMap { $0.split(separator: "=").first.map(String.init) }
    #expect(Set(variables).subtracting(["PWD", "_", "SHLVL"]) == ["DBUS_SESSION_BUS_ADDRESS", "HOME"])
  }

  @Test("a key is never shown by anything that holds one, however it is printed")
  func printed() async throws {
    let fixture = try CredentialsFixture()
    let tool = try FakeSecretTool(.working, in: fixture)
    let chain = fixture.chain(["OPENAI_API_KEY": InventedKey.second], tool: tool)
    expectNoKey(in: CredentialsSet(provider: .gemini, key: SecretText(InventedKey.first)), "the message")
    expectNoKey(in: try await chain.set(SecretText(InventedKey.first), for: .gemini), "the answer to set")
    expectNoKey(in: try await chain.key(for: .gemini) as Any, "the key")
    expectNoKey(in: try await chain.found(for: .openai) as Any, "what was found")
    expectNoKey(in: await chain.status(for: .operator), "the status")
    expectNoKey(in: chain, "the chain")
    expectNoKey(in: await chain.environment, "the environment")
    expectNoKey(in: try await chain.delete(.gemini), "the answer to delete")
    let keys = StoredKeys(parsing: Array(#"{"version":1,"keys":{"gemini":{"key":"\#(InventedKey.first)"}}}"#.utf8))
    expectNoKey(in: try #require(keys), "the content of the file")
    expectNoKey(in: SecretServiceAnswer.found(try #require(APIKey(InventedKey.first))), "the keyring's answer")
    let run = ToolRun(
      executable: "", arguments: [], environment: [], input: Array(InventedKey.first.utf8), milliseconds: 0)
    expectNoKey(in: run, "the run of a program")
  }

  @Test("a key is never shown by a program's complaints, which may repeat what it was given")
  func complaints() async throws {
    let fixture = try CredentialsFixture()
    let chain = fixture.chain(tool: try FakeSecretTool(.failing, in: fixture))
    expectNoKey(in: try await chain.set(SecretText(InventedKey.first), for: .gemini), "the answer to set")
    expectNoKey(in: try await chain.delete(.gemini), "the answer to delete")
  }
}
