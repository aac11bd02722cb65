import AtelierProtocol
import Providers
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("Refinements", .timeLimit(.minutes(3)))
struct RefineTests {
  /// A provider elsewhere that gives one of two pictures, in turn, so that each step's photo tells where it came from.
  private static func provider() -> ScriptedProvider {
    ScriptedProvider(isLocal: false) { request, _ in
      let isFirst = request.prompt?.contains("dark") == true
      var picture = try ScriptedProvider.picture(isFirst ? "images/plain.png" : "images/plain.jpg")
      if !isFirst { picture.mimeType = "image/jpeg" }
      return picture
    }
  }

  private func refine(_ id: GenerationID, _ words: String, index: Int? = nil) -> Generate {
    Generate(
      recipe: .edit, image: .generation(id, index: index), prompt: words)
  }

  @Test("refinements take any number of steps, each from the very bytes of the one before, and history has the chain")
  func chain() async throws {
    let provider = Self.provider()
    let engine = try ServiceFixture().engine([provider])
    _ = try await engine.generations.generate(.picture("a dark one"), for: Caller())
    let words = ["a bright one", "a dark one", "brighter", "dark again", "bright for good"]
    for (step, word) in words.enumerated() {
      let before = GenerationID(rawValue: "gen_\(step + 1)")
      _ = try await engine.generations.generate(refine(before, word), for: Caller())
      let store = try await engine.engine.lazyStore.store()
      let artifact = try #require(try await engine.row(before)?.images.first?.artifact)
      #expect(try await store.read(artifact) == provider.requests.last?.photo)
      #expect(try await engine.entry(GenerationID(rawValue: "gen_\(step + 2)"))?.parentGenerationId == before)
    }
    await engine.leave()
  }

  @Test("refinements may start from the same result several times, and from any of its pictures")
  func branches() async throws {
    let engine = try ServiceFixture().engine([Self.provider()])
    _ = try await engine.generations.generate(.picture("a dark one", count: 3), for: Caller())
    for (words, index) in [("left", 0), ("right", 2), ("right again", 2)] {
      _ = try await engine.generations.generate(refine("gen_1", words, index: index), for: Caller())
    }
    let page = try await engine.engine.history(History(parentGenerationId: "gen_1"), for: Caller())
    #expect(page.entries.map(\.generationId) == ["gen_4", "gen_3", "gen_2"])
    #expect(try await engine.row("gen_3")?.parentIndex == 2)
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(refine("gen_1", "more", index: 3), for: Caller())
    }
    #expect(error?.kind == .notFound)
    await engine.leave()
  }

  @Test("refinements of the same result in the same words are answered from history; in other words, or of another, made")
  func cached() async throws {
    let provider = Self.provider()
    let engine = try ServiceFixture().engine([provider])
    _ = try await engine.generations.generate(.picture("a dark one", count: 2), for: Caller())
    var cached: [Bool] = []
    for request in [refine("gen_1", "brighter"), refine("gen_1", "brighter", index: 0), refine("gen_1", "darker")] {
      cached.append(try await engine.generations.generate(request, for: Caller()).result?.cached == true)
    }
    #expect(cached == [false, true, false])
    #expect(try await engine.entry("gen_3")?.parentGenerationId == "gen_1")
    await engine.leave()
  }
}
