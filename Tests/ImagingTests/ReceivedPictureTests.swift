import Imaging
import Support
import Testing

@Suite("A picture that was received")
struct ReceivedPictureTests {
  static let fixtures: [(String, ImageFormat, Int, Int)] = [
    ("plain.jpg", .jpeg, 400, 300), ("progressive.jpg", .jpeg, 400, 300), ("grey.jpg", .jpeg, 400, 300),
    ("cmyk.jpg", .jpeg, 400, 300), ("private.jpg", .jpeg, 120, 90), ("orientation-6.jpg", .jpeg, 90, 120),
    ("plain.png", .png, 400, 300), ("interlaced.png", .png, 400, 300), ("sixteen-bit.png", .png, 400, 300),
    ("plain.webp", .webp, 400, 300), ("lossless.webp", .webp, 400, 300), ("alpha.webp", .webp, 400, 300),
    ("plain.heic", .heic, 400, 300), ("plain.avif", .avif, 400, 300),
  ]

  @Test("a received picture is recognised by its content, with its sides", arguments: fixtures)
  func whole(name: String, format: ImageFormat, width: Int, height: Int) throws {
    let picture = try ReceivedPicture(try Fixture.image(name))
    #expect(picture.format == format)
    #expect((picture.width, picture.height) == (width, height))
    #expect(picture.mimeType == "image/\(format.rawValue)")
  }

  @Test(
    "a received picture may be followed by something else", arguments: fixtures.filter { $0.1 != .heic && $0.1 != .avif })
  func trailing(name: String, format: ImageFormat, width: Int, height: Int) throws {
    let bytes = try Fixture.image(name)
    for trailer in [[0], Array("provenance".utf8), bytes] {
      #expect(try ReceivedPicture(bytes + trailer) == ReceivedPicture(bytes))
    }
  }

  @Test("a received picture is not whole when any of it is missing", arguments: fixtures.filter { $0.0.hasPrefix("plain") })
  func truncated(name: String, format: ImageFormat, width: Int, height: Int) throws {
    let bytes = try Fixture.image(name)
    for count in Set(0..<64).union(stride(from: 64, to: bytes.count, by: 97)).union(bytes.count - 20..<bytes.count) {
      let cut = Array(bytes.prefix(count))
      #expect(throws: ReceivedPicture.Problem.self, "\(count) bytes") { try ReceivedPicture(cut) }
    }
    #expect(throws: ReceivedPicture.Problem.incomplete) { try ReceivedPicture(bytes.dropLast()) }
  }

  @Test("a received picture is told from what is none")
  func others() throws {
    #expect(throws: ReceivedPicture.Problem.notAPicture) { try ReceivedPicture([]) }
    #expect(throws: ReceivedPicture.Problem.notAPicture) { try ReceivedPicture(Array("This is no picture.".utf8)) }
    #expect(throws: ReceivedPicture.Problem.notAPicture) { try ReceivedPicture(Array("<!doctype html>".utf8)) }
    #expect(throws: ReceivedPicture.Problem.notAPicture) { try ReceivedPicture([1, 2, 3, 255]) }
    #expect(throws: ReceivedPicture.Problem.unsupported("a GIF picture")) {
      try ReceivedPicture(try Fixture.image("other.gif"))
    }
  }

  @Test("a received picture does not promise more pixels than anybody should decode")
  func enormous() throws {
    #expect(throws: ReceivedPicture.Problem.tooLarge(width: 2_000_000, height: 2_000_000)) {
      try ReceivedPicture(try Fixture.image("bomb.png"))
    }
    let small = PNGFile(width: 300, height: 200).bytes
    #expect(throws: ReceivedPicture.Problem.tooLarge(width: 300, height: 200)) {
      try ReceivedPicture(small, limits: ImageLimits(minimumSide: 1, maximumSide: 299, maximumPixels: 1_000_000))
    }
    #expect(throws: ReceivedPicture.Problem.tooLarge(width: 300, height: 200)) {
      try ReceivedPicture(small, limits: ImageLimits(minimumSide: 1, maximumSide: 300, maximumPixels: 59_999))
    }
    #expect(throws: ReceivedPicture.Problem.incomplete) { try ReceivedPicture(PNGFile(width: 0, height: 9).bytes) }
  }

  @Test("a received picture has pixels, not only a header and an end")
  func empty() throws {
    let png = PNGFile(width: 300, height: 300).bytes
    let withoutPixels = Array(png.prefix(33)) + png.suffix(12)
    #expect(throws: ReceivedPicture.Problem.incomplete) { try ReceivedPicture(withoutPixels) }
    #expect(throws: ReceivedPicture.Problem.incomplete) { try ReceivedPicture([0xff, 0xd8, 0xff, 0xd9]) }
  }

  @Test("a received picture never makes the reader stumble, however it is damaged", arguments: 0..<40 as Range<UInt64>)
  func mutations(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for (name, _, _, _) in Self.fixtures {
      var bytes = try Fixture.image(name)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let reach = Bool.random(using: &random) ? 200 : bytes.count
        let index = Int.random(in: 0..<min(bytes.count, reach), using: &random)
        switch UInt8.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[index] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
        case 2: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...32, using: &random)))
        default: bytes.insert(contentsOf: random.bytes(Int.random(in: 1...32, using: &random)), at: index)
        }
        if bytes.isEmpty { break }
      }
      do throws(ReceivedPicture.Problem) {
        let picture = try ReceivedPicture(bytes)
        #expect(picture.width > 0 && picture.height > 0, "seed \(seed), \(name)")
        #expect(picture.width * picture.height <= ImageLimits.preparation.maximumPixels, "seed \(seed), \(name)")
      } catch {
        #expect(error != .notAPicture || RecognisedContent(of: bytes) != .picture(.jpeg), "seed \(seed), \(name)")
      }
      _ = PlainPhoto(bytes, for: PrepareJob())
    }
  }
}
