import AtelierProtocol
import Testing

@testable import Credentials

@Suite(
  "GNOME's keyring",
  .enabled(
    if: PrivateKeyring.missing.isEmpty, "these programs are missing: \(PrivateKeyring.missing.joined(separator: ", "))"),
  .serialized, .timeLimit(.minutes(2)))
struct KeyringTests {
  private let fixture: CredentialsFixture
  private let keyring: PrivateKeyring

  init() throws {
    fixture = try CredentialsFixture()
    keyring = try PrivateKeyring(in: fixture.path)
  }

  @Test("GNOME's keyring keeps, gives, replaces and forgets keys, and no file has them")
  func keeps() async throws {
    let chain = fixture.chain(keyring.variables)
    #expect(try await chain.key(for: .gemini) == nil)
    for key in [InventedKey.first, InventedKey.second, "-dash=and'quote\"%s$(x)\\n"] {
      let answer = try await chain.set(SecretText(key), for: .gemini)
      #expect(answer == CredentialsSet.Result(provider: .gemini, source: .secretService, masked: "…\(key.suffix(4))"))
      #expect(try await fixture.chain(keyring.variables).key(for: .gemini)?.text == key)
      #expect(try keyring.secret(for: "gemini") == key)
    }
    #expect(try await chain.set(SecretText(InventedKey.third), for: .openai).source == .secretService)
    #expect(CredentialsFixture.permissions(of: fixture.file) == nil)

    #expect(try await chain.delete(.gemini) == CredentialsDelete.Result(provider: .gemini, deleted: true))
    #expect(try await chain.key(for: .gemini) == nil)
    #expect(try keyring.secret(for: "gemini") == "")
    #expect(try await chain.key(for: .openai)?.text == InventedKey.third)
    #expect(try await !chain.delete(.gemini).deleted)
  }

  @Test("a locked keyring is told of, takes no key, and lets go of none")
  func locked() async throws {
    _ = try await fixture.chain(keyring.variables).set(SecretText(InventedKey.first), for: .gemini)
    try keyring.lock()
    let chain = fixture.chain(keyring.variables)
    // To change it, a window to unlock it may be shown, which is the machine's matter; nobody will answer it.
    let impatient = fixture.chain(keyring.variables, timeoutMs: 1000)
    let error = await #expect(throws: AtelierError.self) { try await chain.key(for: .gemini) }
    #expect(error?.kind == .noApiKey)
    #expect(error?.hint?.contains("unlock it") == true)
    #expect(try await chain.key(for: .openai) == nil)

    await #expect(throws: CredentialFailure.self) { try await impatient.delete(.gemini) }
    let answer = try await impatient.set(SecretText(InventedKey.second), for: .gemini)
    #expect(answer.source == .file)
    #expect(answer.note?.contains("keyring") == true)
    #expect(try await chain.key(for: .gemini)?.text == InventedKey.second)
  }

  @Test("a keyring that is not on the bus is told of as long as there is no key: the file serves")
  func nobody() async throws {
    var variables = keyring.variables
    variables["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(fixture.path)/nobody"
    let chain = fixture.chain(variables)
    let error = await #expect(throws: AtelierError.self) { try await chain.key(for: .gemini) }
    #expect(error?.hint?.contains("The keyring cannot be asked") == true)
    #expect(try await chain.set(SecretText(InventedKey.first), for: .gemini).source == .file)
    #expect(try await chain.key(for: .gemini)?.text == InventedKey.first)
  }

  @Test("GNOME's keyring gives the bucket's key, and to each role of the database its own password")
  func others() throws {
    let key = #"{"accessKey": "an-access-key", "secretKey": "a-secret-key"}"#
    try keyring.put(key, ["service", "atelier", "provider", "bucket"])
    for role in ["owner", "works"] {
      try keyring.put("the password of \(role)", ["service", "atelier", "provider", "store", "user", role])
    }
    func password(_ role: String) -> String? { StorePassword.inKeyring(of: role) { keyring.variables[$0] } }
    _ = try BucketKey.read { keyring.variables[$0] }
    #expect(password("owner") == "the password of owner" && password("works") == "the password of works")
    #expect(password("nobody") == nil)
    try keyring.lock()
    #expect(password("owner") == nil)
    #expect(throws: BucketKey.Fault.self) { try BucketKey.read { keyring.variables[$0] } }
  }
}
