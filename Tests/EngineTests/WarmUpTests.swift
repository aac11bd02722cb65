import AtelierProtocol
import Encodings
import Imaging
import POSIX
import Providers
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("The first request", .timeLimit(.minutes(3)))
struct WarmUpTests {
  @Test("the first request has the provider and the worker begin while the store is being opened")
  func together() async throws {
    let provider = ScriptedProvider(isLocal: false)
    let opening = Gate()
    let engine = try ServiceFixture().engine([provider], opening: opening)
    let photo = ImageSource.path(Fixture.path("images/face-rotated.jpg"))
    async let answer = engine.generations.generate(Generate(recipe: .headshot, image: photo), for: Caller())
    await provider.warmUps.hasSeen()
    #expect(await engine.engine.worker.processIdentifier != nil)
    await opening.hasSeen()
    opening.open()
    #expect(try await answer.result?.images.count == 1)
    await engine.leave()
  }

  @Test("the first request starts the worker for a photo that needs it, and for no other", arguments: [
    ("images/plain.jpg", false), ("images/face-rotated.jpg", true), ("images/plain.heic", true),
    ("images/no-such-file.jpg", false), ("images", false),
  ])
  func worker(name: String, needsIt: Bool) async throws {
    let worker = try ServiceFixture.makeWorker()
    let intake = try Self.intake(worker)
    await intake.warmUp(for: [.path(Fixture.path(name))], isConfined: false)
    #expect(await (worker.processIdentifier != nil) == needsIt)
    await worker.shutDown()
  }

  @Test(
    "the first request starts the worker for a photo that is too large to be sent, which is not read for that",
    arguments: [true, false])
  func large(isInline: Bool) async throws {
    let worker = try ServiceFixture.makeWorker()
    let fixture = try ServiceFixture()
    let bytes = try Fixture.bytes("images/plain.jpg") + [UInt8](repeating: 0, count: 2_000_000)
    let path = try fixture.temporary.write("large.jpg", bytes)
    let inline = try #require(InlineImage(base64: Base64.encoded(bytes)))
    await (try Self.intake(worker)).warmUp(for: [isInline ? .data(inline) : .path(path)], isConfined: false)
    #expect(await worker.processIdentifier != nil)
    await worker.shutDown()
  }

  @Test("the first request starts no worker for what is prepared already")
  func prepared() async throws {
    let worker = try ServiceFixture.makeWorker()
    let intake = try Self.intake(worker)
    await intake.warmUp(for: [.prepared("prep_1"), .generation("gen_1", index: 0)], isConfined: false)
    #expect(await worker.processIdentifier == nil)
  }

  @Test("the first request has nothing begin for a provider that cannot be asked")
  func refused() async throws {
    let provider = ScriptedProvider(
      isLocal: false, availability: ProviderAvailability(available: false, reason: "No key.", needsKey: true))
    let engine = try ServiceFixture().engine([provider])
    let photo = ImageSource.path(Fixture.path("images/face-rotated.jpg"))
    await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(Generate(recipe: .headshot, image: photo), for: Caller())
    }
    await engine.leave()
    #expect(provider.warmUps.arrivals == 0)
    #expect(await engine.engine.worker.processIdentifier == nil)
  }

  private static func intake(_ worker: ImagingWorker) throws -> PhotoIntake {
    let lazyStore = LazyStore(uptimeMs: { 0 }) { _ in throw AtelierError(.internal) }
    return PhotoIntake(
      photos: PhotoSource(lazyStore: lazyStore, maximumBytes: 10_000_000, readable: AllowedFolders()), worker: worker)
  }
}
