import Foundation
import Support
import Testing

@testable import GeminiSimulator

@Suite("The pictures")
struct PictureTests {
  @Test("Check values are those of the standards")
  func checksums() {
    let text = Array("123456789".utf8)
    #expect(Checksum.crc32(text) == 0xCBF4_3926)
    #expect(Checksum.fnv1a("foobar".utf8) == 0x8594_4171_F739_67E8)
    #expect(PictureMarker.fingerprint(of: "") == "cbf29ce484222325")
  }

  @Test("A marker is found in every format, and not where there is none")
  func markers() {
    let marker = PictureMarker(prompt: "灯台", request: 12, index: 3)
    let formats: [PictureEncoding] = [.png, .jpeg, .webp]
    let pictures = formats.map { SamplePicture.make(40, 30, $0, marker: marker) }
    for picture in pictures + [SamplePicture.make(40, 30, byteCount: 20_000, marker: marker)] {
      let bytes = picture.bytes
      #expect(Decoded.base64(String(decoding: picture.base64, as: UTF8.self)) == bytes)
      #expect(PictureMarker(in: bytes) == marker)
      #expect(PictureEncoding(of: bytes)?.isComplete(bytes) == true)
      #expect(PictureMarker(in: bytes.dropLast(bytes.count - 20)) == nil)
    }
    #expect(PictureMarker(prompt: "a", request: 1).prompt != PictureMarker(prompt: "b", request: 1).prompt)
  }

  @Test("A PNG has the size asked for", arguments: [(1, 1), (7, 9), (64, 36), (300, 1)])
  func sizes(width: Int, height: Int) {
    let bytes = SamplePicture.make(width, height).bytes
    #expect(PictureEncoding(of: bytes)?.size(of: bytes) == PictureSize(width: width, height: height))
  }

  @Test("Every format tells its size, whoever wrote the picture")
  func foreignSizes() {
    for bytes in [SamplePicture.png, SamplePicture.jpeg, SamplePicture.webp] {
      #expect(PictureEncoding(of: bytes)?.size(of: bytes) == PictureSize(width: 64, height: 36))
      #expect(PictureEncoding(of: bytes)?.isComplete(bytes) == true)
    }
    for format in [PictureEncoding.jpeg, .webp] {
      let bytes = SamplePicture.make(64, 36, format).bytes
      #expect(PictureEncoding(of: bytes)?.size(of: bytes) == PictureSize(width: 64, height: 64))
    }
  }

  @Test("libvips decodes every picture to its end", arguments: [PictureEncoding.png, .jpeg, .webp])
  func decodable(format: PictureEncoding) async throws {
    let bytes = SamplePicture.make(43, 24, format).bytes
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("simulated-\(UUID())")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let script = """
      import ctypes, sys
      vips = ctypes.CDLL("libvips.so.42")
      vips.vips_init(b"test")
      vips.vips_image_new_from_file.restype = ctypes.c_void_p
      image = vips.vips_image_new_from_file((sys.argv[1] + "[fail_on=warning]").encode(), None)
      average = ctypes.c_double()
      sys.exit(1 if not image else vips.vips_avg(ctypes.c_void_p(image), ctypes.byref(average), None))
      """
    let run = try await Command.run("python3", ["-c", script, file.path])
    #expect(run.status == 0, "\(format) \(run.errors)")
  }

  @Test("A picture has exactly the bytes asked for", arguments: [1000, 1001, 5000, 65_536, 1_000_000, 3_333_333])
  func exactBytes(count: Int) {
    let bytes = SamplePicture.make(43, 24, byteCount: count).bytes
    #expect(bytes.count == count)
    #expect(PictureEncoding.png.isComplete(bytes))
  }

  @Test("A PNG with any byte changed is no longer whole", arguments: 0..<40 as Range<UInt64>)
  func damage(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes = SamplePicture.png
    let place = Int.random(in: 8..<bytes.count, using: &random)
    bytes[place] ^= UInt8.random(in: 1...255, using: &random)
    #expect(!PictureEncoding.png.isComplete(bytes), "seed \(seed), byte \(place)")
    #expect(!PictureEncoding.png.isComplete(Array(SamplePicture.png.prefix(place))), "seed \(seed), cut at \(place)")
  }
}
