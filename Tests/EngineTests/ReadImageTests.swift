import AtelierProtocol
import Encodings
import Imaging
import JSON
import Providers
import ServiceFixture
import Support
import Testing

@testable import Engine

@Suite("Reading a picture", .timeLimit(.minutes(3)))
struct ReadImageTests {
  private let fixture: ServiceFixture

  init() throws { fixture = try ServiceFixture() }

  private func read(
    _ engine: TestEngine, _ request: ImageRead, for caller: Caller = Caller()
  ) async throws -> ImageRead.Result {
    try await engine.engine.readImage(request, for: caller)
  }

  private func refusal(_ engine: TestEngine, _ request: ImageRead, for caller: Caller = Caller()) async -> ErrorKind? {
    await #expect(throws: AtelierError.self) { try await read(engine, request, for: caller) }?.kind
  }

  @Test("reading a picture gives its bytes in slices, whose base64 texts can be joined")
  func slices() async throws {
    let size = 2 * ImageRead.maximumSliceBytes + 7
    let file = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let engine = try fixture.engine([
      ScriptedProvider { _, _ in
        ProviderImage(bytes: file, mimeType: "image/png", width: 30, height: 20, model: "m", usage: Usage())
      }
    ])
    _ = try await engine.generations.generate(.picture(), for: Caller())
    var (text, offsets, offset) = ("", [Int](), Int?(0))
    while let next = offset {
      let slice = try await read(engine, ImageRead(generationId: "gen_1", offset: next))
      #expect(slice.offset == next && slice.bytes == size && slice.mimeType == "image/png")
      #expect(slice.width == 30 && slice.height == 20)
      text += slice.data
      offsets.append(next)
      offset = slice.nextOffset
    }
    #expect(offsets == [0, ImageRead.maximumSliceBytes, 2 * ImageRead.maximumSliceBytes])
    #expect(text == Base64.encoded(file))
    await engine.leave()
  }

  @Test("reading a picture gives the thumbnail of history or a small picture of the size that is asked for")
  func thumbnails() async throws {
    let engine = try fixture.engine([ScriptedProvider()])
    _ = try await engine.generations.generate(.picture(count: 2), for: Caller())
    await engine.generations.finishThumbnails()
    let kept = try await read(engine, ImageRead(generationId: "gen_1", variant: .thumbnail))
    let file = try #require(try await engine.row("gen_1")?.thumbnail)
    #expect(kept.bytes == file.bytes && kept.mimeType == "image/jpeg" && kept.width == 256 && kept.height == 192)
    let other = try await read(engine, ImageRead(generationId: "gen_1", index: 1, variant: .thumbnail))
    #expect(other.width == 256 && other.mimeType == "image/jpeg")
    let small = try await read(engine, ImageRead(generationId: "gen_1", maxSide: 64))
    #expect(small.width == 64 && small.height == 48 && small.mimeType == "image/jpeg")
    // It is never enlarged.
    let large = try await read(engine, ImageRead(generationId: "gen_1", maxSide: 2048))
    #expect(large.width == 400 && large.height == 300)
    await engine.leave()
  }

  @Test("a picture not there yet, not any more, of another account or not kept is refused with its reason")
  func refusals() async throws {
    let gate = Gate()
    let engine = try fixture.engine([
      ScriptedProvider { request, _ in
        if request.model == "later" { try await gate.pass() }
        return try ScriptedProvider.picture()
      }
    ])
    _ = try await engine.generations.generate(.picture(account: "anna"), for: Caller())
    _ = try await engine.generations.generate(.picture(inline: true, private: true), for: Caller())
    var request = Generate.picture()
    request.model = "later"
    let later = engine.generate(request)
    await gate.hasSeen()
    #expect(await refusal(engine, ImageRead(generationId: "gen_3")) == .notFinished)
    #expect(await refusal(engine, ImageRead(generationId: "gen_2")) == .notFound)
    #expect(await refusal(engine, ImageRead(generationId: "gen_1", index: 1)) == .notFound)
    #expect(await refusal(engine, ImageRead(generationId: "gen_1", account: "bert")) == .notFound)
    #expect(await refusal(engine, ImageRead(generationId: "gen_1"), for: Caller(confinedTo: "bert")) == .notFound)
    _ = try await read(engine, ImageRead(generationId: "gen_1"), for: Caller(confinedTo: "anna"))
    _ = try await engine.engine.deleteHistory(HistoryDelete(target: .generation("gen_1", account: nil)), for: Caller())
    #expect(await refusal(engine, ImageRead(generationId: "gen_1", offset: 10)) == .notFound)
    gate.open()
    _ = try await later.value
    await engine.leave()
  }

