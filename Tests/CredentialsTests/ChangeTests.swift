import AtelierProtocol
import Foundation
import Glibc
import POSIX
import Testing

@testable import Credentials

@Suite("Setting and deleting a key", .timeLimit(.minutes(2)))
struct ChangeTests {
  @Test("a change of a key counts at once, in the keyring and in the file", arguments: [true, false])
  func atOnce(hasSecretService: Bool) async throws {
    let fixture = try CredentialsFixture()
    let tool = hasSecretService ? try FakeSecretTool(.working, in: fixture) : nil
    let chain = fixture.chain(tool: tool)
    let source: CredentialSource = hasSecretService ? .secretService : .file
    #expect(try await chain.key(for: .gemini) == nil)

    for key in [InventedKey.first, InventedKey.second] {
      let answer = try await chain.set(SecretText(key), for: .gemini)
      #expect(answer == CredentialsSet.Result(provider: .gemini, source: source, masked: "…\(key.suffix(4))"))
      #expect(try await chain.key(for: .gemini)?.text == key)
    }
    #expect(try await chain.key(for: .openai) == nil)
    #expect(try await chain.delete(.gemini) == CredentialsDelete.Result(provider: .gemini, deleted: true))
    #expect(try await chain.key(for: .gemini) == nil)
    #expect(try await chain.delete(.gemini) == CredentialsDelete.Result(provider: .gemini, deleted: false))
  }

  @Test("a change of a key is noticed by other processes with their next question", arguments: [true, false])
  func otherProcesses(hasSecretService: Bool) async throws {
    let fixture = try CredentialsFixture()
    let tool = hasSecretService ? try FakeSecretTool(.working, in: fixture) : nil
    let (here, there) = (fixture.chain(tool: tool), fixture.chain(tool: tool))
    #expect(try await there.key(for: .gemini) == nil)
    // Faster than any clock ticks, so that only what the lock says can tell them apart.
    for round in 0..<10 {
      for key in [InventedKey.first, InventedKey.second] {
        _ = try await here.set(SecretText(key), for: .gemini)
        #expect(try await there.key(for: .gemini)?.text == key, "round \(round)")
      }
      _ = try await here.delete(.gemini)
      #expect(try await there.key(for: .gemini) == nil, "round \(round)")
    }
  }

  @Test("a change of a key is told by a time that rises with each, even where the clock stands still or goes back")
  func rising() throws {
    let fixture = try CredentialsFixture()
    try fixture.makeData()
    let path = "\(fixture.data)/credentials.lock"
    let lock = try CredentialLock(path: path, milliseconds: 0)
    // As after the clock was set back by centuries.
    let future = timespec(tv_sec: 9_000_000_000, tv_nsec: 999_999_999)
    #expect(utimensat(AT_FDCWD, path, [future, future], 0) == 0)
    var before = try #require(try FileStatus(path: path)).contentChanged
    for _ in 0..<100 {
      try lock.announceChange()
      let after = try #require(try FileStatus(path: path)).contentChanged
      #expect(after > before)
      before = after
    }
  }

