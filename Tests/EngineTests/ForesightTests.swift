import AtelierProtocol
import Encodings
import Providers
import ServiceFixture
import Store
import Testing

@testable import Engine

@Suite("What would come of a request", .timeLimit(.minutes(3)))
struct ForesightTests {
  @Test("the outcome of a request is foreseen without asking, holding or keeping anything")
  func nothingHappens() async throws {
    let fixture = try ServiceFixture()
    let provider = ScriptedProvider(creditsPerImage: 2)
    let engine = try fixture.engine([provider])
    try await engine.give(10, to: "anna")
    let foresight = try await engine.engine.foresee(.picture(count: 2, account: "anna"), for: Caller())
    #expect(foresight.makers.map(\.id) == [provider.id] && foresight.credits == 4 && foresight.earlier == nil)
    #expect(try await engine.engine.foresee(.picture(), for: Caller()).credits == 0)
    #expect(provider.requests.isEmpty)
    #expect(try await engine.engine.history(History(account: .everybody), for: Caller()).entries.isEmpty)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    await engine.leave()
  }

  @Test("an earlier result is foreseen wherever it answers the request, and nowhere else")
  func earlier() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider()])
    let made = try #require(try await engine.generations.generate(.picture(), for: Caller()).result)
    func foreseen(_ change: (inout Generate) -> Void) async throws -> Foresight.EarlierResult? {
      var request = Generate.picture()
      change(&request)
      return try await engine.engine.foresee(request, for: Caller()).earlier
    }
    let same = try #require(try await foreseen { $0.metadata = ["source": "anna.jpg"] })
    #expect(same.generation == made.generationId && same.createdAt == made.createdAt)
    #expect(same.sha256 == StoredArtifact.digest(try ScriptedProvider.picture().bytes))
    #expect(try await foreseen { $0.cache = .bypass } == nil)
    let hidden = try await foreseen { request in
      request.private = true
      request.output?.inline = true
    }
    #expect(hidden == nil)
    #expect(try await foreseen { $0.prompt = "another" } == nil)
    #expect(try await foreseen { $0.account = "anna" } == nil)
    await engine.leave()
  }

  @Test("a picture is known as made here as long as a generation has it")
  func made() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider()])
    let bytes = try ScriptedProvider.picture().bytes
    #expect(try await !engine.engine.hasMade(bytes))
    let made = try await engine.generations.generate(.picture(), for: Caller())
    #expect(try await engine.engine.hasMade(bytes))
    #expect(try await !engine.engine.hasMade([1, 2, 3]))
    _ = try await engine.engine.lazyStore.store().delete(.one(made.generationId, account: nil))
    #expect(try await !engine.engine.hasMade(bytes))
    await engine.leave()
  }
}
