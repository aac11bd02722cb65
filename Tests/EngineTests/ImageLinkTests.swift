import AtelierProtocol
import Imaging
import Providers
import ServiceFixture
import Store
import Support
import Testing

@testable import Engine

@Suite("Links to pictures", .timeLimit(.minutes(3)))
struct ImageLinkTests {
  private let fixture: ServiceFixture
  private let storage = MemoryStorage()
  private static let matte: [UInt8] = [7, 7, 7]

  init() throws { fixture = try ServiceFixture() }

  /// - Parameters:
  ///   - isInBucket: whether the pictures are in a bucket.
  ///   - givesLinks: whether the operator has switched links on.
  private func engine(
    isInBucket: Bool = true, givesLinks: Bool = true, waitingAt gate: Gate = Gate(isOpen: true)
  ) throws -> TestEngine {
    var configuration = EngineConfiguration()
    configuration.givesLinks = givesLinks
    let provider = ScriptedProvider { request, _ in
      if request.model == "later" { try await gate.pass() }
      var picture = try ScriptedProvider.picture()
      if request.wantsMatte {
        picture.matte = EncodedImage(bytes: Self.matte, format: .png, width: picture.width, height: picture.height)
      }
      return picture
    }
    return try fixture.engine([provider], configuration: configuration, storage: isInBucket ? storage : nil)
  }

  private func refusal(
    _ engine: TestEngine, _ request: ImageLink, for caller: Caller = Caller()
  ) async -> AtelierError? {
    await #expect(throws: AtelierError.self) { try await engine.engine.linkImage(request, for: caller) }
  }

  @Test("a link names the object of the picture or of its matte, ends ten minutes later, and asks the bucket nothing")
  func given() async throws {
    let engine = try engine()
    let request = Generate(
      recipe: .headshot, image: .path(Fixture.path("portraits/grace_hopper.jpg")), output: Generate.Output(matte: true),
      account: "anna")
    let made = try #require(try await engine.generate(request).value.result?.images.first)
    let requests = storage.requests.count
    let link = try await engine.engine.linkImage(ImageLink(generationId: "gen_1"), for: Caller(confinedTo: "anna"))
    let name = try #require(storage.names.first { $0.hasPrefix(made.sha256) })
    let key = "\(name.prefix(2))/\(name.dropFirst(2).prefix(2))/\(name)"
    #expect(link.url.revealed.hasPrefix("https://storage.example/pictures/at/\(key)?X-Amz-Algorithm="))
    #expect(link.url.revealed.contains("X-Amz-Expires=600&"))
    // The clock of the bucket, which stands still.
    #expect(link.expiresAt == Timestamp(milliseconds: 1_790_000_600_000))
    #expect([link.bytes, link.width, link.height] == [made.bytes, made.width, made.height])
    #expect(link.sha256 == made.sha256 && link.mimeType == made.mimeType)

    let matte = try await engine.engine.linkImage(ImageLink(generationId: "gen_1", variant: .matte), for: Caller())
    #expect(matte.sha256 == made.matte?.sha256 && matte.bytes == Self.matte.count && matte.width == made.width)
    #expect(matte.url.revealed.contains("/\(matte.sha256).png?"))
    #expect(storage.requests.count == requests)
    await engine.leave()
  }

  @Test("a link is refused unless the operator has switched links on and pictures are in a bucket", arguments: [
    (true, false), (false, true), (false, false),
  ])
  func off(isInBucket: Bool, givesLinks: Bool) async throws {
    let engine = try engine(isInBucket: isInBucket, givesLinks: givesLinks)
    _ = try await engine.generate(.picture()).value
    let error = await refusal(engine, ImageLink(generationId: "gen_1"))
    #expect(error?.kind == .permissionDenied && error?.hint?.contains("artifacts.presignedLinks") == true)
    await engine.leave()
  }

  @Test("a link to a picture not there yet, not any more, of another account or not kept is refused as reading it is")
  func refusals() async throws {
    let gate = Gate()
    let engine = try engine(waitingAt: gate)
    _ = try await engine.generate(.picture(account: "anna")).value
    _ = try await engine.generate(.picture(inline: true, private: true)).value
    var request = Generate.picture()
    request.model = "later"
    let later = engine.generate(request)
    await gate.hasSeen()
    let cases: [(ImageLink, Caller)] = [
      (ImageLink(generationId: "gen_3"), Caller()), (ImageLink(generationId: "gen_2"), Caller()),
      (ImageLink(generationId: "gen_9"), Caller()), (ImageLink(generationId: "gen_1", index: 1), Caller()),
      (ImageLink(generationId: "gen_1", variant: .matte), Caller()),
      (ImageLink(generationId: "gen_1", account: "bert"), Caller()),
      (ImageLink(generationId: "gen_1"), Caller(confinedTo: "bert")),
      (ImageLink(generationId: "gen_1", account: "anna"), Caller(confinedTo: "bert")),
      (ImageLink(generationId: "gen_1"), Caller(servesManyAccounts: true)),
    ]
    var kinds: [ErrorKind?] = []
    for (link, caller) in cases {
      let error = await refusal(engine, link, for: caller)
      let reading = ImageRead(
        generationId: link.generationId, index: link.index, variant: link.variant == .matte ? .matte : nil,
        account: link.account)
      let same = await #expect(throws: AtelierError.self) { try await engine.engine.readImage(reading, for: caller) }
      #expect(error?.kind == same?.kind && error?.message == same?.message && error?.hint == same?.hint)
      kinds.append(error?.kind)
    }
    #expect(
      kinds == [
        .notFinished, .notFound, .notFound, .notFound, .notFound, .notFound, .notFound, .permissionDenied,
        .permissionDenied,
      ])
    _ = try await engine.engine.deleteHistory(HistoryDelete(target: .generation("gen_1", account: nil)), for: Caller())
    #expect(await refusal(engine, ImageLink(generationId: "gen_1"))?.kind == .notFound)
    gate.open()
    _ = try await later.value
    await engine.leave()
  }

  @Test("a link is not printed with the answer that has it")
  func printed() async throws {
    let engine = try engine()
    _ = try await engine.generate(.picture()).value
    let link = try await engine.engine.linkImage(ImageLink(generationId: "gen_1"), for: Caller())
    var dumped = ""
    dump(link, to: &dumped)
    for text in [dumped, "\(link)", String(reflecting: link), "\(link.url)"] {
      #expect(!text.contains("X-Amz") && !text.contains("storage.example"), "\(text)")
    }
    await engine.leave()
  }
}
