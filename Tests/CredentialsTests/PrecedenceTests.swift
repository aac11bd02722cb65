import AtelierProtocol
import Foundation
import Testing

@testable import Credentials

@Suite("Where a key comes from", .timeLimit(.minutes(2)))
struct PrecedenceTests {
  /// What is where, and which of it counts.
  struct Case: Sendable, CustomStringConvertible {
    var environment: [String: String] = [:]
    var secretService: String?
    var file: String?
    var provider: ProviderID = .gemini
    var key: String?
    var source: CredentialSource?

    var description: String {
      "\(provider): \(environment.keys.sorted()), keyring \(secretService != nil), file \(file != nil)"
    }
  }

  private static let (first, second, third) = (InventedKey.first, InventedKey.second, InventedKey.third)

  static let cases = [
    Case(),
    Case(file: first, key: first, source: .file),
    Case(secretService: second, key: second, source: .secretService),
    Case(secretService: second, file: first, key: second, source: .secretService),
    Case(environment: ["GEMINI_API_KEY": third], key: third, source: .environment),
    Case(environment: ["GOOGLE_API_KEY": third], key: third, source: .environment),
    Case(environment: ["GEMINI_API_KEY": third, "GOOGLE_API_KEY": first], key: third, source: .environment),
    Case(environment: ["GEMINI_API_KEY": "", "GOOGLE_API_KEY": third], key: third, source: .environment),
    Case(environment: ["GEMINI_API_KEY": third], file: first, key: third, source: .environment),
    Case(environment: ["GEMINI_API_KEY": third], secretService: second, key: third, source: .environment),
    Case(environment: ["GEMINI_API_KEY": third], secretService: second, file: first, key: third, source: .environment),
    Case(environment: ["GEMINI_API_KEY": ""], file: first, key: first, source: .file),
    Case(environment: ["GEMINI_API_KEY": "", "GOOGLE_API_KEY": ""]),
    Case(environment: ["OPENAI_API_KEY": third], file: first, key: first, source: .file),
    Case(environment: ["OPENAI_API_KEY": third], provider: .openai, key: third, source: .environment),
    Case(environment: ["GEMINI_API_KEY": third, "GOOGLE_API_KEY": third], provider: .openai),
    Case(secretService: second, provider: .openai, key: second, source: .secretService),
    Case(file: first, provider: .openai, key: first, source: .file),
    Case(environment: ["GEMINI_API_KEY": third], provider: .ondevice),
  ]

