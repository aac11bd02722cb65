import AtelierProtocol
import Providers
import ServiceFixture
import Testing

@testable import Engine

@Suite("A hairstyle", .timeLimit(.minutes(3)))
struct HairstyleTests {
  private let photo = ImageSource.path(Fixture.path("images/plain.jpg"))
  private let reference = ImageSource.path(Fixture.path("images/plain.png"))

  @Test("a hairstyle is asked for with the photo, up to two references, the words and its own temperature")
  func whole() async throws {
    let provider = ScriptedProvider(isLocal: false)
    let engine = try ServiceFixture().engine([provider])
    let request = Generate(
      recipe: .hairstyle, image: photo, references: [reference, photo], prompt: "a shorter bob",
      output: Generate.Output(count: 2))
    let result = try #require(try await engine.generations.generate(request, for: Caller()).result)
    #expect(result.recipe == .hairstyle && result.images.count == 2)
    let words = try #require(UserWords("a shorter bob"))
    #expect(
      Set(provider.requests.map(\.prompt))
        == Set((0..<2).map { PicturePrompt.hairstyle(words, references: 2, variation: $0).text }))
    for asked in provider.requests {
      #expect(asked.photo != nil && asked.references.count == 2)
      #expect(asked.temperature == 0.8 && asked.isTemperatureOurs)
    }
    #expect(try await engine.row(result.generationId)?.promptVersion == PicturePrompt.version)
    await engine.leave()
  }

  @Test("a hairstyle is refined step by step, each from the result of the one before")
  func refined() async throws {
    let provider = ScriptedProvider(isLocal: false)
    let engine = try ServiceFixture().engine([provider])
    _ = try await engine.generations.generate(
      Generate(recipe: .hairstyle, image: photo, references: [reference]), for: Caller())
    let next = Generate(
      recipe: .hairstyle, image: .generation("gen_1", index: nil), prompt: "add highlights", temperature: 0.3)
    _ = try await engine.generations.generate(next, for: Caller())
    let asked = try #require(provider.requests.last)
    #expect(asked.photo == (try ScriptedProvider.picture().bytes))
    #expect(asked.temperature == 0.3 && !asked.isTemperatureOurs)
    #expect(try await engine.entry("gen_2")?.parentGenerationId == "gen_1")
    await engine.leave()
  }

  @Test("a hairstyle of an unknown template is refused before anything is accepted, and by an estimate as well")
  func unknownTemplate() async throws {
    let provider = ScriptedProvider(isLocal: false)
    let engine = try ServiceFixture().engine([provider])
    let request = Generate(recipe: .hairstyle, image: photo, templateId: "no-such-hair")
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(request, for: Caller())
    }
    #expect(error?.kind == .templateNotFound)
    #expect(error?.details["templateId"] == "no-such-hair")
    #expect(provider.requests.isEmpty)
    #expect(try await engine.entry("gen_1") == nil)
    await engine.leave()
  }
}