  @Test("a change by another program in the keyring is noticed within seconds, without asking it all the time")
  func otherPrograms() async throws {
    let fixture = try CredentialsFixture()
    let tool = try FakeSecretTool(.working, in: fixture)
    let chain = fixture.chain(tool: tool)
    for _ in 0..<5 { #expect(try await chain.key(for: .gemini) == nil) }
    #expect(tool.verbs == ["search"])

    try tool.put(InventedKey.first, for: .gemini)
    fixture.advance(by: CredentialChain.absenceLifetimeMs - 1)
    #expect(try await chain.key(for: .gemini) == nil)
    fixture.advance(by: 1)
    #expect(try await chain.key(for: .gemini)?.text == InventedKey.first)
    #expect(tool.verbs == ["search", "search"])
    // What was found stays.
    fixture.advance(by: 3_600_000)
    #expect(try await chain.key(for: .gemini)?.text == InventedKey.first)
    #expect(tool.verbs == ["search", "search"])
  }

  @Test("a change by hand in the file is noticed with the next question")
  func byHand() async throws {
    let fixture = try CredentialsFixture()
    let chain = fixture.chain()
    #expect(try await chain.key(for: .openai) == nil)
    try fixture.writeFile(#"{"version":1,"keys":{"openai":{"key":"\#(InventedKey.first)"}}}"#)
    #expect(try await chain.key(for: .openai)?.text == InventedKey.first)
    try fixture.writeFile(#"{"version":1,"keys":{}}"#)
    #expect(try await chain.key(for: .openai) == nil)
  }

  @Test("many questions for a key at the same time ask the keyring once")
  func together() async throws {
    let fixture = try CredentialsFixture()
    let tool = try FakeSecretTool(.working, in: fixture)
    try tool.put(InventedKey.first, for: .gemini)
    let chain = fixture.chain(tool: tool)
    let keys = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<50 { group.addTask { try await chain.key(for: .gemini)?.text } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(keys.count == 50)
    #expect(Set(keys) == [InventedKey.first])
    #expect(tool.verbs == ["search"])
  }

  @Test("a key that was read before a change is not remembered, where nothing but the keyring tells of the change")
  func whileReading() async throws {
    let fixture = try CredentialsFixture()
    let tool = try FakeSecretTool(.waiting, in: fixture)
    let chain = fixture.chain(tool: tool)
    try tool.put(InventedKey.first, for: .gemini)
    async let before = chain.key(for: .gemini)
    while !tool.isWaiting { await Task.yield() }
    #expect(try await chain.delete(.gemini).deleted)
    try tool.release()
    _ = try await before
    #expect(try await chain.key(for: .gemini) == nil)
  }

  @Test("a change that reaches the keyring and not the file is noticed by other processes")
  func halfDone() async throws {
    let fixture = try CredentialsFixture()
    let tool = try FakeSecretTool(.working, in: fixture)
    let (here, there) = (fixture.chain(tool: tool), fixture.chain(tool: tool))
    try fixture.writeFile(#"{"version":1,"keys":{"gemini":{"key":"\#(InventedKey.first)"}}}"#)
    #expect(try await there.key(for: .gemini)?.text == InventedKey.first)
    // The file cannot be written.
    try FileManager.default.createDirectory(
      atPath: "\(fixture.data)/credentials.json.new/occupied", withIntermediateDirectories: true)
    await #expect(throws: CredentialFailure.self) { try await here.set(SecretText(InventedKey.second), for: .gemini) }
    #expect(tool.secret(for: .gemini) == InventedKey.second)
    #expect(try await there.key(for: .gemini)?.text == InventedKey.second)
  }

  @Test("setting a key moves it from the file into the keyring once there is one")
  func moves() async throws {
    let fixture = try CredentialsFixture()
    _ = try await fixture.chain().set(SecretText(InventedKey.first), for: .gemini)
    _ = try await fixture.chain().set(SecretText(InventedKey.second), for: .openai)
    let tool = try FakeSecretTool(.working, in: fixture)
    let chain = fixture.chain(tool: tool)
    #expect(try await chain.set(SecretText(InventedKey.third), for: .gemini).source == .secretService)
    #expect(try !fixture.text(of: fixture.file).contains(InventedKey.first))
    #expect(try fixture.text(of: fixture.file).contains(InventedKey.second))
    #expect(tool.secret(for: .gemini) == InventedKey.third)
  }

  @Test("deleting a key deletes it in both places")
  func both() async throws {
    let fixture = try CredentialsFixture()
    let tool = try FakeSecretTool(.working, in: fixture)
    try fixture.writeFile(#"{"version":1,"keys":{"gemini":{"key":"\#(InventedKey.first)"}}}"#)
    try tool.put(InventedKey.second, for: .gemini)
    #expect(try await fixture.chain(tool: tool).delete(.gemini).deleted)
    #expect(tool.secret(for: .gemini) == nil)
    #expect(try fixture.text(of: fixture.file) == #"{"version":1,"keys":{}}"# + "\n")
  }

  @Test("deleting a key that is not there makes no data directory")
  func nothingToDelete() async throws {
    let fixture = try CredentialsFixture()
    #expect(try await !fixture.chain().delete(.gemini).deleted)
    #expect(CredentialsFixture.permissions(of: fixture.data) == nil)
  }

  @Test("setting a key is refused for what is no key", arguments: [
    "", " ", "two words", " \(InventedKey.first)", "key\n", "key\r", "tab\tkey", "nul\0key", "schlüssel", "鍵",
    String(repeating: "k", count: 4097),
  ])
  func noKey(text: String) async throws {
    let fixture = try CredentialsFixture()
    let tool = try FakeSecretTool(.working, in: fixture)
    let failure = await #expect(throws: CredentialFailure.self) {
      try await fixture.chain(tool: tool).set(SecretText(text), for: .gemini)
    }
    #expect(failure?.kind == .invalidApiKey)
    #expect(failure?.provider == .gemini)
    #expect(tool.verbs == [])
    #expect(CredentialsFixture.permissions(of: fixture.data) == nil)
  }

  @Test("setting a key takes the longest there may be", arguments: [true, false])
  func longest(hasSecretService: Bool) async throws {
    let fixture = try CredentialsFixture()
    let tool = hasSecretService ? try FakeSecretTool(.working, in: fixture) : nil
    let key = String(repeating: "k", count: APIKey.maximumLength)
    #expect(try await fixture.chain(tool: tool).set(SecretText(key), for: .gemini).note == nil)
    #expect(try await fixture.chain(tool: tool).key(for: .gemini)?.text == key)
  }

  @Test(
    "setting a key is refused for a provider that takes no key, naming those that do", arguments: ["ondevice", "", "Gemini"])
  func unknownProvider(name: String) async throws {
    let chain = try CredentialsFixture().chain()
    let id = ProviderID(rawValue: name)
    let failures = [
      await #expect(throws: CredentialFailure.self) { try await chain.set(SecretText(InventedKey.first), for: id) },
      await #expect(throws: CredentialFailure.self) { try await chain.delete(id) },
    ]
    for failure in failures {
      #expect(failure?.kind == .unsupportedByProvider)
      #expect(failure?.sentence.contains("gemini, openai") == true)
    }
  }
}
