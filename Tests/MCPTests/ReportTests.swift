import AtelierProtocol
import Encodings
import Engine
import JSON
import JSONRPC
import Providers
import ServiceFixture
import Support
import Testing

@testable import MCP

@Suite("The report of a generation", .timeLimit(.minutes(2)))
struct ReportTests {
  private static func places(_ state: GenerationState, dropped: Int, isBrokenOff: Bool) -> Generation {
    var generation = Generation(
      generationId: "gen_1", state: state, recipe: .places, account: .owner, createdAt: Timestamp(milliseconds: 0))
    generation.places = [
      Place(
        name: "Epoch Coffee", streetAddress1: "221 W North Loop", city: "Austin", source: .geocoder,
        verifiedAt: Timestamp(milliseconds: 0))
    ]
    generation.dropped = DroppedPlaces(count: dropped, names: (0..<min(dropped, 50)).map { "Bean \($0)" })
    if isBrokenOff {
      let error = AtelierError(.timedOut, "Allow more with timeoutMs.", details: ["timeoutMs": 60_000])
      generation.failures = [ImageFailure(index: 0, error: error.body(at: Timestamp(milliseconds: 0)))]
    }
    return generation
  }

  @Test("the report names every place that was left out and counts all of them", arguments: [0, 1, 50, 70])
  func dropped(count: Int) throws {
    let answer = GenerationReport(Self.places(.succeeded, dropped: count, isBrokenOff: false)).answer
    #expect(answer.text.contains("could not be verified") == (count > 0))
    if count > 0 { #expect(answer.text.contains("\(count) could not be verified and were left out: Bean 0")) }
    #expect(answer.text.contains("Bean \(min(count, 50) - 1)") == (count > 0))
    #expect(answer.structured?["dropped"]?["count"]?.int64 == Int64(count))
    #expect(answer.structured?["dropped"]?["names"]?.array?.count == min(count, 50))
  }

  @Test("the report says that a list is broken off, and why, in the tool's own words")
  func brokenOff() {
    let answer = GenerationReport(Self.places(.partial, dropped: 0, isBrokenOff: true)).answer
    #expect(!answer.isError && answer.structured?["state"] == "partial")
    #expect(answer.text.contains("The list is not complete: This took longer than the 60 s"))
    #expect(!answer.text.contains("timeoutMs"))
    #expect(!GenerationReport(Self.places(.succeeded, dropped: 0, isBrokenOff: false)).answer.text.contains("not complete"))
  }

  @Test("the report shows previews of at most 150,000 bytes, whatever the pictures hold", arguments: [1, 4])
  func previews(count: Int) async throws {
    let fixture = try ServiceFixture()
    let noise = Self.noise(side: 900)
    let provider = ScriptedProvider { _, _ in
      ProviderImage(bytes: noise, mimeType: "image/png", width: 900, height: 900, model: "script-1", usage: Usage())
    }
    let engine = try fixture.engine([provider])
    let service = MCPService(engine: engine.engine, settings: MCPSettings(), progress: CallProgress())
    let generation = try await engine.generations.generate(.picture(count: count), for: Caller())
    let previews = await service.shown(generation).previews
    #expect(previews.count == count)
    for preview in previews {
      #expect((1_000...150_000).contains(preview.bytes.count), "\(preview.bytes.count) bytes")
    }
    await engine.leave()
  }

  @Test("the report shows what could not be stored from its bytes, says that it is nowhere else, and names the copy")
  func handedOver() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider()])
    let service = MCPService(engine: engine.engine, settings: MCPSettings(), progress: CallProgress())
    var generation = Generation(
      generationId: "gen_1", state: .failed, recipe: .create, account: .owner, createdAt: Timestamp(milliseconds: 0))
    generation.error = AtelierError(.storageUnavailable).body(at: Timestamp(milliseconds: 0))
    let bytes = Self.noise(side: 300)
    var image = GeneratedImage(index: 0, mimeType: "image/png", width: 300, height: 300, bytes: bytes.count, sha256: "")
    (image.data, image.path) = (Base64.encoded(bytes), "/home/anna/out/one.png")
    generation.images = [image]
    let answer = await service.shown(generation)
    #expect(!answer.isError && answer.structured?["state"] == "failed")
    #expect(answer.previews.count == 1)
    #expect(answer.text.contains("could not be stored") && answer.text.contains("/home/anna/out/one.png"))
    #expect(!answer.text.contains(" saved: "))
    await engine.leave()
  }

  /// A PNG of random grey pixels, which no format makes small.
  private static func noise(side: Int) -> [UInt8] {
    var random = SplitMix64(seed: 7)
    var rows: [UInt8] = []
    for _ in 0..<side {
      rows.append(0)
      for _ in 0..<side { rows.append(UInt8(truncatingIfNeeded: random.next() >> 24)) }
    }
    // Stored blocks of the deflate format need no compressor.
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: rows.count, by: 65_535) {
      let block = rows[start..<min(start + 65_535, rows.count)]
      let length = UInt16(block.count)
      stream.append(start + block.count == rows.count ? 1 : 0)
      stream += [UInt8(length & 0xff), UInt8(length >> 8), UInt8(~length & 0xff), UInt8(~length >> 8)]
      stream += block
    }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in rows {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    stream += bigEndian(b << 16 | a)
    let header = bigEndian(UInt32(side)) + bigEndian(UInt32(side)) + [8, 0, 0, 0, 0]
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header) + chunk("IDAT", stream)
      + chunk("IEND", [])
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xff) } }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(name.utf8) + data
    var crc = UInt32.max
    for byte in content {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return bigEndian(UInt32(data.count)) + content + bigEndian(~crc)
  }
}
