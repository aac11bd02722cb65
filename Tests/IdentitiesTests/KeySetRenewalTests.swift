import AtelierProtocol
import CurlHTTP
import Encodings
import JSON
import SimulatedIssuers
import Support
import Testing

@testable import Identities

@Suite("The renewal of key sets")
struct KeySetRenewalTests {
  private let clock = ManualClock(start: Scene.now)

  /// A token of now, under the id of a key that no set has unless it is given.
  private func token(_ scene: Scene, key: SigningKey) throws -> String {
    let claims = scene.one.claims(of: scene.signIn, at: clock.now)
    return try scene.token(key: key, claims: { $0 = claims })
  }

  @Test("a key that the issuer has changed to is known after one more request")
  func rotation() async throws {
    var scene = try await Scene()
    let verifier = scene.verifier()
    let old = try scene.one.key(.es256)
    #expect(await verifier.refusal(of: try token(scene, key: old), at: clock.now) == nil)
    scene.one = try SimulatedIssuer(scene.one.name)
    try scene.one.rotate()
    try await scene.serve()
    let new = try scene.one.key(.es256)
    clock.advance(by: 59_999)
    #expect(await verifier.refusal(of: try token(scene, key: new), at: clock.now)?.kind == .invalidIdentity)
    #expect(await scene.server.requests.count == 1)
    clock.advance(by: 1)
    #expect(await verifier.refusal(of: try token(scene, key: new), at: clock.now) == nil)
    #expect(await scene.server.requests.count == 2)
    // The key that is no longer published is no longer one.
    #expect(await verifier.refusal(of: try token(scene, key: old), at: clock.now)?.kind == .invalidIdentity)
    #expect(await scene.server.requests.count == 2)
  }

  @Test("unknown keys lead to one request a minute at most, also while the server fails", arguments: [true, false])
  func unknownKeys(works: Bool) async throws {
    let scene = try await Scene()
    let verifier = scene.verifier()
    let known = try scene.one.key(.es256)
    #expect(await verifier.refusal(of: try token(scene, key: known), at: clock.now) == nil)
    if !works { await scene.server.fail(Scene.oneURL) }
    clock.advance(by: 59_999)
    for minute in 1...5 {
      clock.advance(by: 1)
      for number in 0..<20 {
        if number == 19 { clock.advance(by: 59_999) }
        let unknown = try SigningKey(.es256, id: "unknown-\(number)")
        let refusal = await verifier.refusal(of: try token(scene, key: unknown), at: clock.now)
        #expect(refusal?.kind == .invalidIdentity)
        #expect(refusal?.hint?.contains("The server cannot be connected to.") == !works)
        #expect(await verifier.refusal(of: try token(scene, key: known), at: clock.now) == nil)
      }
      #expect(await scene.server.requests.count == 1 + minute)
    }
  }

  @Test("a key that was changed under its id is known after one more request, a minute later at most")
  func changedUnderItsID() async throws {
    let scene = try await Scene()
    let verifier = scene.verifier()
    let old = try scene.one.key(.es256)
    #expect(await verifier.refusal(of: try token(scene, key: old), at: clock.now) == nil)
    let new = try SigningKey(.es256, id: old.id)
    let set = JSONValue.object(["keys": [.object(try new.publicJWK())]]).serialized()
    await scene.server.answer(Scene.oneURL, status: 200, [0xef, 0xbb, 0xbf] + set)
    clock.advance(by: 59_999)
    #expect(await verifier.refusal(of: try token(scene, key: new), at: clock.now)?.hint?.contains("signature") == true)
    #expect(await scene.server.requests.count == 1)
    clock.advance(by: 1)
    #expect(await verifier.refusal(of: try token(scene, key: new), at: clock.now) == nil)
    // Nobody makes us ask more often by forging.
    for _ in 0..<5 {
      #expect(await verifier.refusal(of: try token(scene, key: old), at: clock.now)?.kind == .invalidIdentity)
    }
    #expect(await scene.server.requests.count == 2)
  }

