import AtelierProtocol
import Imaging
import Support
import Testing

@Suite("Pictures that cannot be read")
struct BadPicturesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var kind: ErrorKind
    /// A part of the sentence.
    var says: String
    var limits = ImageLimits.preparation
    var bytes: @Sendable () throws -> [UInt8]
    var testDescription: String { name }
  }

  static let foreign = [
    Case(name: "nothing", kind: .invalidImage, says: "empty") { [] },
    Case(name: "a text", kind: .unsupportedImage, says: "a text") { Array("Dear diary,\n".utf8) },
    Case(name: "an SVG drawing", kind: .unsupportedImage, says: "an SVG drawing") {
      Array("<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"300\" height=\"300\"/>".utf8)
    },
    Case(name: "a PDF document", kind: .unsupportedImage, says: "a PDF document") { Array("%PDF-1.7\n%\u{e9}".utf8) },
    Case(name: "a GIF picture", kind: .unsupportedImage, says: "a GIF") { try Fixture.image("other.gif") },
    Case(name: "a TIFF picture", kind: .unsupportedImage, says: "a TIFF") { try Fixture.image("other.tiff") },
    Case(name: "a BMP picture", kind: .unsupportedImage, says: "a BMP") { try Fixture.image("other.bmp") },
    Case(name: "an archive", kind: .unsupportedImage, says: "ZIP") { Array("PK\u{3}\u{4}".utf8) + [20, 0, 0, 0] },
    Case(name: "a video", kind: .unsupportedImage, says: "a video") {
      [0, 0, 0, 20] + Array("ftypisom".utf8) + [0, 0, 2, 0] + Array("mp42".utf8)
    },
    Case(name: "zeros", kind: .unsupportedImage, says: "not a picture") { [UInt8](repeating: 0, count: 5000) },
  ]

  static let sizes = [
    Case(name: "4 KB that claim 2,000,000²", kind: .invalidDimensions, says: "60 megapixels") {
      PNGFile(width: 2_000_000, height: 2_000_000, data: [UInt8](repeating: 7, count: 4000)).bytes
    },
    Case(name: "30,000²", kind: .invalidDimensions, says: "30000 × 30000") {
      PNGFile(width: 30_000, height: 30_000, data: PNGFile.zeros(10_000)).bytes
    },
    Case(name: "a strip of 70,000 × 1", kind: .invalidDimensions, says: "65535") {
      PNGFile(width: 70_000, height: 1).bytes
    },
    Case(name: "39² to generate from", kind: .invalidDimensions, says: "at least 40", limits: .generation) {
      PNGFile(width: 39, height: 39).bytes
    },
    Case(name: "5000² to generate from", kind: .invalidDimensions, says: "at most 4096", limits: .generation) {
      PNGFile(width: 5000, height: 5000).bytes
    },
    Case(name: "9000²", kind: .invalidDimensions, says: "9000 × 9000", limits: .generation) {
      PNGFile(width: 9000, height: 9000).bytes
    },
    Case(name: "a width of 0", kind: .invalidImage, says: "damaged") { PNGFile(width: 0, height: 10, data: [0]).bytes },
  ]

  static let damaged = [
    ("portraits/grace_hopper.jpg", [0.01, 0.1, 0.5, 0.9, 0.99]), ("images/progressive.jpg", [0.3, 0.6, 0.9]),
    ("images/cmyk.jpg", [0.6]), ("portraits/astronaut.png", [0.001, 0.1, 0.5, 0.9, 0.99]),
    ("images/plain.webp", [0.3, 0.9]), ("images/lossless.webp", [0.8]), ("images/plain.heic", [0.2, 0.6, 0.9, 0.98]),
    ("images/plain.avif", [0.2, 0.6, 0.9, 0.98]),
  ].flatMap { (file: String, parts: [Double]) in
    parts.map { part in
      Case(name: "\(file) cut off after \(Int(part * 1000)) ‰", kind: .invalidImage, says: "damaged or incomplete") {
        let bytes = try Fixture.bytes(file)
        return Array(bytes.prefix(Int(Double(bytes.count) * part)))
      }
    }
  } + [
    Case(name: "a PNG with too little data", kind: .invalidImage, says: "damaged") {
      PNGFile(width: 7000, height: 7000, data: PNGFile.zeros(70_000)).bytes
    },
    Case(name: "only the signature of a PNG", kind: .invalidImage, says: "damaged") {
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    },
  ]

  /// One bit of the compressed pixels is wrong. The decoder makes up what follows and succeeds; it only notes it.
  static let madeUp = [
    ("portraits/grace_hopper.jpg", 26_450, 1), ("portraits/grace_hopper.jpg", 22_482, 2),
    ("images/progressive.jpg", 1_231, 2), ("images/progressive.jpg", 224, 0), ("images/cmyk.jpg", 3_371, 7),
    ("images/cmyk.jpg", 2_256, 2), ("images/plain.jpg", 2_680, 7), ("images/plain.jpg", 1_309, 1),
  ].map { (file: String, index: Int, bit: UInt8) in
    Case(name: "\(file) with a wrong bit in byte \(index)", kind: .invalidImage, says: "damaged or incomplete") {
      var bytes = try Fixture.bytes(file)
      try #require(bytes.indices.contains(index))
      bytes[index] ^= 1 << bit
      return bytes
    }
  }

  @Test(
    "a picture that cannot be read costs one clear error, and the next picture is read",
    arguments: foreign + sizes + damaged + madeUp)
  func refused(_ test: Case) async throws {
    let bytes = try test.bytes()
    try await withWorker { worker in
      let error = try await #require(throws: ImagingError.self) {
        try await worker.prepare(bytes, options: PrepareJob(limits: test.limits))
      }
      #expect(error.kind == test.kind)
      #expect(error.message.contains(test.says), "\(error.message)")
      let ownWords = error.message.replacing("image/prepare", with: "")
      #expect(ownWords.hasSuffix(".") && !ownWords.contains("/"), "\(error.message)")
      let next = try await worker.prepare(try Fixture.image("plain.jpg"))
      #expect(next.changes.isEmpty)
    }
  }

  @Test("a picture of wrong dimensions is refused with the numbers")
  func numbers() async throws {
    try await withWorker { worker in
      let error = try await #require(throws: ImagingError.self) {
        try await worker.inspect(PNGFile(width: 30, height: 300).bytes, limits: .generation)
      }
      #expect(error.kind == .invalidDimensions)
      let expected = ["width": 30, "height": 300, "minimumSide": 40, "maximumSide": 4096, "maximumPixels": 60_000_000]
      for (name, value) in expected { #expect(error.details[name]?.int64 == Int64(value)) }
    }
  }

  @Test("pictures made of random bytes never bring anything but a clear error", arguments: 0..<4 as Range<UInt64>)
  func random(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let beginnings: [[UInt8]] = [
      [], [0xff, 0xd8, 0xff, 0xe0], Array(PNGFile(width: 10, height: 10).bytes.prefix(33)),
      Array("RIFF\u{40}\0\0\0WEBPVP8 ".utf8), [0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1heic".utf8),
      [0, 0, 0, 24] + Array("ftypavif\0\0\0\0mif1avif".utf8),
    ]
    try await withWorker { worker in
      for beginning in beginnings {
        for _ in 0..<5 {
          let bytes = beginning + random.bytes(Int.random(in: 1...5000, using: &random))
          let error = try await #require(throws: ImagingError.self, "seed \(seed)") {
            try await worker.prepare(bytes)
          }
          let expected: [ErrorKind] = [.invalidImage, .unsupportedImage, .invalidDimensions]
          #expect(expected.contains(error.kind), "seed \(seed): \(error)")
        }
      }
      _ = try await worker.prepare(try Fixture.image("plain.jpg"))
    }
  }

  @Test(
    "pictures with flipped bits are read or refused, nothing else",
    arguments: ["portraits/grace_hopper.jpg"] + ["png", "webp", "heic", "avif"].map { "images/plain.\($0)" })
  func flipped(file: String) async throws {
    let original = try Fixture.bytes(file)
    try await withWorker { worker in
      for seed in 0..<100 as Range<UInt64> {
        var random = SplitMix64(seed: seed)
        var bytes = original
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let index = Int.random(in: 0..<bytes.count, using: &random)
          bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        do {
          let prepared = try await worker.prepare(bytes)
          #expect(max(prepared.image.width, prepared.image.height) <= 1280, "seed \(seed)")
        } catch let error as ImagingError {
          let expected: [ErrorKind] = [.invalidImage, .unsupportedImage, .invalidDimensions]
          #expect(expected.contains(error.kind), "seed \(seed): \(error)")
        }
      }
      _ = try await worker.prepare(try Fixture.image("plain.jpg"))
    }
  }
}
