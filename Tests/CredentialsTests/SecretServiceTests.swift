import AtelierProtocol
import Glibc
import POSIX
import Testing

@testable import Credentials

@Suite("A keyring that behaves badly", .timeLimit(.minutes(2)))
struct SecretServiceTests {
  private let fixture: CredentialsFixture

  init() throws { fixture = try CredentialsFixture() }

  @Test("a failing keyring does not keep a key from being kept, in the file, with a word about it", arguments: [
    FakeSecretTool.Manner.locked, .lying, .failing, .crashing, .garbage, .holdingNonsense,
  ])
  func keeping(manner: FakeSecretTool.Manner) async throws {
    let tool = try FakeSecretTool(manner, in: fixture)
    let chain = fixture.chain(tool: tool)
    let answer = try await chain.set(SecretText(InventedKey.first), for: .gemini)
    #expect(answer.source == .file)
    #expect(answer.note?.contains("keyring") == true)
    #expect(try await chain.key(for: .gemini)?.text == InventedKey.first)
    #expect(try await fixture.chain(tool: tool).key(for: .gemini)?.text == InventedKey.first)
    #expect(await chain.entry(.gemini)?.source == .file)
  }

  @Test("a keyring is not waited for: what hangs or floods is killed, with all it has started", arguments: [
    FakeSecretTool.Manner.hanging, .flooding,
  ])
  func overdue(manner: FakeSecretTool.Manner) async throws {
    let tool = try FakeSecretTool(manner, in: fixture)
    let chain = fixture.chain(tool: tool, timeoutMs: 300)
    let answer = try await chain.set(SecretText(InventedKey.first), for: .gemini)
    #expect(answer.source == .file)
    #expect(answer.note?.contains("did not answer in time") == true)
    #expect(try await chain.key(for: .gemini)?.text == InventedKey.first)
    let deleted = try await chain.delete(.gemini)
    #expect(deleted.deleted)
    #expect(deleted.note?.contains("did not answer in time") == true)
    for process in tool.processes { #expect(try Self.hasEnded(process)) }
  }

  /// Waits for the end of a process that was killed a moment ago.
  private static func hasEnded(_ process: Int32) throws -> Bool {
    guard let number = try ProcessDescriptor.open(process) else { return true }
    let descriptor = FileDescriptor(owning: number)
    var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 30_000) == 1
  }

  @Test("a keyring that hangs is left alone for a minute")
  func leftAlone() async throws {
    let tool = try FakeSecretTool(.hanging, in: fixture)
    // Long enough for the one that works, on a busy machine.
    let chain = fixture.chain(tool: tool, timeoutMs: 5000)
    func expectToBeTold(_ provider: ProviderID) async {
      let error = await #expect(throws: AtelierError.self) { try await chain.key(for: provider) }
      #expect(error?.kind == .noApiKey && error?.hint?.contains("keyring did not answer in time") == true)
    }
    await expectToBeTold(.gemini)
    await expectToBeTold(.openai)
    fixture.advance(by: CredentialChain.slownessLifetimeMs - 1)
    await expectToBeTold(.gemini)
    #expect(tool.verbs == ["search"])
    _ = try FakeSecretTool(.working, in: fixture)
    try tool.put(InventedKey.first, for: .gemini)
    fixture.advance(by: CredentialChain.absenceLifetimeMs)
    #expect(try await chain.key(for: .gemini)?.text == InventedKey.first)
  }

