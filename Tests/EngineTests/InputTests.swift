import AtelierProtocol
import Encodings
import ServiceFixture
import Testing

@testable import Engine

@Suite("Photos", .timeLimit(.minutes(3)))
struct InputTests {
  private let portrait = Fixture.path("images/plain.jpg")

  @Test("photos come from a file, inline, from a prepared input, from a result, or from what is refined")
  func sources() async throws {
    let provider = ScriptedProvider()
    let engine = try ServiceFixture().engine([provider])
    let bytes = try Fixture.bytes("images/plain.jpg")
    let prepared = try await engine.engine.prepare(ImagePrepare(image: .path(portrait)), for: Caller())
    let inline = try #require(InlineImage(base64: Base64.encoded(bytes)))
    for source in [ImageSource.path(portrait), .data(inline), .prepared(try #require(prepared.preparedId))] {
      // The same bytes each time.
      _ = try await engine.generations.generate(
        Generate(recipe: .headshot, image: source, cache: .bypass), for: Caller())
    }
    _ = try await engine.generations.generate(
      Generate(recipe: .headshot, image: .generation("gen_1", index: 0)), for: Caller())
    let refined = try await engine.generations.generate(
      Generate(recipe: .headshot, image: .generation("gen_1", index: nil), cache: .bypass), for: Caller())
    let picture = try ScriptedProvider.picture().bytes
    let photos = provider.requests.map(\.photo)
    try #require(photos.count > 4)
    #expect(photos[0] == bytes)
    #expect(photos[1] == bytes)
    #expect(photos[2]?.count == prepared.bytes)
    #expect(photos[3] == picture)
    #expect(photos[4] == picture)
    let id = try #require(refined.result?.generationId)
    #expect(try await engine.entry(id)?.parentGenerationId == "gen_1")
    #expect(try await engine.entry("gen_4")?.parentGenerationId == "gen_1")
    await engine.leave()
  }

  @Test("photos that cannot be used are refused before anything is accepted", arguments: [
    (ImageSource.path("/nowhere/photo.jpg"), ErrorKind.invalidImage),
    (.path("/"), .invalidImage),
    (.prepared("prep_nobody"), .notFound),
    (.generation("gen_nobody", index: nil), .notFound),
  ])
  func refused(source: ImageSource, kind: ErrorKind) async throws {
    let provider = ScriptedProvider()
    let engine = try ServiceFixture().engine([provider])
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(Generate(recipe: .headshot, image: source), for: Caller())
    }
    #expect(error?.kind == kind)
    #expect(provider.requests.isEmpty)
    #expect(try await engine.entry("gen_1") == nil)
    await engine.leave()
  }

  @Test("photos that are no picture fail the generation, by their content, never by their name", arguments: [
    ("images/other.gif", ErrorKind.unsupportedImage), ("tflite/face_landmark.json", .unsupportedImage),
  ])
  func noPicture(name: String, kind: ErrorKind) async throws {
    let provider = ScriptedProvider()
    let engine = try ServiceFixture().engine([provider])
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(
        Generate(recipe: .headshot, image: .path(Fixture.path(name))), for: Caller())
    }
    #expect(error?.kind == kind)
    #expect(error?.generationId == "gen_1")
    #expect(provider.requests.isEmpty)
    await engine.leave()
  }

  @Test("photos that were prepared expire")
  func expires() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider()])
    let prepared = try await engine.engine.prepare(ImagePrepare(image: .path(portrait)), for: Caller())
    fixture.clock.advance(by: .seconds(24 * 3600 + 1))
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(
        Generate(recipe: .headshot, image: .prepared(try #require(prepared.preparedId))), for: Caller())
    }
    #expect(error?.kind == .inputExpired)
    await engine.leave()
  }

  @Test("photos of another account are not found")
  func otherAccount() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider()])
    let prepared = try await engine.engine.prepare(
      ImagePrepare(image: .path(portrait), account: "alice"), for: Caller())
    _ = try await engine.generations.generate(.picture(account: "alice"), for: Caller())
    for source in [ImageSource.prepared(try #require(prepared.preparedId)), .generation("gen_1", index: nil)] {
      let error = await #expect(throws: AtelierError.self) {
        try await engine.generations.generate(
          Generate(recipe: .headshot, image: source, account: "bob"), for: Caller())
      }
      #expect(error?.kind == .notFound)
    }
    await engine.leave()
  }
}