  @Test("a key comes from the environment, then the keyring, then the file", arguments: cases)
  func precedence(_ wanted: Case) async throws {
    let fixture = try CredentialsFixture()
    let tool = try FakeSecretTool(.working, in: fixture)
    if let text = wanted.file {
      try fixture.writeFile(#"{"version":1,"keys":{"\#(wanted.provider)":{"key":"\#(text)"}}}"#)
    }
    if let text = wanted.secretService { try tool.put(text, for: wanted.provider) }
    let chain = fixture.chain(wanted.environment, tool: tool)

    #expect(try await chain.key(for: wanted.provider)?.text == wanted.key)
    guard let entry = await chain.entry(wanted.provider) else {
      #expect(wanted.provider == .ondevice)
      return
    }
    #expect(entry.configured == (wanted.key != nil))
    #expect(entry.source == wanted.source)
    #expect(entry.masked == wanted.key.map { "…\($0.suffix(4))" })
    #expect((entry.environmentVariable != nil) == (wanted.source == .environment))
    #expect(entry.environmentVariables == KeyedProvider.named(wanted.provider)?.environmentVariables)
    #expect(entry.reason == nil)
  }

  @Test("a key does not come from the keyring where there is no bus, or no program to ask it with", arguments: [
    ["DBUS_SESSION_BUS_ADDRESS": ""], ["PATH": ""], ["PATH": "/nonexistent"], ["PATH": "relative"],
  ])
  func noSecretService(without: [String: String]) async throws {
    let fixture = try CredentialsFixture()
    let tool = try FakeSecretTool(.working, in: fixture)
    try tool.put(InventedKey.second, for: .gemini)
    let variables = tool.variables.merging(without) { $1 }
    let answer = try await fixture.chain(variables).set(SecretText(InventedKey.first), for: .gemini)
    #expect(answer == CredentialsSet.Result(provider: .gemini, source: .file, masked: "…1111"))
    #expect(try await fixture.chain(variables).key(for: .gemini)?.text == InventedKey.first)
    #expect(tool.verbs == [])
  }

  @Test("a key comes from the keyring where only the runtime directory tells of a bus")
  func runtimeDirectory() async throws {
    let fixture = try CredentialsFixture()
    let tool = try FakeSecretTool(.working, in: fixture)
    var variables = tool.variables
    variables["DBUS_SESSION_BUS_ADDRESS"] = nil
    variables["XDG_RUNTIME_DIR"] = fixture.path
    #expect(try await fixture.chain(variables).set(SecretText(InventedKey.first), for: .gemini).source == .file)
    try "".write(toFile: "\(fixture.path)/bus", atomically: false, encoding: .utf8)
    #expect(try await fixture.chain(variables).set(SecretText(InventedKey.first), for: .gemini).source == .secretService)
  }

  @Test("the key of the environment is told to win when one is set or deleted under it")
  func environmentWins() async throws {
    let fixture = try CredentialsFixture()
    let chain = fixture.chain(["GOOGLE_API_KEY": InventedKey.third])
    let set = try await chain.set(SecretText(InventedKey.first), for: .gemini)
    #expect(set.source == .file)
    #expect(set.masked == "…1111")
    #expect(set.environmentVariable == "GOOGLE_API_KEY")
    #expect(set.note?.contains("GOOGLE_API_KEY") == true)
    #expect(try await chain.key(for: .gemini)?.text == InventedKey.third)
    #expect(try await fixture.chain().key(for: .gemini)?.text == InventedKey.first)

    let deleted = try await chain.delete(.gemini)
    #expect(deleted.deleted)
    #expect(deleted.environmentVariable == "GOOGLE_API_KEY")
    #expect(deleted.note?.contains("GOOGLE_API_KEY") == true)
    #expect(try await chain.key(for: .gemini)?.text == InventedKey.third)
    #expect(try await fixture.chain().key(for: .gemini) == nil)
  }

  @Test("a variable that holds a placeholder or no key is passed over for the next place, which is told", arguments: [
    "${GEMINI_API_KEY}", "YOUR_API_KEY", "\"an-invented-key-quoted-7777\"", "Bearer an-invented-key-quoted-7777",
    "two words",
  ])
  func passedOver(text: String) async throws {
    let fixture = try CredentialsFixture()
    let tool = try FakeSecretTool(.working, in: fixture)
    let both = fixture.chain(["GEMINI_API_KEY": text, "GOOGLE_API_KEY": InventedKey.third], tool: tool)
    #expect(try await both.key(for: .gemini)?.text == InventedKey.third)
    #expect(await both.entry(.gemini)?.environmentVariable == "GOOGLE_API_KEY")

    let chain = fixture.chain(["GEMINI_API_KEY": text], tool: tool)
    let error = await #expect(throws: AtelierError.self) { try await chain.key(for: .gemini) }
    #expect(error?.hint?.contains("GEMINI_API_KEY") == true && error?.hint?.contains(text) == false)
    #expect(error?.kind == (text == "two words" ? .invalidApiKey : .noApiKey))
    #expect(error?.details["reason"]?.string == (text == "two words" ? nil : "placeholder_key"))
    #expect(await chain.entry(.gemini)?.reason == error?.hint)

    let set = try await chain.set(SecretText(InventedKey.first), for: .gemini)
    #expect(set.environmentVariable == nil && set.note?.contains("GEMINI_API_KEY is passed over") == true)
    #expect(try await chain.key(for: .gemini)?.text == InventedKey.first)
    let entry = try #require(await chain.entry(.gemini))
    #expect(entry.configured && entry.source == .secretService && entry.reason == nil)
    #expect(entry.note?.contains("GEMINI_API_KEY is passed over") == true && entry.note?.contains(text) == false)
    #expect(try await chain.delete(.gemini).environmentVariable == nil)
    try fixture.writeFile(#"{"version":1,"keys":{"gemini":{"key":"\#(InventedKey.second)"}}}"#)
    #expect(try await fixture.chain(["GEMINI_API_KEY": text]).key(for: .gemini)?.text == InventedKey.second)
  }

  @Test("a placeholder that somebody sets is refused, and the refusal does not repeat it", arguments: [
    "${OPENAI_API_KEY}", "YOUR_API_KEY", "'an-invented-key-quoted-7777'", "Bearer an-invented-key-quoted-7777", "sk-...",
  ])
  func placeholderSet(text: String) async throws {
    let fixture = try CredentialsFixture()
    let error = await #expect(throws: CredentialFailure.self) {
      try await fixture.chain().set(SecretText(text), for: .openai)
    }
    #expect(error?.kind == .invalidApiKey)
    #expect(error?.sentence.contains(text) == false && error?.sentence.contains("7777") == false)
    #expect(CredentialsFixture.permissions(of: fixture.file) == nil)
  }

  @Test("an environment that holds no key gives none, and says so", arguments: ["two words", "key\n", "schlüssel"])
  func environmentIsWrong(text: String) async throws {
    let chain = try CredentialsFixture().chain(["GEMINI_API_KEY": text])
    let error = await #expect(throws: AtelierError.self) { try await chain.key(for: .gemini) }
    #expect(error?.kind == .invalidApiKey)
    #expect(error?.provider == .gemini)
    #expect(error?.hint?.contains("GEMINI_API_KEY") == true)
    #expect(error?.hint?.contains(text) == false)
    #expect(await chain.entry(.gemini)?.configured == false)
    #expect(await chain.entry(.gemini)?.reason == error?.hint)
  }
}
