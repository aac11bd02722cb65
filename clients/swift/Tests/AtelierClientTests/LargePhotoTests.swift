import Encodings
import Foundation
import JSON
import PictureFiles
import Support
import Testing

@testable import AtelierClient

@Suite("A large photo", .timeLimit(.minutes(1)))
struct LargePhotoTests {
  private let peer: ScriptedPeer
  private let folder: TemporaryDirectory

  init() throws {
    peer = try ScriptedPeer()
    folder = try TemporaryDirectory()
  }

  /// The chunks of a PNG that tell its sides, with nothing worth decoding in between.
  private static func picture(width: UInt32, height: UInt32) -> [UInt8] {
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] { bytes(UInt32(data.count)) + name.utf8 + data + [0, 0, 0, 0] }
    func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
      + chunk("IHDR", bytes(width) + bytes(height) + [8, 2, 0, 0, 0]) + chunk("IDAT", [0]) + chunk("IEND", [])
  }

  @Test("a photo that is too large is prepared inline, and the rest is sent as it is")
  func prepared() async throws {
    let wide = try folder.write("wide.png", Self.picture(width: 4097, height: 300))
    let fitting = try folder.write("fitting.png", Self.picture(width: 4096, height: 300))
    let heavy = try folder.write("heavy.jpg", [UInt8](repeating: 0xff, count: 7_000_001))
    let studio = try await peer.studio()
    let inline = try #require(InlineImage(base64: Base64.encoded(Self.picture(width: 1, height: 5000))))
    var request = Generate(recipe: .edit, image: .path(wide), prompt: "x")
    request.account = "ada"
    request.references = [
      .path(fitting), .data(inline), .path(heavy), .path("/nonexistent.jpg"), .generation("gen_1", index: 2),
    ]
    _ = try await studio.generate(request).result
    let sent = try await peer.params(of: "generate")
    let replaced: JSONValue = ["data": "c21hbGw=", "mimeType": "image/jpeg"]
    #expect(sent["image"] == replaced)
    #expect(
      sent["references"] == [
        ["path": .string(fitting)], replaced, replaced, ["path": "/nonexistent.jpg"], ["generationId": "gen_1", "index": 2],
      ])
    let preparations = peer.received.value.filter { $0["method"] == "image/prepare" }.compactMap { $0["params"] }
    #expect(preparations.count == 3)
    #expect(preparations.allSatisfy { $0["inline"] == true && $0["longestSide"] == 4096 && $0["account"] == "ada" })
    await studio.close()
  }

  @Test("an estimate is treated alike")
  func estimate() async throws {
    let wide = try folder.write("wide.png", Self.picture(width: 4097, height: 300))
    let studio = try await peer.studio()
    _ = await failure { try await studio.send(CreditsEstimate(Generate(recipe: .edit, image: .path(wide), prompt: "x"))) }
    #expect(try await peer.params(of: "credits/estimate")["image"]?["data"] == "c21hbGw=")
    await studio.close()
  }

  @Test("a cancel ends a preparation, and so does the end of its waiter", arguments: [true, false])
  func cancelled(byHandle: Bool) async throws {
    // Longer than what is prepared at once; the peer never answers for this name.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("held.jpg"), withDestinationPath: try folder.write("h", [UInt8](repeating: 0, count: 7_000_001)))
    let studio = try await peer.studio()
    peer.holdsPreparations.change { $0 = true }
    let generation = studio.generate(Generate(recipe: .edit, image: .path(folder.path("held.jpg")), prompt: "x"))
    let waiter = Task { try await generation.result }
    _ = try await peer.params(of: "image/prepare")
    if byHandle { generation.cancel() } else { waiter.cancel() }
    if byHandle {
      #expect(await failure { try await waiter.value }?.clientKind == .requestCancelled)
    } else {
      #expect(await isCancelled { try await waiter.value })
    }
    _ = try await peer.params(of: "$/cancelRequest")
    #expect(!peer.methods.contains("generate"))
    await studio.close()
  }

  @Test("the sides of a picture are found in every format", arguments: [
    "face.jpg", "plain.png", "face.webp", "plain.heic", "plain.avif", "progressive.jpg", "lossless.webp",
  ])
  func sides(name: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(ServiceScene.project)/Tests/Fixtures/images/\(name)"))
    let sides = try #require(PictureSides(of: Array(data)))
    #expect((1...4096).contains(sides.width) && (1...4096).contains(sides.height))
    if name != "progressive.jpg", !name.hasSuffix(".jpg") { #expect(PictureSides(of: Array(data.prefix(20))) == nil) }
  }
}
