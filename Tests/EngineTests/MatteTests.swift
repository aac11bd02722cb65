import AtelierProtocol
import Encodings
import Foundation
import Imaging
import Providers
import ServiceFixture
import Store
import Support
import Testing

@testable import Engine

@Suite("The matte of a picture", .timeLimit(.minutes(3)))
struct MatteTests {
  private static let matte: [UInt8] = Array("a matte".utf8)

  private let fixture: ServiceFixture

  init() throws { fixture = try ServiceFixture() }

  /// A provider that makes a matte where one is wanted.
  private func engine() throws -> TestEngine {
    try fixture.engine([
      ScriptedProvider { request, _ in
        var image = try ScriptedProvider.picture()
        if request.wantsMatte {
          image.matte = EncodedImage(bytes: Self.matte, format: .png, width: image.width, height: image.height)
        }
        return image
      }
    ])
  }

  private func request(_ output: Generate.Output, private isPrivate: Bool? = nil) -> Generate {
    var output = output
    output.matte = true
    return Generate(
      recipe: .headshot, image: .path(Fixture.path("portraits/grace_hopper.jpg")), output: output, private: isPrivate)
  }

  @Test("the matte of a picture is a file beside the picture, is read by its own variant, and is no picture")
  func stored() async throws {
    let engine = try engine()
    let made = try await engine.generations.generate(request(Generate.Output()), for: Caller())
    #expect(made.images.count == 1 && made.state == .succeeded)
    let matte = try #require(made.images.first?.matte)
    #expect(matte.mimeType == "image/png" && matte.bytes == Self.matte.count && matte.data == nil)
    #expect(matte.path?.hasSuffix(".png") == true)
    #expect(try [UInt8](Data(contentsOf: URL(filePath: try #require(matte.path)))) == Self.matte)
    let read = try await engine.engine.readImage(
      ImageRead(generationId: made.generationId, variant: .matte), for: Caller())
    #expect(read.data == Base64.encoded(Self.matte) && read.mimeType == "image/png")
    #expect(read.width == made.images[0].width && read.nextOffset == nil)
    await #expect(throws: (any Error).self) {
      try await engine.engine.readImage(
        ImageRead(generationId: made.generationId, variant: .matte, maxSide: 64), for: Caller())
    }
    await engine.leave()
  }

  @Test("a matte that was not asked for is not there")
  func absent() async throws {
    let engine = try engine()
    var plain = request(Generate.Output())
    plain.output = nil
    let made = try await engine.generations.generate(plain, for: Caller())
    #expect(made.images.first?.matte == nil)
    let error = await #expect(throws: AtelierError.self) {
      try await engine.engine.readImage(ImageRead(generationId: made.generationId, variant: .matte), for: Caller())
    }
    #expect(error?.kind == .notFound && error?.hint?.contains("output.matte") == true)
    await engine.leave()
  }

  @Test("the matte comes with the result of an identical earlier request, and not with that of one without")
  func cached() async throws {
    let engine = try engine()
    var plain = request(Generate.Output())
    plain.output = nil
    _ = try await engine.generations.generate(plain, for: Caller())
    let first = try await engine.generations.generate(request(Generate.Output()), for: Caller())
    let second = try await engine.generations.generate(request(Generate.Output(inline: true)), for: Caller())
    #expect(!first.cached && second.cached)
    #expect(second.images.first?.matte?.sha256 == first.images.first?.matte?.sha256)
    #expect(second.images.first?.matte?.data == Base64.encoded(Self.matte))
    await engine.leave()
  }

  @Test("the matte of a picture goes with its generation, to the last reference")
  func deleted() async throws {
    let engine = try engine()
    let made = try await engine.generations.generate(request(Generate.Output()), for: Caller())
    let again = try await engine.generations.generate(request(Generate.Output()), for: Caller())
    let path = try #require(made.images.first?.matte?.path)
    #expect(again.cached && again.images.first?.matte?.path == path)
    let store = try await engine.engine.lazyStore.store()
    _ = try await store.delete(.one(made.generationId, account: nil))
    #expect(FileManager.default.fileExists(atPath: path))
    _ = try await store.delete(.one(again.generationId, account: nil))
    #expect(!FileManager.default.fileExists(atPath: path))
    await engine.leave()
  }

  @Test("the matte of a picture is copied into the output directory and the export")
  func copies() async throws {
    let engine = try engine()
    let folder = "\(fixture.temporary.path)/copies"
    let export = "\(fixture.temporary.path)/export"
    for path in [folder, export] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    let made = try await engine.generations.generate(request(Generate.Output(directory: folder)), for: Caller())
    let matte = try #require(made.images.first?.matte)
    #expect(matte.path == "\(folder)/headshot-\(made.generationId.rawValue)-matte.png" && matte.storedPath != nil)
    #expect(try [UInt8](Data(contentsOf: URL(filePath: try #require(matte.path)))) == Self.matte)
    await engine.generations.finishThumbnails()
    let result = try await engine.engine.exportHistory(HistoryExport(directory: export), for: Caller())
    #expect(result.files >= 2)
    let name = "\(export)/atelier-pictures/\(matte.sha256).png"
    #expect(try [UInt8](Data(contentsOf: URL(filePath: name))) == Self.matte)
    await engine.leave()
  }

  @Test("the matte of a private picture is in the answer and nowhere else")
  func privately() async throws {
    let engine = try engine()
    let made = try await engine.generations.generate(
      request(Generate.Output(inline: true), private: true), for: Caller())
    let matte = try #require(made.images.first?.matte)
    #expect(matte.data == Base64.encoded(Self.matte) && matte.path == nil && matte.storedPath == nil)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    await engine.leave()
  }
}