  @Test("a keyring that cannot be asked is told of where there is no key, and the file's is used", arguments: [
    (FakeSecretTool.Manner.failing, true), (.crashing, true), (.garbage, true), (.lying, false), (.working, false),
  ])
  func reading(manner: FakeSecretTool.Manner, isTold: Bool) async throws {
    let tool = try FakeSecretTool(manner, in: fixture)
    if isTold {
      let error = await #expect(throws: AtelierError.self) { try await fixture.chain(tool: tool).key(for: .gemini) }
      #expect(error?.kind == .noApiKey && error?.details["reason"] == "keyring_unavailable")
      #expect(error?.hint?.contains("The keyring cannot be asked") == true)
      #expect(await fixture.chain(tool: tool).entry(.gemini)?.reason == error?.hint)
    } else {
      #expect(try await fixture.chain(tool: tool).key(for: .gemini) == nil)
    }
    try fixture.writeFile(#"{"version":1,"keys":{"gemini":{"key":"\#(InventedKey.first)"}}}"#)
    #expect(try await fixture.chain(tool: tool).key(for: .gemini)?.text == InventedKey.first)
  }

  @Test("a keyring that is locked is told of, and never made to ask a person")
  func locked() async throws {
    let tool = try FakeSecretTool(.locked, in: fixture)
    try tool.put(InventedKey.first, for: .gemini)
    let chain = fixture.chain(tool: tool)
    let error = await #expect(throws: AtelierError.self) { try await chain.key(for: .gemini) }
    #expect(error?.kind == .noApiKey)
    #expect(error?.hint?.contains("unlock it") == true)
    #expect(await chain.entry(.gemini)?.reason == error?.hint)
    #expect(try await chain.key(for: .openai) == nil)
    #expect(Set(tool.verbs) == ["search"])

    _ = try FakeSecretTool(.working, in: fixture)
    fixture.advance(by: CredentialChain.absenceLifetimeMs)
    #expect(try await chain.key(for: .gemini)?.text == InventedKey.first)
  }

  @Test("a keyring that was locked when a newer key was set does not bring back the old one")
  func olderKey() async throws {
    let tool = try FakeSecretTool(.working, in: fixture)
    _ = try await fixture.chain(tool: tool).set(SecretText(InventedKey.first), for: .gemini)
    _ = try FakeSecretTool(.locked, in: fixture)
    #expect(try await fixture.chain(tool: tool).set(SecretText(InventedKey.second), for: .gemini).source == .file)
    _ = try FakeSecretTool(.working, in: fixture)
    let chain = fixture.chain(tool: tool)
    #expect(try await chain.key(for: .gemini)?.text == InventedKey.second)

    #expect(try await chain.set(SecretText(InventedKey.third), for: .gemini).source == .secretService)
    #expect(try await chain.key(for: .gemini)?.text == InventedKey.third)
    #expect(try !fixture.text(of: fixture.file).contains(InventedKey.second))
  }

  @Test("a keyring that does not let go of a key is an error; the file's is gone all the same")
  func stubborn() async throws {
    let tool = try FakeSecretTool(.locked, in: fixture)
    try tool.put(InventedKey.first, for: .gemini)
    try fixture.writeFile(#"{"version":1,"keys":{"gemini":{"key":"\#(InventedKey.second)"}}}"#)
    let chain = fixture.chain(tool: tool)
    let failure = await #expect(throws: CredentialFailure.self) { try await chain.delete(.gemini) }
    #expect(failure?.kind == .providerUnavailable)
    #expect(failure?.sentence.contains("unlock it") == true)
    #expect(try !fixture.text(of: fixture.file).contains(InventedKey.second))
    #expect(tool.secret(for: .gemini) == InventedKey.first)
  }

  @Test("a keyring that cannot be asked may still hold a key, and deleting says so", arguments: [
    FakeSecretTool.Manner.failing, .crashing,
  ])
  func unknown(manner: FakeSecretTool.Manner) async throws {
    let tool = try FakeSecretTool(manner, in: fixture)
    let answer = try await fixture.chain(tool: tool).delete(.gemini)
    #expect(!answer.deleted)
    #expect(answer.note?.contains("could not be asked") == true)
  }

  @Test("a keyring holding what is no key is told so, and is mended by setting or deleting")
  func nonsense() async throws {
    let tool = try FakeSecretTool(.working, in: fixture)
    try tool.put("${GEMINI_API_KEY}", for: .gemini)
    await #expect(throws: AtelierError.self) { try await fixture.chain(tool: tool).key(for: .gemini) }
    try tool.put("two words", for: .gemini)
    let error = await #expect(throws: AtelierError.self) { try await fixture.chain(tool: tool).key(for: .gemini) }
    #expect(error?.kind == .invalidApiKey)
    #expect(try await fixture.chain(tool: tool).delete(.gemini).deleted)
    #expect(tool.secret(for: .gemini) == nil)
    try tool.put("two words", for: .gemini)
    #expect(try await fixture.chain(tool: tool).set(SecretText(InventedKey.first), for: .gemini).source == .secretService)
  }
}
