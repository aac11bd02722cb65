import AtelierProtocol
import Foundation
import Imaging
import Providers
import ServiceFixture
import Store
import Testing

@testable import Engine

@Suite("The photo that a provider on this machine prepares is kept", .timeLimit(.minutes(3)))
struct KeptPhotoTests {
  let fixture: ServiceFixture
  init() throws { fixture = try ServiceFixture() }

  /// It has to be turned, so it is not kept as it is.
  private static let photo = Fixture.path("images/face-rotated.jpg")

  /// Returns a prepared photo where one is wanted, which no other part could make.
  private static func preparing(_ request: ImageRequest) throws -> ProviderImage {
    var image = try ScriptedProvider.picture()
    if request.wantsPreparedPhoto {
      image.preparedPhoto = EncodedImage(
        bytes: try Fixture.bytes("images/plain.webp"), format: .webp, width: 300, height: 200)
    }
    return image
  }

  private func request(count: Int? = nil, isPrivate: Bool? = nil, path: String = photo) -> Generate {
    Generate(
      recipe: .headshot, image: .path(path), output: Generate.Output(count: count, inline: isPrivate), private: isPrivate)
  }

  private func kept(_ id: GenerationID, in engine: TestEngine) async throws -> [UInt8]? {
    let store = try await engine.engine.lazyStore.store()
    guard case .found(let input) = try await store.preparedInput(of: id) else { return nil }
    return try await store.read(input.artifact)
  }

  @Test("the prepared photo is kept as the provider returned it; of several pictures, only the first is asked for it")
  func byTheProvider() async throws {
    let provider = ScriptedProvider { request, _ in try Self.preparing(request) }
    let engine = try fixture.engine([provider])
    _ = try await engine.generations.generate(request(count: 3), for: Caller())
    #expect(provider.requests.filter(\.wantsPreparedPhoto).map(\.variation) == [0])
    #expect(try await kept("gen_1", in: engine) == (try Fixture.bytes("images/plain.webp")))
    await engine.leave()
  }

  @Test("the photo is kept as the worker prepares it, where the first picture failed or the provider returned none",
    arguments: [false, true])
  func byTheWorker(firstFails: Bool) async throws {
    let provider = ScriptedProvider { request, _ in
      if firstFails, request.variation == 0 { throw AtelierError(.contentBlocked, "No.") }
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    let result = try await engine.generations.generate(request(count: 2), for: Caller()).result
    #expect(result?.images.count == (firstFails ? 1 : 2))
    let bytes = try #require(try await kept("gen_1", in: engine))
    let original = try Fixture.bytes("images/face-rotated.jpg")
    #expect(bytes.starts(with: [0xFF, 0xD8]) && bytes != original)
    await engine.leave()
  }

  @Test("the photo is kept from what was read at the start, though the file is gone since")
  func fileGone() async throws {
    let path = "\(try fixture.temporary.makeFolder("photos"))/photo.jpg"
    try FileManager.default.copyItem(atPath: Self.photo, toPath: path)
    let engine = try fixture.engine([
      ScriptedProvider { _, _ in
        try FileManager.default.removeItem(atPath: path)
        return try ScriptedProvider.picture()
      }
    ])
    let result = try await engine.generations.generate(request(path: path), for: Caller()).result
    #expect(result?.state == .succeeded)
    #expect(try await kept("gen_1", in: engine) != nil)
    await engine.leave()
  }

  @Test("the photo is kept with a result from history too")
  func cached() async throws {
    let provider = ScriptedProvider { request, _ in try Self.preparing(request) }
    let engine = try fixture.engine([provider])
    for _ in 0..<2 { _ = try await engine.generations.generate(request(), for: Caller()) }
    #expect(provider.requests.count == 1)
    #expect(try await kept("gen_2", in: engine) != nil)
    await engine.leave()
  }

  @Test("the photo of a private request is not kept, and the provider is not asked for it either")
  func isPrivate() async throws {
    let provider = ScriptedProvider { request, _ in try Self.preparing(request) }
    let engine = try fixture.engine([provider])
    _ = try await engine.generations.generate(request(isPrivate: true), for: Caller())
    #expect(provider.requests.map(\.wantsPreparedPhoto) == [false])
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    await engine.leave()
  }

  @Test("the photo of a cancelled or failed request is not kept: no file stays", arguments: [false, true])
  func ended(isCancelled: Bool) async throws {
    let gate = Gate()
    let provider = ScriptedProvider { _, _ in
      try await gate.pass()
      throw AtelierError(.contentBlocked, "No.")
    }
    let engine = try fixture.engine([provider], configuration: .withoutRetries)
    let task = engine.generate(request())
    await gate.hasSeen()
    if isCancelled { task.cancel() } else { gate.open() }
    _ = await task.result
    #expect(try await kept("gen_1", in: engine) == nil)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    await engine.leave()
  }
}
