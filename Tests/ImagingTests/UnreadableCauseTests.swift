import AtelierProtocol
import Imaging
import PictureFiles
import Support
import Testing

@testable import atelier_imaging

@Suite("Why a picture cannot be read")
struct UnreadableCauseTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var kind: ErrorKind
    /// Parts of the sentence.
    var says: [String]
    var bytes: @Sendable () throws -> [UInt8]
    var testDescription: String { name }
  }

  /// `plain.heic` with the item's type in other letters.
  private static func heic(codec: String) throws -> [UInt8] {
    var file = try MediaFile(.heic)
    file.items[0].type = codec
    return file.bytes
  }

  /// `plain.jpg` with another marker at its frame.
  private static func jpeg(frame: UInt8) throws -> [UInt8] {
    var bytes = try Fixture.image("plain.jpg")
    let place = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xc0 })
    bytes[place + 1] = frame
    return bytes
  }

  /// An item that is made of a part that is missing.
  private static func withoutParts() throws -> [UInt8] {
    var file = try MediaFile(.heic)
    file.items[0] = MediaFile.Item(id: 1, type: "grid", data: [0, 0, 0, 0, 0, 10, 0, 10])
    file.refer("dimg", 1, [7])
    return file.bytes
  }

  private static let film: [UInt8] =
    MediaFile.box("ftyp", Array("avis\0\0\0\0avifmsf1".utf8)) + MediaFile.box("moov", [0, 0, 0, 8])
    + MediaFile.box("mdat", [1, 2, 3])

  private static let mostCompatible = "Settings > Camera > Formats > Most Compatible"

  static let cases = [
    Case(name: "a lossless JPEG", kind: .unsupportedImage, says: ["a lossless JPEG", "usual JPEG"]) {
      try jpeg(frame: 0xc3)
    },
    Case(name: "a hierarchical JPEG", kind: .unsupportedImage, says: ["a hierarchical JPEG"]) { try jpeg(frame: 0xc5) },
    Case(name: "a JPEG of 12 bits", kind: .unsupportedImage, says: ["12 bits a channel"]) {
      var bytes = try Fixture.image("plain.jpg")
      let place = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xc0 })
      bytes[place + 4] = 12
      return bytes
    },
    Case(name: "an animated AVIF", kind: .unsupportedImage, says: ["an animated picture"]) { film },
    Case(name: "VVC", kind: .unsupportedImage, says: ["the codec VVC", mostCompatible]) { try heic(codec: "vvc1") },
    Case(name: "JPEG 2000", kind: .unsupportedImage, says: ["the codec JPEG 2000", mostCompatible]) {
      try heic(codec: "j2k1")
    },
    Case(name: "uncompressed", kind: .unsupportedImage, says: ["without compression"]) { try heic(codec: "unci") },
    Case(name: "JPEG in HEIF", kind: .unsupportedImage, says: ["the codec JPEG,"]) { try heic(codec: "jpeg") },
    Case(name: "a codec of tomorrow", kind: .unsupportedImage, says: ["the codec xyz1"]) { try heic(codec: "xyz1") },
    Case(name: "a grid without its tiles", kind: .invalidImage, says: ["Its decoder says: “", mostCompatible]) {
      try withoutParts()
    },
    Case(name: "a truncated HEIC", kind: .invalidImage, says: ["damaged or incomplete"]) {
      Array(try Fixture.image("plain.heic").dropLast(20))
    },
    Case(name: "a PNG with a wrong checksum", kind: .invalidImage, says: ["damaged or incomplete"]) {
      var bytes = try Fixture.image("plain.png")
      bytes[40] ^= 1
      return bytes
    },
  ]

  @Test("the sentence names what the file shows or the decoder says, and what helps", arguments: cases)
  func sentence(_ test: Case) async throws {
    let bytes = try test.bytes()
    try await withWorker { worker in
      let error = try await #require(throws: ImagingError.self) { try await worker.prepare(bytes) }
      #expect(error.kind == test.kind, "\(error.message) \(error.details)")
      for part in test.says { #expect(error.message.contains(part), "\(error.message) \(error.details)") }
      #expect(error.message.contains("damaged") == test.says.contains("damaged or incomplete"), "\(error.message)")
      #expect(error.message.hasSuffix(".") && !error.message.contains("bad seek"), "\(error.message)")
      _ = try await worker.prepare(try Fixture.image("plain.jpg"))
    }
  }

  @Test("the reason is the decoder's line about the picture, in plain characters", arguments: [
    ("bad seek to 1000\nheif: Invalid input: Unspecified: Too many auxiliary image references (2.0)\n",
      "Invalid input: Unspecified: Too many auxiliary image references"),
    ("bad seek\n", "bad seek"), ("a\u{1b}[31m\u{e9}b", "a[31mb"), ("", nil), ("\n\n", nil),
    ("VipsJpeg: Unsupported marker type 0xc3", "VipsJpeg: Unsupported marker type 0xc3"),
  ] as [(String, String?)])
  func reason(words: String, expected: String?) {
    #expect(DecoderNotes(words).reason == expected)
  }
}
