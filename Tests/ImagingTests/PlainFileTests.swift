import Imaging
import Testing

@Suite("Files that hold only pixels")
struct PlainFileTests {
  @Test("files that hold only pixels are known", arguments: [
    ("plain.jpg", ImageFormat.jpeg), ("progressive.jpg", .jpeg), ("plain.png", .png), ("palette.png", .png),
    ("interlaced.png", .png), ("plain.webp", .webp), ("lossless.webp", .webp),
  ])
  func plain(name: String, format: ImageFormat) throws {
    #expect(PlainFile.holdsOnlyPixels(try Fixture.image(name), format: format))
  }

  @Test("files that hold only pixels are told from those that carry more", arguments: [
    ("private.jpg", ImageFormat.jpeg), ("orientation-1.jpg", .jpeg), ("display-p3.jpg", .jpeg),
    ("orientation-8.png", .png), ("orientation-6.webp", .webp), ("plain.heic", .heic), ("plain.avif", .avif),
  ])
  func notPlain(name: String, format: ImageFormat) throws {
    #expect(!PlainFile.holdsOnlyPixels(try Fixture.image(name), format: format))
  }

  @Test("files that hold only pixels have nothing behind their end and are not cut off", arguments: [
    ("plain.jpg", ImageFormat.jpeg), ("progressive.jpg", .jpeg), ("plain.png", .png), ("plain.webp", .webp),
  ])
  func exactLength(name: String, format: ImageFormat) throws {
    let bytes = try Fixture.image(name)
    #expect(!PlainFile.holdsOnlyPixels(bytes + [0], format: format))
    for count in 0..<bytes.count {
      #expect(!PlainFile.holdsOnlyPixels(Array(bytes.prefix(count)), format: format), "\(count) bytes")
    }
  }

  @Test("files that hold only pixels have no comment, preview or text in any place")
  func insertions() throws {
    let jpeg = try Fixture.image("plain.jpg")
    for segment: [UInt8] in [[0xff, 0xfe, 0, 4, 65, 66], [0xff, 0xe2, 0, 4, 65, 66], [0xff, 0xed, 0, 4, 65, 66]] {
      #expect(!PlainFile.holdsOnlyPixels(Array(jpeg.prefix(2)) + segment + jpeg.dropFirst(2), format: .jpeg))
    }
    let png = try Fixture.image("plain.png")
    for name in ["tEXt", "zTXt", "iTXt", "eXIf", "iCCP", "tIME", "acTL", "prVt"] {
      let chunk = PNGFile.chunk(name, [65, 66])
      #expect(!PlainFile.holdsOnlyPixels(Array(png.prefix(33)) + chunk + png.dropFirst(33), format: .png), "\(name)")
    }
  }
}