  @Test("processes learn of each other's requests through the cache")
  func processes() async throws {
    var scene = try await Scene()
    let (first, second) = (scene.verifier(), scene.verifier())
    let old = try scene.one.key(.es256)
    #expect(await first.refusal(of: try token(scene, key: old), at: clock.now) == nil)
    #expect(await second.refusal(of: try token(scene, key: old), at: clock.now) == nil)
    #expect(await scene.server.requests.count == 1)
    scene.one = try SimulatedIssuer(scene.one.name)
    try scene.one.rotate()
    try await scene.serve()
    let new = try scene.one.key(.es256)
    clock.advance(by: 120_000)
    #expect(await first.refusal(of: try token(scene, key: new), at: clock.now) == nil)
    clock.advance(by: 30_000)
    #expect(await second.refusal(of: try token(scene, key: new), at: clock.now) == nil)
    let unknown = try SigningKey(.es256, id: "unknown")
    #expect(await second.refusal(of: try token(scene, key: unknown), at: clock.now)?.kind == .invalidIdentity)
    #expect(await scene.server.requests.count == 2)
    // A process that starts now asks nobody.
    #expect(await scene.verifier().refusal(of: try token(scene, key: new), at: clock.now) == nil)
    #expect(await scene.server.requests.count == 2)
  }

