import AtelierProtocol
import Encodings
import Foundation
import Imaging
import JSON
import POSIX
import ServiceFixture
import Testing

@testable import Engine

@Suite("Pictures that are too large for `generate`", .timeLimit(.minutes(3)))
struct FittingTests {
  private let fixture: ServiceFixture
  /// More pixels than `generate` takes.
  private let wide = Fixture.path("images/wide.png")
  private let small = Fixture.path("images/plain.jpg")

  init() throws { fixture = try ServiceFixture() }

  /// A picture of so many bytes: what follows its end belongs to the file only.
  private func file(ofBytes count: Int) throws -> String {
    let picture = try Fixture.bytes("images/plain.jpg")
    return try fixture.temporary.write("\(count).jpg", picture + [UInt8](repeating: 0, count: count - picture.count))
  }

  private func inline(_ source: ImageSource?) throws -> [UInt8] {
    guard case .data(let image)? = source else {
      Issue.record("\(String(describing: source)) is not inline")
      return []
    }
    return image.decoded()
  }

  @Test("oversized pictures are prepared in memory, the photo and the references alike, and leave no file")
  func prepared() async throws {
    let engine = try fixture.engine([ScriptedProvider()])
    let heavy = try file(ofBytes: 7_000_001)
    let data = try #require(InlineImage(base64: Base64.encoded(try Fixture.bytes("images/wide.png"))))
    var request = Generate(recipe: .edit, image: .path(wide), prompt: "a hat")
    request.references = [.path(heavy), .data(data)]
    let fitting = try await engine.engine.fitting(request, for: Caller())
    let pictures = try [fitting.image, fitting.references?.first, fitting.references?.last].map(inline)
    let sides = try pictures.map { try ReceivedPicture($0, limits: .generation) }
    #expect(sides.map(\.width) == [4096, 400, 4096])
    #expect(sides.map(\.height) == [1229, 300, 1229])
    #expect(pictures.allSatisfy { $0.count <= 7_000_000 })
    #expect(
      fixture.temporary.files(below: "data/artifacts").isEmpty && fixture.temporary.files(below: "data/temporary").isEmpty)
    let made = try await engine.generations.generate(fitting, for: Caller())
    #expect(made.state == .succeeded)
    await engine.leave()
  }

  @Test("oversized pictures are prepared the same each time, so that a repeated key is the same request")
  func repeated() async throws {
    let engine = try fixture.engine([ScriptedProvider()])
    let request = Generate(recipe: .edit, image: .path(wide), prompt: "a hat", idempotencyKey: "k")
    let first = try await engine.generations.generate(try await engine.engine.fitting(request, for: Caller()), for: Caller())
    let second = try await engine.generations.generate(
      try await engine.engine.fitting(request, for: Caller()), for: Caller())
    #expect(first.generationId == second.generationId)
    await engine.leave()
  }

  @Test(
    "oversized pictures are told from those that fit, from results and from what is no picture, which stay as they are",
    arguments: [
      ImageSource.path(Fixture.path("images/plain.jpg")), .path(Fixture.path("images/other.gif")),
      .path(Fixture.path("images/too-small.png")), .generation("gen_1", index: 0), .prepared("prep_1"),
    ])
  func unchanged(source: ImageSource) async throws {
    let engine = try fixture.engine([ScriptedProvider()])
    var request = Generate(recipe: .edit, image: source, prompt: "a hat")
    request.references = [source]
    #expect(try await engine.engine.fitting(request, for: Caller()) == request)
    await engine.leave()
  }

  @Test("oversized pictures cost one clear error where even `image/prepare` does not take them")
  func hostile() async throws {
    let engine = try fixture.engine([ScriptedProvider()])
    let cases: [(String, ErrorKind, says: String)] = [
      (try file(ofBytes: 40_000_001), .imageTooLarge, "at most 40 MB"),
      (Fixture.path("images/too-large.png"), .invalidDimensions, "60 megapixels"),
      (try fixture.temporary.write("noise", [UInt8](repeating: 7, count: 7_000_001)), .unsupportedImage, "not a picture"),
    ]
    for (path, kind, says) in cases {
      let request = Generate(recipe: .edit, image: .path(path), prompt: "a hat")
      let error = await #expect(throws: AtelierError.self) { try await engine.engine.fitting(request, for: Caller()) }
      #expect(error?.kind == kind)
      #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
      #expect(error?.details["remedy"] == nil)
    }
    await engine.leave()
  }

  @Test("oversized pictures are read with the caller's rights")
  func rights() async throws {
    var configuration = EngineConfiguration()
    configuration.access = HostAccess(read: AllowedFolders([fixture.temporary.path]), write: AllowedFolders([]))
    let engine = try fixture.engine([ScriptedProvider()], configuration: configuration)
    let anna = Caller(confinedTo: "anna")
    let heavy = try file(ofBytes: 7_000_001)
    func fitting(_ path: String, account: AccountID?) async throws -> Generate {
      let request = Generate(recipe: .edit, image: .path(path), prompt: "a hat", account: account)
      return try await engine.engine.fitting(request, for: anna)
    }
    _ = try inline(try await fitting(heavy, account: nil).image)
    let elsewhere = await #expect(throws: AtelierError.self) { _ = try await fitting(wide, account: nil) }
    #expect(elsewhere?.kind == .fileAccessDenied)
    let other = await #expect(throws: AtelierError.self) { _ = try await fitting(heavy, account: "bob") }
    #expect(other?.kind == .permissionDenied)
    await engine.leave()
  }

  @Test("oversized pictures are given up when the caller is cancelled")
  func cancelled() async throws {
    let engine = try fixture.engine([ScriptedProvider()])
    let request = Generate(recipe: .edit, image: .path(wide), prompt: "a hat")
    let gate = Gate()
    let task = Task {
      _ = try? await gate.pass()
      return try await engine.engine.fitting(request, for: Caller())
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    await engine.leave()
  }

  @Test("oversized pictures are refused by `generate`, and the error names the remedy if there is one")
  func remedy() async throws {
    let engine = try fixture.engine([ScriptedProvider()])
    let cases: [(String, ErrorKind, remedy: JSONValue?)] = [
      (try file(ofBytes: 7_000_001), .imageTooLarge, "image/prepare"),
      (try file(ofBytes: 40_000_001), .imageTooLarge, nil),
      (wide, .invalidDimensions, "image/prepare"),
      (Fixture.path("images/too-large.png"), .invalidDimensions, nil),
      (Fixture.path("images/too-small.png"), .invalidDimensions, nil),
    ]
    for (path, kind, remedy) in cases {
      let request = Generate(recipe: .edit, image: .path(path), prompt: "a hat")
      let error = await #expect(throws: AtelierError.self) {
        try await engine.generations.generate(request, for: Caller())
      }
      #expect(error?.kind == kind)
      #expect(error?.details["remedy"] == remedy)
      #expect(error?.hint?.contains("image/prepare") ?? false == (remedy != nil), "\(error?.forOperators ?? "")")
    }
    await engine.leave()
  }

  @Test("oversized pictures keep as many pixels as the request asks for; inline, nothing of them is kept", arguments: [
    (nil, 1280), (256, 256), (1281, 1281), (4096, 4096),
  ])
  func sides(longestSide: Int?, width: Int) async throws {
    let engine = try fixture.engine([ScriptedProvider()])
    let result = try await engine.engine.prepare(
      ImagePrepare(image: .path(wide), longestSide: longestSide, inline: true), for: Caller())
    #expect(result.width == width && result.original.width == 5000)
    #expect(result.preparedId == nil && result.expiresAt == nil)
    let bytes = try #require(Base64.decoded(result.data ?? ""))
    #expect(bytes.count == result.bytes)
    #expect(try ReceivedPicture(bytes).width == width)
    #expect(fixture.temporary.files(below: "data").filter { $0.contains("artifacts/") || $0.contains("temporary/") }.isEmpty)
    let kept = try await engine.engine.prepare(ImagePrepare(image: .path(wide), longestSide: longestSide), for: Caller())
    #expect(kept.preparedId != nil && kept.data == nil && kept.expiresAt != nil && kept.width == width)
    await engine.leave()
  }
}
