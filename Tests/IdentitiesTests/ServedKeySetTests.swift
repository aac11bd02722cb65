import CurlHTTP
import GeminiSimulator
import SimulatedIssuers
import Support
import Testing

@testable import Identities

/// The keys of a folder, for the simulator to serve.
private struct ServedKeys: IssuerKeys {
  var folder: IssuerFolder

  func keySet() throws -> [UInt8] { try folder.keySet() }
  func rotate() throws { try folder.rotate() }
}

@Suite("A key set on a server", .timeLimit(.minutes(2)))
struct ServedKeySetTests {
  @Test("a key set is fetched over HTTP, again after a rotation, and not through a redirect")
  func rotation() async throws {
    let directory = try TemporaryDirectory()
    let folder = try IssuerFolder("\(directory.path)/keys")
    var options = SimulatorOptions()
    options.issuerKeys = ServedKeys(folder: folder)
    let simulator = try await GeminiSimulator.start(options)
    let client = CurlClient(CurlSettings(proxy: .none))
    let issuer = Scene.issuer("one", keys: .url("\(simulator.baseURL)/.well-known/jwks.json"))
    let verifier = IdentityVerifier([issuer], http: client, cache: MemoryCache())
    let clock = ManualClock(start: Scene.now)
    let signIn = SimulatedSignIn(audience: Scene.audience, subject: Scene.subject)
    func refusal(_ flaw: SimulatedTokenFlaw? = nil) async throws -> String? {
      let token = try folder.issuer(named: "https://one.example").token(for: signIn, flaw: flaw, at: clock.now)
      return await verifier.refusal(of: token, at: clock.now)?.hint
    }
    simulator.enqueue(try ScenarioStep(json: [
      "model": "issuer", "response": ["status": 302, "headers": ["Location": "http://127.0.0.1:1/"], "body": [:]],
    ]))
    #expect(try await refusal()?.contains("The server redirects") == true)
    clock.advance(by: 60_000)
    #expect(try await refusal() == nil)
    try folder.rotate()
    clock.advance(by: 60_000)
    #expect(try await refusal() == nil)
    #expect(try await refusal(.oldKey) == nil)
    try folder.rotate()
    clock.advance(by: 60_000)
    #expect(try await refusal() == nil)
    #expect(try await refusal(.oldKey)?.contains("not in the key set") == true)
    #expect(simulator.requests.map(\.operation) == [.keySet, .keySet, .keySet, .keySet])
    client.close()
    await simulator.stop()
  }
}