  @Test("a picture that cannot be had is refused with the same sentence, whether it is read or worked from", arguments: [
    ("gen_9", 0), ("gen_1", 3), ("gen_2", 0),
  ] as [(GenerationID, Int)])
  func sentences(id: GenerationID, index: Int) async throws {
    let engine = try fixture.engine([ScriptedProvider()])
    _ = try await engine.generations.generate(.picture(), for: Caller())
    _ = try await engine.generations.generate(.picture(inline: true, private: true), for: Caller())
    let read = try await #require(throws: AtelierError.self) {
      try await self.read(engine, ImageRead(generationId: id, index: index))
    }
    let used = try await #require(throws: AtelierError.self) {
      try await engine.generations.generate(
        Generate(recipe: .headshot, image: .generation(id, index: index)), for: Caller())
    }
    #expect(read.kind == .notFound && used.kind == .notFound)
    #expect(read.message == used.message && read.hint == used.hint && read.hint?.contains("\(id.rawValue)”") == true)
    // What is refused before it is accepted has no id of its own.
    #expect(used.generationId == nil)
    await engine.leave()
  }

  @Test("the photo of a generation is returned as long as it is kept, and the picture that a refinement began with")
  func original() async throws {
    let engine = try fixture.engine([ScriptedProvider()])
    let photo = ImageSource.path(Fixture.path("images/plain.png"))
    _ = try await engine.generations.generate(
      Generate(recipe: .edit, image: photo, prompt: "brighter", account: "anna"), for: Caller())
    let kept = try await read(engine, ImageRead(generationId: "gen_1", variant: .original))
    #expect(kept.bytes > 0 && kept.width == 400 && kept.height == 300)
    let small = try await read(engine, ImageRead(generationId: "gen_1", variant: .original, maxSide: 64))
    #expect(small.width == 64 && small.mimeType == "image/jpeg")
    let picture = try await read(engine, ImageRead(generationId: "gen_1"))
    let refinement = Generate(recipe: .edit, image: .generation("gen_1", index: 0), prompt: "darker", account: "anna")
    _ = try await engine.generations.generate(refinement, for: Caller())
    #expect(try await read(engine, ImageRead(generationId: "gen_2", variant: .original)).data == picture.data)

    #expect(await refusal(engine, ImageRead(generationId: "gen_1", variant: .original, account: "bob")) == .notFound)
    _ = try await engine.generations.generate(
      Generate(
        recipe: .edit, image: photo, prompt: "darker", output: Generate.Output(inline: true), private: true), for: Caller())
    _ = try await engine.generations.generate(.picture(), for: Caller())
    for id in ["gen_3", "gen_4"] as [GenerationID] {
      #expect(await refusal(engine, ImageRead(generationId: id, variant: .original)) == .notFound)
    }
    fixture.clock.advance(by: 24 * 60 * 60 * 1000)
    #expect(await refusal(engine, ImageRead(generationId: "gen_1", variant: .original)) == .inputExpired)
    await engine.leave()
  }

  @Test("a picture is shown with the operator's watermark at every size, and without it where none is asked for")
  func watermark() async throws {
    var configuration = EngineConfiguration()
    configuration.watermark = try WatermarkFile(Fixture.bytes("images/alpha.png"))
    let engine = try fixture.engine([ScriptedProvider()], configuration: configuration)
    _ = try await engine.generations.generate(.picture(count: 2), for: Caller())
    await engine.generations.finishThumbnails()
    let history = try await read(engine, ImageRead(generationId: "gen_1", variant: .thumbnail))
    let file = try #require(try await engine.row("gen_1")?.thumbnail)
    #expect(history.bytes == file.bytes)
    for (variant, side, width) in [
      (nil, nil, 256), (.thumbnail, nil, 256), (nil, 16, 16), (.thumbnail, 64, 64), (nil, 256, 256), (nil, 2048, 400),
    ] as [(ImageRead.Variant?, Int?, Int)] {
      let marked = try await read(
        engine, ImageRead(generationId: "gen_1", index: 1, variant: variant, maxSide: side, watermark: true))
      #expect(marked.width == width && marked.mimeType == "image/jpeg")
      let plain = try await read(
        engine, ImageRead(generationId: "gen_1", index: 1, variant: .thumbnail, maxSide: width, watermark: false))
      #expect(plain.width == width && plain.data != marked.data)
    }
    // That of history is never the one that is shown.
    // What a picture was made from may be another picture.
    let refinement = Generate(recipe: .edit, image: .generation("gen_1", index: 1), prompt: "darker")
    _ = try await engine.generations.generate(refinement, for: Caller())
    let plain = try await read(engine, ImageRead(generationId: "gen_2", variant: .original, maxSide: 128))
    let original = try await read(
      engine, ImageRead(generationId: "gen_2", variant: .original, maxSide: 128, watermark: true))
    #expect(original.width == plain.width && original.data != plain.data && original.mimeType == "image/jpeg")
    let first = try await read(engine, ImageRead(generationId: "gen_1", watermark: true))
    #expect(first.width == 256 && first.data != history.data)
    await engine.leave()
  }

  @Test("a picture that cannot be shown with a watermark is not shown without one")
  func noWatermark() async throws {
    let none = try fixture.engine([ScriptedProvider()])
    _ = try await none.generations.generate(.picture(), for: Caller())
    let refusal = await #expect(throws: AtelierError.self) {
      try await read(none, ImageRead(generationId: "gen_1", watermark: true))
    }
    #expect(refusal?.kind == .notFound && refusal?.generationId == "gen_1")
    #expect(refusal?.hint?.contains("pictures.watermark") == true)
    _ = try await read(none, ImageRead(generationId: "gen_1", watermark: false))
    await none.leave()
    var configuration = EngineConfiguration()
    configuration.watermark = try WatermarkFile(Self.undecodable)
    let broken = try fixture.engine([ScriptedProvider()], configuration: configuration)
    let failure = await #expect(throws: AtelierError.self) {
      try await read(broken, ImageRead(generationId: "gen_1", watermark: true))
    }
    #expect(failure?.kind == .internal && failure?.sentence == refusal?.sentence)
    #expect(failure?.hint?.contains("pictures.watermark") == true)
    await broken.leave()
  }

  @Test("a picture on a sheet for printing has the size that was asked for, and one that does not fit is refused")
  func sheet() async throws {
    let engine = try fixture.engine([ScriptedProvider()])
    _ = try await engine.generations.generate(.picture(), for: Caller())
    // 400 pixels, 300 in an inch.
    let document = try await read(engine, ImageRead(generationId: "gen_1", sheet: PrintSheet(paper: .a4)))
    #expect(document.mimeType == "application/pdf" && document.width == 2480 && document.height == 3508)
    let bytes = try #require(Base64.decoded(document.data))
    #expect(bytes.starts(with: Array("%PDF".utf8)))
    let jpeg = try await read(
      engine, ImageRead(generationId: "gen_1", sheet: PrintSheet(paper: .a6, copies: 2, format: .jpeg, cuttingLines: false)))
    #expect(jpeg.mimeType == "image/jpeg")
    let small = try #require(PaperSize(text: "5x5"))
    for sheet in [PrintSheet(paper: small, copies: 5), PrintSheet(paper: .a4, copies: 100)] {
      #expect(await refusal(engine, ImageRead(generationId: "gen_1", sheet: sheet)) == .invalidDimensions)
    }
    #expect(await refusal(engine, ImageRead(generationId: "gen_9", sheet: PrintSheet(paper: .a4))) == .notFound)
    await engine.leave()
  }

  /// A PNG of 16 × 16 pixels with right checksums, whose pixels are no compressed data.
  private static let undecodable = Base64.decoded(
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAABElEQVQBAgMEfVvD1gAAAABJRU5ErkJggg==") ?? []

  @Test("a read beyond the picture's end, or of what is stored in another size or with a watermark, is a host's mistake")
  func mistakes() async throws {
    let engine = try fixture.engine([ScriptedProvider()])
    let made = try await engine.generations.generate(.picture(), for: Caller())
    for (request, path) in [
      (ImageRead(generationId: "gen_1", offset: made.images[0].bytes), "/offset"),
      (ImageRead(generationId: "gen_1", variant: .full, maxSide: 64), "/maxSide"),
      (ImageRead(generationId: "gen_1", variant: .full, watermark: true), "/watermark"),
      (ImageRead(generationId: "gen_1", variant: .matte, watermark: true), "/watermark"),
      (ImageRead(generationId: "gen_1", maxSide: 64, sheet: PrintSheet(paper: .a4)), "/sheet"),
      (ImageRead(generationId: "gen_1", watermark: true, sheet: PrintSheet(paper: .a4)), "/sheet"),
      (ImageRead(generationId: "gen_1", variant: .original, sheet: PrintSheet(paper: .a4)), "/sheet"),
    ] {
      let failure = await #expect(throws: JSONDecodingFailure.self) { try await read(engine, request) }
      #expect(failure?.path == path)
    }
    await engine.leave()
  }
}
