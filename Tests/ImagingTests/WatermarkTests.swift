import AtelierProtocol
import Imaging
import Testing

@testable import atelier_imaging

@Suite("The watermark on small pictures", .timeLimit(.minutes(3)))
struct WatermarkTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// What a pixel of the watermark is on grey, of 100 in each channel.
    var shown: [Int] = [255, 0, 0]
    var bytes: @Sendable () throws -> [UInt8]
    var testDescription: String { name }
  }

  static let marks = [
    Case(name: "RGB with alpha") { MarkFile().bytes },
    Case(name: "as small as allowed") { MarkFile(width: 16, height: 16).bytes },
    Case(name: "as large as allowed") { try MarkFile.compressed(width: 2048, height: 2048) },
    Case(name: "a line") { MarkFile(width: 512, height: 16).bytes },
    Case(name: "a column") { MarkFile(width: 16, height: 512).bytes },
    Case(name: "half transparent", shown: [178, 50, 50]) { MarkFile(pixel: [255, 0, 0, 128]).bytes },
    Case(name: "grey with alpha", shown: [200, 200, 200]) {
      MarkFile(kind: .greyWithAlpha, pixel: [200, 255]).bytes
    },
    Case(name: "16 bits") { MarkFile(bits: 16, pixel: [255, 255, 0, 0, 0, 0, 255, 255]).bytes },
    Case(name: "16 bits of grey, half transparent", shown: [150, 150, 150]) {
      MarkFile(kind: .greyWithAlpha, bits: 16, pixel: [200, 200, 128, 0]).bytes
    },
    Case(name: "a palette with opacities") {
      MarkFile(kind: .palette, pixel: [1], chunks: [("PLTE", [0, 0, 0, 255, 0, 0]), ("tRNS", [0, 255])]).bytes
    },
    Case(name: "RGB with one transparent colour") {
      MarkFile(kind: .rgb, pixel: [255, 0, 0], chunks: [("tRNS", [0, 1, 0, 2, 0, 3])]).bytes
    },
  ]

  @Test("the watermark is drawn in rows with gaps, over all of the picture and only there", arguments: marks)
  func drawn(_ test: Case) async throws {
    let mark = try WatermarkFile(try test.bytes())
    let sides = try #require(try? ReceivedPicture(mark.bytes))
    try await withWorker { worker in
      for (width, height) in [(640, 480), (300, 300), (200, 640), (1024, 120), (40, 30), (16, 16)] {
        let grey = try Pixels(width: width, height: height, level: 100).pngFile()
        let made = try await worker.thumbnail(grey, longestSide: 512, isPNG: true, watermark: mark)
        let pixels = try Pixels(png: made.bytes)
        let layout = WatermarkLayout(
          width: sides.width, height: sides.height, pictureWidth: pixels.width, pictureHeight: pixels.height)
        let wrong = Self.wrongPixels(pixels, layout, shown: test.shown)
        #expect(wrong.isEmpty, "\(width) × \(height): \(wrong.prefix(3))")
      }
      #expect(worker.confinement?.seccomp == true)
    }
  }

  /// The pixels that are neither grey in a gap nor of the watermark's colour in a watermark.
  private static func wrongPixels(_ pixels: Pixels, _ layout: WatermarkLayout, shown: [Int]) -> [String] {
    var wrong: [String] = []
    for y in 0..<pixels.height {
      for x in 0..<pixels.width {
        // Of two rows, the second is shifted by half of a step.
        let down = (y - layout.top + 4 * layout.rowStep) % (2 * layout.rowStep)
        let isSecond = down >= layout.rowStep
        let shift = isSecond ? layout.columnStep / 2 : 0
        let across = (x - layout.left - shift + 4 * layout.columnStep) % layout.columnStep
        let isMarked = across < layout.width && down - (isSecond ? layout.rowStep : 0) < layout.height
        let expected = isMarked ? shown : [100, 100, 100]
        let pixel = pixels[x, y]
        let found = [pixel.red, pixel.green, pixel.blue].map(Int.init)
        if zip(found, expected).contains(where: { abs($0 - $1) > (isMarked ? 2 : 0) }) {
          wrong.append("(\(x), \(y)) is \(found), not \(expected)")
        }
      }
    }
    return wrong
  }

  @Test("a watermark that is transparent leaves the picture as it is, byte for byte")
  func transparent() async throws {
    let mark = try WatermarkFile(MarkFile(pixel: [255, 0, 0, 0]).bytes)
    try await withWorker { worker in
      for name in ["face.jpg", "landscape.jpg", "grey-sixteen-bit.png", "cmyk.jpg", "alpha.webp", "orientation-6.jpg"] {
        let picture = try Fixture.image(name)
        let marked = try await worker.thumbnail(picture, longestSide: 200, watermark: mark)
        #expect(try await marked == worker.thumbnail(picture, longestSide: 200), "\(name)")
      }
    }
  }

  @Test("the colours of a watermark's transparent pixels do not show at its edges")
  func edges() async throws {
    // Opaque red in the middle of transparent green, as drawing programs leave it.
    let side = 64
    let inside = (0..<side * side).map { (16..<48).contains($0 % side) && (16..<48).contains($0 / side) }
    _ = Pixels.started
    let mark = try VipsImage.rgba(
      inside.flatMap { ($0 ? [255, 0, 0] : [0, 255, 0]) as [UInt8] }, opacity: inside.map { $0 ? 255 : 0 }, width: side,
      height: side
    ).pngFile()
    try await withWorker { worker in
      let black = try Pixels(width: 100, height: 100, level: 0).pngFile()
      let made = try await worker.thumbnail(black, longestSide: 100, isPNG: true, watermark: try WatermarkFile(mark))
      let pixels = try Pixels(png: made.bytes)
      let all = (0..<100).flatMap { y in (0..<100).map { pixels[$0, y] } }
      #expect(all.contains { $0.red > 250 } && all.allSatisfy { $0.green <= 4 && $0.blue == 0 })
    }
  }

  @Test("every size of a picture has the watermark in the same places")
  func sizes() async throws {
    let mark = try WatermarkFile(MarkFile(width: 64, height: 64).bytes)
    let grey = try Pixels(width: 2048, height: 1536, level: 100).pngFile()
    try await withWorker { worker in
      for side in [16, 33, 64, 256, 700, 1024, 2048] {
        let pixels = try Pixels(
          png: try await worker.thumbnail(grey, longestSide: side, isPNG: true, watermark: mark).bytes)
        // The middle of a watermark of the first row, of one of the second, and of a gap, in parts of the longest side.
        for (x, y, isMarked) in [
          (0.1875, 0.1875, true), (0.5625, 0.1875, true), (0.375, 0.5625, true), (0.375, 0.1875, false),
        ] {
          let pixel = pixels[Int(x * Double(side)), Int(y * Double(side))]
          #expect((pixel.red == 255) == isMarked, "\(side): \(x), \(y)")
        }
      }
    }
  }

  @Test("every picture has at least one whole watermark, however narrow it is", arguments: [
    (2048, 1), (1, 2048), (2048, 20), (20, 2048), (1, 1), (16, 16), (256, 192), (2048, 2048), (3, 200),
  ])
  func whole(width: Int, height: Int) {
    for (markWidth, markHeight) in [(16, 16), (2048, 16), (16, 2048), (2048, 2048), (300, 100)] {
      let layout = WatermarkLayout(width: markWidth, height: markHeight, pictureWidth: width, pictureHeight: height)
      #expect(layout.width > 0 && layout.height > 0 && layout.left >= 0 && layout.top >= 0)
      #expect(layout.left + layout.width <= width && layout.top + layout.height <= height, "\(markWidth) × \(markHeight)")
      #expect(layout.width <= max(1, (max(width, height) + 2) / 4))
    }
  }

  static let refusals: [(String, WatermarkFile.Problem, @Sendable () throws -> [UInt8])] = [
    ("nothing", .notPNG, { [] }),
    ("a JPEG", .notPNG, { try Fixture.image("plain.jpg") }),
    ("a WebP with transparency", .notPNG, { try Fixture.image("alpha.webp") }),
    ("too many bytes", .tooLarge, { MarkFile().bytes + [UInt8](repeating: 0, count: 1_000_000) }),
    ("without transparency", .opaque, { try Fixture.image("plain.png") }),
    ("grey without transparency", .opaque, { MarkFile(kind: .grey, pixel: [7]).bytes }),
    ("too narrow", .wrongSides(width: 15, height: 16), { MarkFile(width: 15, height: 16).bytes }),
    ("too high", .wrongSides(width: 16, height: 2049), { MarkFile(width: 16, height: 2049).bytes }),
    ("cut off", .damaged, { Array(try Fixture.image("alpha.png").dropLast(200)) }),
    ("without its end", .damaged, { Array(MarkFile().bytes.dropLast(12)) }),
    ("only a signature", .damaged, { Array(MarkFile().bytes.prefix(8)) }),
    ("with a wrong bit in its header", .damaged, { MarkFile().bytes.flipped(at: 27) }),
    ("with a wrong bit in its pixels", .damaged, { MarkFile().bytes.flipped(at: 500) }),
  ]

  @Test("a file that is no watermark is refused before anything decodes it", arguments: refusals.indices)
  func refused(index: Int) throws {
    let (name, problem, bytes) = Self.refusals[index]
    let content = try bytes()
    #expect(throws: problem, "\(name)") { try WatermarkFile(content) }
  }

  @Test("a watermark that cannot be decoded is found by the check, and blames no picture")
  func undecodable() async throws {
    let mark = try WatermarkFile(MarkFile(data: [1, 2, 3, 4]).bytes)
    let picture = try Fixture.image("face.jpg")
    try await withWorker { worker in
      let found = await #expect(throws: ImagingError.self) { try await worker.check(mark) }
      #expect(found?.kind == .invalidImage)
      let refusal = await #expect(throws: ImagingError.self) {
        try await worker.thumbnail(picture, longestSide: 64, watermark: mark)
      }
      #expect(refusal?.kind == .internal && refusal?.hint?.contains("pictures.watermark") == true)
      // Nor is it in the way of what comes next.
      try await worker.check(try WatermarkFile(MarkFile().bytes))
      _ = try await worker.thumbnail(picture, longestSide: 64, watermark: try WatermarkFile(MarkFile().bytes))
    }
  }

  @Test("a picture that cannot be decoded is to blame itself, with a watermark as without")
  func broken() async throws {
    let mark = try WatermarkFile(MarkFile().bytes)
    try await withWorker { worker in
      let pictures: [([UInt8], ErrorKind)] = [([], .invalidImage), (Array("Dear diary,\n".utf8), .unsupportedImage)]
      for (bytes, kind) in pictures {
        let refusal = await #expect(throws: ImagingError.self) {
          try await worker.thumbnail(bytes, longestSide: 64, watermark: mark)
        }
        #expect(refusal?.kind == kind)
      }
      // The end of an incomplete JPEG is added where the watermark's bytes were.
      let short = Array(try Fixture.image("plain.jpg").dropLast(2))
      #expect(
        try await worker.thumbnail(short, longestSide: 64, watermark: mark)
          == worker.thumbnail(try Fixture.image("plain.jpg"), longestSide: 64, watermark: mark))
    }
  }
}

extension [UInt8] {
  fileprivate func flipped(at index: Int) -> [UInt8] {
    var bytes = self
    bytes[index] ^= 4
    return bytes
  }
}
