import Support
import Testing

@testable import Imaging

@Suite("Recognising content by its first bytes")
struct RecognisedContentTests {
  static let fixtures: [(String, RecognisedContent)] = [
    ("plain.jpg", .picture(.jpeg)), ("plain.png", .picture(.png)), ("plain.webp", .picture(.webp)),
    ("plain.heic", .picture(.heic)), ("plain.avif", .picture(.avif)), ("rotated.heic", .picture(.heic)),
    ("other.gif", .other("a GIF picture")), ("other.bmp", .other("a BMP picture")),
    ("other.tiff", .other("a TIFF or camera raw picture")),
  ]

  @Test("recognition tells real files apart", arguments: fixtures)
  func fixture(name: String, expected: RecognisedContent) throws {
    #expect(RecognisedContent(of: try Fixture.image(name)) == expected)
  }

  @Test("recognition names what is written in letters", arguments: [
    ("hello", "a text"), ("日本語のテキスト", "a text"), ("<svg xmlns='x'>", "an SVG drawing"),
    ("<?xml version='1.0'?><!-- a -->\n<SVG>", "an SVG drawing"), ("<!DOCTYPE html><p>", "a web page"),
    ("\n\n%PDF-1.4", "a PDF document"), ("BM is a text, not a bitmap, as its header tells", "a text"),
    ("RIFF0000WAVEfmt ", "a sound"), ("RIFF0000AVI LIST", "a video"), ("GIF89a", "a GIF picture"),
  ])
  func letters(text: String, expected: String) {
    #expect(RecognisedContent(of: Array(text.utf8)) == .other(expected))
  }

  @Test("recognition knows a long text although its head may end in the middle of a character")
  func longText() {
    for padding in 0..<4 {
      let text = String(repeating: "x", count: padding) + String(repeating: "🙂", count: 2000)
      #expect(RecognisedContent(of: Array(text.utf8)) == .other("a text"))
    }
  }

  @Test("recognition reads the brands of a media file only as far as they go", arguments: [
    ("heic", [], RecognisedContent.picture(.heic)), ("mif1", ["miaf", "avif"], .picture(.avif)),
    ("mif1", ["heic"], .picture(.heic)), ("isom", ["mp42"], .other("a video")), ("qt  ", [], .other("a video")),
  ])
  func brands(major: String, compatible: [String], expected: RecognisedContent) {
    let brands = compatible.joined()
    let size = UInt8(16 + brands.utf8.count)
    let box = [0, 0, 0, size] + Array("ftyp\(major)\0\0\0\0\(brands)".utf8)
    #expect(RecognisedContent(of: box) == expected)
    #expect(RecognisedContent(of: box + Array("avifavif".utf8)) == expected, "what follows the box is no brand")
  }

  @Test("recognition never traps on anything", arguments: 0..<50 as Range<UInt64>)
  func anything(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let beginnings = try Self.fixtures.map { try Fixture.image($0.0) } + [[]]
    for beginning in beginnings {
      let kept = beginning.prefix(Int.random(in: 0...64, using: &random))
      _ = RecognisedContent(of: kept + random.bytes(Int.random(in: 0...64, using: &random)))
    }
  }
}