  @Test("a key set is fetched again after a day, and used for ever where that fails")
  func offline() async throws {
    let scene = try await Scene()
    let key = try scene.one.key(.rs256)
    #expect(await scene.verifier().refusal(of: try token(scene, key: key), at: clock.now) == nil)
    clock.advance(by: 86_399_999)
    let verifier = scene.verifier()
    #expect(await verifier.refusal(of: try token(scene, key: key), at: clock.now) == nil)
    #expect(await scene.server.requests.count == 1)
    clock.advance(by: 1)
    #expect(await verifier.refusal(of: try token(scene, key: key), at: clock.now) == nil)
    #expect(await scene.server.requests.count == 2)
    await scene.server.fail(Scene.oneURL, .resolve)
    clock.advance(by: 400 * 86_400_000)
    for _ in 0..<10 { #expect(await verifier.refusal(of: try token(scene, key: key), at: clock.now) == nil) }
    #expect(await scene.server.requests.count == 3)
    // Another process has the document from the cache.
    #expect(await scene.verifier().refusal(of: try token(scene, key: key), at: clock.now) == nil)
  }

  /// Answers of servers that are no key set, with what the operator is told.
  private static let failures: [(Result<(Int, [UInt8]), HTTPError>, String)] = [
    (.success((302, [])), "The server redirects, which is not followed: name the address where the key set is."),
    (.success((404, [])), "The server answered with the status 404."),
    (.success((204, [])), "The server answered with the status 204."),
    (.success((200, Array("<html>".utf8))), "It is no JSON Web Key Set, a JSON object with the member “keys”."),
    (.success((200, [0xc3, 0x28])), "It is no JSON Web Key Set, a JSON object with the member “keys”."),
    (.success((200, [0xff, 0xfe])), "It is in UTF-16: save it as UTF-8 and try again."),
    (.success((200, [UInt8](repeating: 32, count: 1_048_577))), "It is larger than 1048576 bytes."),
    (.failure(HTTPError(.tooLarge, mayHaveBeenSent: true, detail: "")), "It is larger than 1048576 bytes."),
    (.failure(HTTPError(.tls, mayHaveBeenSent: false, detail: "")), "The connection is not secure"),
    (.failure(HTTPError(.timedOut(.total), mayHaveBeenSent: true, detail: "")), "The server took too long to answer."),
    (.failure(HTTPError(.badURL, mayHaveBeenSent: false, detail: "")), "Its address cannot be used"),
  ]

  @Test("a server that has no key set makes sign-ins wait a minute, unless one is known", arguments: failures.indices)
  func failing(index: Int) async throws {
    let scene = try await Scene()
    let key = try scene.one.key(.es256)
    let before = scene.verifier()
    #expect(await before.refusal(of: try token(scene, key: key), at: clock.now) == nil)
    let kept = await scene.cache.kept.count
    let (answer, hint) = Self.failures[index]
    switch answer {
    case .success(let (status, body)): await scene.server.answer(Scene.oneURL, status: status, body)
    case .failure(let error): await scene.server.fail(Scene.oneURL, error.cause)
    }
    let verifier = IdentityVerifier(scene.verifier().issuers, http: scene.server, cache: MemoryCache())
    for _ in 0..<5 {
      let refusal = try #require(await verifier.refusal(of: try token(scene, key: key), at: clock.now))
      #expect(refusal.kind == .providerUnavailable && refusal.isRetryable)
      let told = "There is no key set of the issuer “one”. \(hint)"
      #expect(refusal.hint?.hasPrefix(told) == true, "\(refusal.hint ?? "")")
      #expect(refusal.retryAfterMs == 60_000)
    }
    #expect(await scene.server.requests.count == 2)
    clock.advance(by: 86_400_000)
    #expect(await before.refusal(of: try token(scene, key: key), at: clock.now) == nil)
    #expect(await scene.cache.kept.count == kept)
    try await scene.serve()
    #expect(await verifier.refusal(of: try token(scene, key: key), at: clock.now) == nil)
  }

  @Test("a thousand verifications at the same time share one request")
  func together() async throws {
    let scene = try await Scene()
    let verifier = scene.verifier()
    let token = try scene.token(.es256)
    await scene.server.hold()
    await withTaskGroup(of: AtelierError?.self) { group in
      for _ in 0..<1000 { group.addTask { await verifier.refusal(of: token) } }
      await scene.server.holdsRequest()
      await scene.server.release()
      for await refusal in group { #expect(refusal == nil) }
    }
    #expect(await scene.server.requests.count == 1)
  }

  @Test("a verification that comes while the server is being asked waits for the answer")
  func late() async throws {
    let scene = try await Scene()
    let verifier = scene.verifier()
    let token = try scene.token(.es256)
    await scene.server.hold()
    await withTaskGroup(of: AtelierError?.self) { group in
      group.addTask { await verifier.refusal(of: token) }
      await scene.server.holdsRequest()
      for _ in 0..<100 { group.addTask { await verifier.refusal(of: token) } }
      // Whichever of them have come by now and do not wait are refused.
      for _ in 0..<100 { await Task.yield() }
      await scene.server.release()
      for await refusal in group { #expect(refusal == nil) }
    }
    #expect(await scene.server.requests.count == 1)
  }

  @Test("a cache that fails is done without")
  func brokenCache() async throws {
    let scene = try await Scene()
    await scene.cache.breakDown()
    let verifier = scene.verifier()
    for _ in 0..<3 { #expect(await verifier.refusal(of: try scene.token(.es256)) == nil) }
    #expect(await scene.server.requests.count == 1)
  }

  @Test("a document of the cache that cannot be read is fetched again")
  func brokenDocument() async throws {
    let scene = try await Scene()
    try await scene.cache.keep("{", of: Scene.oneURL, fetched: clock.now)
    #expect(await scene.verifier().refusal(of: try scene.token(.es256)) == nil)
    #expect(await scene.server.requests.count == 1)
  }

  @Test("a key set that seems to be of the future is fetched again")
  func clockSetBack() async throws {
    let scene = try await Scene()
    let key = try scene.one.key(.es256)
    let verifier = scene.verifier()
    #expect(await verifier.refusal(of: try token(scene, key: key), at: clock.now) == nil)
    clock.advance(by: -86_400_000)
    #expect(await verifier.refusal(of: try token(scene, key: key), at: clock.now) == nil)
    #expect(await scene.server.requests.count == 2)
  }

  @Test("a request for a key set asks for JSON, is limited, and has no body")
  func request() async throws {
    let scene = try await Scene()
    #expect(await scene.verifier().refusal(of: try scene.token(.es256)) == nil)
    let request = try #require(await scene.server.requests.first)
    #expect(request.method == .get && request.url == Scene.oneURL && request.body == nil)
    #expect(request.limits.total == .seconds(10) && request.limits.responseBytes == 1 << 20)
    #expect(request.headers.map(\.name) == ["User-Agent", "Accept"])
  }
}
