import AtelierProtocol
import Foundation
import Glibc
import Support
import Testing

@testable import Credentials

@Suite("The file of keys", .timeLimit(.minutes(2)))
struct KeyFileTests {
  private let fixture: CredentialsFixture
  private let good = #"{"version":1,"keys":{"gemini":{"key":"\#(InventedKey.first)"}}}"#

  init() throws { fixture = try CredentialsFixture() }

  /// The failure that reading, setting and deleting meet alike, and that leaves everything as it was.
  private func failure() async -> CredentialFailure? {
    let chain = fixture.chain()
    let reading = await #expect(throws: AtelierError.self) { try await chain.key(for: .gemini) }
    let setting = await #expect(throws: CredentialFailure.self) {
      try await chain.set(SecretText(InventedKey.second), for: .openai)
    }
    let deleting = await #expect(throws: CredentialFailure.self) { try await chain.delete(.gemini) }
    let entry = await chain.entry(.gemini)
    #expect(setting == deleting)
    #expect(reading == setting?.atelierError)
    #expect(entry?.reason == setting?.sentence)
    #expect(entry?.configured == false)
    // A caller is told no paths.
    #expect(reading?.hint?.contains("/") == false)
    let toCaller = await chain.status(for: .caller).providers.first?.reason
    #expect(toCaller == reading?.hint)
    return setting
  }

  @Test("the file of keys is for its owner only, whatever the umask, and so is the folder it makes")
  func permissions() async throws {
    _ = try await fixture.chain().set(SecretText(InventedKey.first), for: .gemini)
    #expect(CredentialsFixture.permissions(of: fixture.file) == 0o600)
    #expect(CredentialsFixture.permissions(of: "\(fixture.data)/credentials.lock") == 0o600)
    #expect(CredentialsFixture.permissions(of: fixture.data) == 0o700)
    #expect(CredentialsFixture.permissions(of: "\(fixture.path)/home") == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.data).sorted()
    #expect(names == ["credentials.json", "credentials.lock"])
  }

  @Test("the file of keys is on the disk before it has its name, and its name before a change is answered")
  func durable() async throws {
    let record = SyncRecord(below: fixture.path)
    let chain = fixture.chain()
    _ = try await chain.set(SecretText(InventedKey.first), for: .gemini)
    #expect(record.paths == ["", "home", "home/data/credentials.json.new", "home/data"])
    record.clear()
    _ = try await chain.set(SecretText(InventedKey.second), for: .gemini)
    _ = try await chain.delete(.gemini)
    let change = ["home/data/credentials.json.new", "home/data"]
    #expect(record.paths == change + change)
  }

  @Test(
    "the file of keys is its owner's only, and of use to its owner, when a umask takes nothing or everything",
    arguments: [0, 0o777] as [mode_t])
  func underAnyUmask(mask: mode_t) async throws {
    let fixture = fixture
    let file = CredentialFile(directory: fixture.data)
    try await underUmask(0) { try CredentialDirectory(path: fixture.data).prepare() }
    #expect(CredentialsFixture.permissions(of: fixture.data) == 0o700)
    #expect(CredentialsFixture.permissions(of: "\(fixture.path)/home") == 0o700)
    try await underUmask(mask) {
      let lock = try CredentialLock(path: file.lockPath, milliseconds: 0)
      try file.write(StoredKeys())
      try lock.announceChange()
    }
    #expect(CredentialsFixture.permissions(of: fixture.file) == 0o600)
    if mask == 0 { #expect(CredentialsFixture.permissions(of: file.lockPath) == 0o600) }
  }

  @Test("the file of keys is not used when others may read or write it, until it is closed to them", arguments: [
    0o644, 0o640, 0o604, 0o620, 0o602, 0o601, 0o666,
  ] as [mode_t])
  func openToOthers(permissions: mode_t) async throws {
    try fixture.writeFile(good, permissions: permissions)
    let failure = await failure()
    #expect(failure?.kind == .fileAccessDenied)
    #expect(failure?.sentence.contains("“chmod 600 \(fixture.file)”") == true)
    #expect(try fixture.text(of: fixture.file) == good)

    let chain = fixture.chain()
    await #expect(throws: AtelierError.self) { try await chain.key(for: .gemini) }
    #expect(chmod(fixture.file, 0o600) == 0)
    #expect(try await chain.key(for: .gemini)?.text == InventedKey.first)
  }

  @Test(
    "the file of keys is not used when it belongs to somebody else",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func somebodyElses() async throws {
    try fixture.writeFile(good)
    #expect(chown(fixture.file, 65_534, 65_534) == 0)
    let failure = await failure()
    #expect(failure?.kind == .fileAccessDenied)
    #expect(failure?.sentence.contains("uid 65534") == true)
    #expect(try fixture.text(of: fixture.file) == good)
  }

  @Test("a link, a folder or a pipe is not used as the file of keys", arguments: ["link", "dangling", "folder", "pipe"])
  func noFile(kind: String) async throws {
    try fixture.makeData()
    switch kind {
    case "link":
      try Data(good.utf8).write(to: URL(fileURLWithPath: "\(fixture.path)/elsewhere"))
      #expect(symlink("\(fixture.path)/elsewhere", fixture.file) == 0)
    case "dangling": #expect(symlink("\(fixture.path)/nowhere", fixture.file) == 0)
    case "folder": #expect(mkdir(fixture.file, 0o700) == 0)
    default: #expect(mkfifo(fixture.file, 0o600) == 0)
    }
    #expect(await failure()?.kind == .fileAccessDenied)
    #expect(CredentialsFixture.permissions(of: "\(fixture.path)/nowhere") == nil)
  }

  @Test("a damaged file of keys is told so, and never overwritten", arguments: [
    "", "{", "null", "[]", "not JSON", #"{"keys":{}}"#, #"{"version":2,"keys":{}}"#, #"{"version":1}"#,
    #"{"version":1,"keys":[]}"#, #"{"version":1,"keys":{"gemini":"x"}}"#, #"{"version":1,"keys":{"gemini":{}}}"#,
    #"{"version":1,"keys":{"gemini":{"key":7}}}"#, #"{"version":1,"keys":{"gemini":{"key":"two words"}}}"#,
    #"{"version":1,"keys":{"gemini":{"key":"an-invented-key-aaaa-1111"}}"#, "\0\0\0\0",
    String(repeating: " ", count: (1 << 20) + 1) + #"{"version":1,"keys":{}}"#,
  ])
  func damaged(text: String) async throws {
    try fixture.writeFile(text)
    let failure = await failure()
    #expect(failure?.kind == .fileAccessDenied)
    #expect(failure?.sentence.contains("\(fixture.file) is damaged") == true)
    #expect(try fixture.text(of: fixture.file) == text)
    #expect(failure?.sentence.contains(InventedKey.first) == false)
  }

  @Test(
    "a file of keys gives a key of its own, none, or a clear error, however its bytes are changed",
    arguments: 0..<300 as Range<UInt64>)
  func mutated(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    var bytes = Array(good.utf8)
    for _ in 0...(random.next() % 4) {
      switch random.next() % 3 {
      case 0: bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
      default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: Int(random.next() % UInt64(bytes.count + 1)))
      }
      if bytes.isEmpty { bytes = [0] }
    }
    try fixture.writeFile("")
    try Data(bytes).write(to: URL(fileURLWithPath: fixture.file))
    #expect(chmod(fixture.file, 0o600) == 0)
    do throws(AtelierError) {
      if let key = try await fixture.chain().key(for: .gemini) {
        #expect(String(decoding: bytes, as: UTF8.self).contains(key.text), "seed \(seed)")
      }
    } catch {
      #expect(error.kind == .fileAccessDenied, "seed \(seed)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.file)) == Data(bytes), "seed \(seed)")
  }

  @Test("the file of keys keeps what it says of providers that this version does not know")
  func strangers() async throws {
    let future = #""future":{"key":"x","more":[1]}"#
    try fixture.writeFile(#"{"version":1,"keys":{\#(future),"openai":{"key":"\#(InventedKey.first)"}}}"#)
    _ = try await fixture.chain().set(SecretText(InventedKey.second), for: .gemini)
    _ = try await fixture.chain().delete(.openai)
    #expect(
      try fixture.text(of: fixture.file)
        == #"{"version":1,"keys":{\#(future),"gemini":{"key":"\#(InventedKey.second)"}}}"# + "\n")
  }

  @Test("the file of keys is written in spite of what a process that was killed has left")
  func leftovers() async throws {
    try fixture.makeData()
    try Data("half".utf8).write(to: URL(fileURLWithPath: "\(fixture.file).new"))
    _ = try await fixture.chain().set(SecretText(InventedKey.first), for: .gemini)
    #expect(try fixture.text(of: fixture.file) == good + "\n")
    #expect(CredentialsFixture.permissions(of: "\(fixture.file).new") == nil)
  }

  @Test("the file of keys loses no key when many write at the same time", arguments: 0..<5 as Range<Int>)
  func writers(round: Int) async throws {
    let fixture = self.fixture
    try await withThrowingTaskGroup { group in
      for number in 0..<20 {
        // A chain each, as each process has; locks hold between open files, not processes.
        let provider: ProviderID = number.isMultiple(of: 2) ? .gemini : .openai
        group.addTask {
          let key = "an-invented-key-\(provider.rawValue)-\(1000 + number)"
          _ = try await fixture.chain().set(SecretText(key), for: provider)
        }
      }
      try await group.waitForAll()
    }
    for provider in [ProviderID.gemini, .openai] {
      let key = try await fixture.chain().key(for: provider)?.text
      #expect(key?.hasPrefix("an-invented-key-\(provider.rawValue)-1") == true, "round \(round): \(provider)")
    }
  }

  @Test("the file of keys is not put where others could put another in its place", arguments: [0o770, 0o707, 0o777, 0o720])
  func sharedFolder(permissions: Int) async throws {
    try fixture.makeData(permissions: permissions)
    #expect(chmod(fixture.data, mode_t(permissions)) == 0)
    let failure = await #expect(throws: CredentialFailure.self) {
      try await fixture.chain().set(SecretText(InventedKey.first), for: .gemini)
    }
    #expect(failure?.isAboutDirectory == true)
    #expect(failure?.sentence.contains("“chmod 700 \(fixture.data)”") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.data) == [])
  }

  @Test("the file of keys needs a data directory, and says what is in the way of one")
  func noDirectory() async throws {
    try Data().write(to: URL(fileURLWithPath: "\(fixture.path)/home"))
    let failure = await #expect(throws: CredentialFailure.self) {
      try await fixture.chain().set(SecretText(InventedKey.first), for: .gemini)
    }
    #expect(failure?.isAboutDirectory == true)
    #expect(failure?.sentence.contains("\(fixture.path)/home") == true)
    #expect(try await fixture.chain().key(for: .gemini) == nil)
  }

  @Test("a change of the file of keys is given up when another process keeps the lock, and nothing has changed")
  func heldLock() async throws {
    try fixture.makeData()
    let lock = try CredentialLock(path: "\(fixture.data)/credentials.lock", milliseconds: 0)
    // The wait for the lock follows from what a keyring may take.
    let chain = fixture.chain(timeoutMs: 5)
    let failure = await #expect(throws: CredentialFailure.self) {
      try await chain.set(SecretText(InventedKey.first), for: .gemini)
    }
    #expect(failure?.sentence.contains("credentials.lock") == true)
    #expect(CredentialsFixture.permissions(of: fixture.file) == nil)
    try lock.announceChange()
  }
}
