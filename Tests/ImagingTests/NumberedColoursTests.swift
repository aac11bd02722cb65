import AtelierProtocol
import Imaging
import Support
import Testing

@testable import atelier_imaging

@Suite("Colours that a photo names by numbers")
struct NumberedColoursTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var isGray = false
    var isTurned = false
    var changes: [ImageChange] = [.colorConverted, .formatChanged]
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "p3.avif"), Case(name: "p3-limited.avif"), Case(name: "p3.heic"),
    Case(name: "p3-in-data.avif"), Case(name: "unspecified.avif", changes: [.formatChanged]),
    Case(name: "unspecified.heic", changes: [.formatChanged]), Case(name: "television.avif", changes: [.formatChanged]),
    Case(name: "grey-limited.avif", isGray: true, changes: [.formatChanged]),
    Case(name: "grey-limited-in-data.avif", isGray: true, changes: [.formatChanged]),
    Case(name: "grey-limited-ten-bit.avif", isGray: true),
    Case(name: "grey-limited.heic", isGray: true, changes: [.formatChanged]),
    Case(name: "2020-pq.avif"), Case(name: "2020-pq.heic"), Case(name: "2020-pq-limited.avif"),
    Case(name: "2020-pq-turned.avif", isTurned: true), Case(name: "2020-hlg.avif"), Case(name: "2020-hlg.heic"),
    Case(name: "grey-pq.avif", isGray: true), Case(name: "cicp-p3.png"), Case(name: "cicp-pq.png"),
    Case(name: "cicp-hlg-narrow.png"), Case(name: "cicp-grey.png", isGray: true), Case(name: "chrm-p3.png"),
    Case(name: "adobe-rgb.jpg", changes: [.metadataRemoved, .colorConverted, .recompressed]),
    Case(name: "profile-and-numbers.avif", changes: [.metadataRemoved, .colorConverted, .formatChanged]),
    Case(name: "profile-and-cicp.png", changes: [.metadataRemoved, .colorConverted, .formatChanged]),
    Case(name: "profile-of-a-scanner.png", changes: [.metadataRemoved, .colorConverted, .formatChanged]),
    Case(name: "srgb.png", changes: []),
  ]

  /// What all of them show, in sRGB: the middles of four quarters, and of eight fields above them.
  static let quarters: [(UInt8, UInt8, UInt8)] = [(208, 40, 40), (40, 176, 56), (48, 64, 200), (216, 216, 216)]
  static let grays: [UInt8] = [16, 48, 80, 112, 144, 176, 200, 224]

  /// The largest difference of a channel.
  static func worst(_ pixels: Pixels, isGray: Bool) -> Int {
    func difference(_ x: Int, _ y: Int, _ wanted: (UInt8, UInt8, UInt8)) -> Int {
      let found = pixels[x, y]
      let wanted = isGray ? (wanted.1, wanted.1, wanted.1) : wanted
      return max(
        abs(Int(found.red) - Int(wanted.0)), abs(Int(found.green) - Int(wanted.1)), abs(Int(found.blue) - Int(wanted.2)))
    }
    let fields = grays.enumerated().map { difference($0.offset * 12 + 6, 6, ($0.element, $0.element, $0.element)) }
    let middles = [(24, 27), (72, 27), (24, 57), (72, 57)]
    return (fields + zip(middles, quarters).map { difference($0.0.0, $0.0.1, $0.1) }).max() ?? 0
  }

  @Test("numbered colours become those of sRGB, in what is prepared and in thumbnails", arguments: cases)
  func converted(_ test: Case) async throws {
    let bytes = try Fixture.bytes("colours/\(test.name)")
    try await withWorker { worker in
      let prepared = try await worker.prepare(bytes, options: PrepareJob(quality: 95))
      #expect(prepared.changes == test.changes)
      #expect(prepared.warnings.isEmpty)
      if test.changes.isEmpty {
        #expect(prepared.image.bytes == bytes)
      } else {
        #expect(PlainPhoto(bytes, for: PrepareJob()) == nil)
        let pixels = try Pixels(jpeg: prepared.image.bytes)
        #expect(Self.worst(test.isTurned ? pixels.stored(orientation: 8) : pixels, isGray: test.isGray) <= 6)
      }
      let thumbnail = try Pixels(jpeg: try await worker.thumbnail(bytes, longestSide: 96).bytes)
      #expect(Self.worst(test.isTurned ? thumbnail.stored(orientation: 8) : thumbnail, isGray: test.isGray) <= 8)
    }
  }

  @Test(
    "numbered colours of a photo with an orientation of its own are converted as well, and it stands upright",
    arguments: 2...8)
  func orientation(_ orientation: Int) async throws {
    let jpeg = try Fixture.bytes("colours/adobe-rgb.jpg")
    // The orientation is put first into the directory that has the link to the others.
    let stored = try Pixels(jpeg: jpeg).stored(orientation: orientation)
    let bytes = try Exif.adobeRGB(stored.jpegFile(orientation: 1), orientation: orientation)
    try await withWorker { worker in
      let prepared = try await worker.prepare(bytes, options: PrepareJob(quality: 95))
      #expect(prepared.changes == [.rotated, .metadataRemoved, .colorConverted, .recompressed])
      #expect(Self.worst(try Pixels(jpeg: prepared.image.bytes), isGray: false) <= 8)
    }
  }

  /// The file with other code points in all of its boxes `colr`.
  static func renumbered(_ bytes: [UInt8], primaries: UInt8, transfer: UInt8, matrix: UInt8? = nil) throws -> [UInt8] {
    var result = bytes
    let name = Array("nclx".utf8)
    let places = bytes.indices.dropLast(11).filter { Array(bytes[$0..<$0 + 4]) == name }
    try #require(!places.isEmpty)
    for place in places {
      result[place + 5] = primaries
      result[place + 7] = transfer
      if let matrix { result[place + 9] = matrix }
    }
    return result
  }

  @Test(
    "numbered colours that no decoder here gives are told, and nothing says that they were converted",
    arguments: [10, 11, 13, 14] as [UInt8])
  func unconvertible(matrix: UInt8) async throws {
    let hdr = try Self.renumbered(try Fixture.bytes("colours/2020-pq.avif"), primaries: 9, transfer: 16, matrix: matrix)
    let usual = try Self.renumbered(try Fixture.bytes("colours/p3.avif"), primaries: 12, transfer: 13, matrix: matrix)
    try await withWorker { worker in
      let prepared = try await worker.prepare(hdr)
      #expect(prepared.warnings.map(\.kind) == ["hdr_not_converted"])
      #expect(prepared.changes == [.formatChanged])
      #expect(try await worker.prepare(usual).warnings.isEmpty)
    }
  }

  @Test("numbered colours are converted for a headshot too, whose photo is decoded in parts")
  func headshot() async throws {
    let plain = try Fixture.image("face.avif")
    let wide = try Self.renumbered(plain, primaries: 9, transfer: 13)
    try await withWorker { worker in
      let job = HeadshotJob(background: .casual, preparation: PrepareJob(limits: .generation))
      let (first, second) = (try await worker.headshot(plain, options: job), try await worker.headshot(wide, options: job))
      let prepared = try #require(second.prepared)
      #expect(prepared.changes.contains(.colorConverted))
      #expect(try #require(first.prepared).changes.contains(.colorConverted) == false)
      // The same numbers stand for stronger colours.
      func colourfulness(_ bytes: [UInt8]) throws -> Double { try Pixels(jpeg: bytes).colourfulness }
      #expect(try colourfulness(prepared.image.bytes) > colourfulness(#require(first.prepared).image.bytes) * 1.2)
      #expect(try colourfulness(second.image.bytes) > colourfulness(first.image.bytes) * 1.2)
    }
  }

  @Test(
    "numbered colours that a profile contradicts are not told as converted when the profile is invalid, or says nothing",
    arguments: [("acsp", 60), ("rXYZ", 4)])
  func invalidProfile(name: String, count: Int) async throws {
    var jpeg = try Fixture.image("display-p3.jpg")
    let place = try #require(jpeg.indices.dropLast(3).first { Array(jpeg[$0..<$0 + 4]) == Array(name.utf8) })
    for index in place..<place + count { jpeg[index] = 0x55 }
    let bytes = jpeg
    try await withWorker { worker in
      let prepared = try await worker.prepare(bytes)
      #expect(prepared.changes == [.metadataRemoved, .recompressed])
    }
  }

  @Test(
    "numbered colours are found whatever the file's other boxes are, or not at all, but never beyond its end",
    arguments: [
      "p3.avif", "p3-limited.avif", "p3-in-data.avif", "2020-pq.heic", "cicp-p3.png", "chrm-p3.png",
    ])
  func cutOff(name: String) throws {
    let bytes = try Fixture.bytes("colours/\(name)")
    let format: ImageFormat = name.hasSuffix("png") ? .png : name.hasSuffix("avif") ? .avif : .heic
    let whole = try #require(NumberedColours(of: bytes, format: format))
    for count in 0..<bytes.count {
      let found = NumberedColours(of: Array(bytes.prefix(count)), format: format)
      #expect(found == nil || found == whole || format == .png, "\(count)")
    }
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var broken = bytes
      for _ in 0..<4 {
        broken[Int.random(in: broken.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      if let found = NumberedColours(of: broken, format: format) {
        _ = ColourConversion(found.description, bits: 8)?.bytes(of: (0...255).map { UInt8($0) }, isGray: true)
      }
    }
  }

  @Test("numbered colours of a picture made of tiles are those of a tile")
  func tiles() {
    func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
      let size = content.count + 8
      return [0, 0, UInt8(size >> 8), UInt8(size & 255)] + Array(name.utf8) + content
    }
    let none: [UInt8] = [0, 0, 0, 0]
    func file(idBytes: Int, longPositions: Bool, primaryColr: Bool) -> [UInt8] {
      func id(_ value: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: idBytes - 1) + [value] }
      func position(_ value: UInt8) -> [UInt8] { longPositions ? [0x80, value] : [0x80 | value] }
      let version: [UInt8] = [idBytes == 2 ? 0 : 1, 0, 0, longPositions ? 1 : 0]
      func colr(_ primaries: UInt8) -> [UInt8] { box("colr", Array("nclx".utf8) + [0, primaries, 0, 13, 0, 6, 0x80]) }
      let container = box("ipco", box("ispe", none) + colr(12) + colr(9))
      let associations = [0, 0, 0, 2] + id(7) + (primaryColr ? [2] + position(1) + position(3) : [1] + position(1))
        + id(3) + [2] + position(1) + position(2)
      let references = [idBytes == 2 ? 0 : 1, 0, 0, 0] + box("dimg", id(7) + [0, 2] + id(3) + id(4))
      let meta = none + box("pitm", [idBytes == 2 ? 0 : 1, 0, 0, 0] + id(7)) + box("iref", references)
        + box("iprp", container + box("ipma", version + associations))
      return box("ftyp", Array("heic".utf8) + none) + box("meta", meta)
    }
    for idBytes in [2, 4] {
      for longPositions in [false, true] {
        let tiles = NumberedColours(
          of: file(idBytes: idBytes, longPositions: longPositions, primaryColr: false), format: .heic)
        #expect(tiles?.codePoints?.primaries == 12)
        let own = NumberedColours(of: file(idBytes: idBytes, longPositions: longPositions, primaryColr: true), format: .heic)
        #expect(own?.codePoints?.primaries == 9)
      }
    }
  }

  @Test(
    "numbered colours that are unspecified, reserved or unknown are those of sRGB, each for itself",
    arguments: [0, 2, 3, 19, 23, 255])
  func unknown(number: Int) {
    func colours(_ primaries: Int, _ transfer: Int) -> ColourDescription? {
      ColourDescription(ColourCodePoints(primaries: primaries, transfer: transfer, matrix: 0, isFullRange: true))
    }
    #expect(colours(number, number) == nil)
    #expect(colours(12, number)?.transfer == .sRGB)
    #expect(colours(number, 16)?.primaries == .sRGB)
    #expect(colours(1, 13) == .sRGB)
  }
}

@Suite("Light beyond white")
struct ToneCurveTests {
  /// The byte of a gray of so many cd/m² in PQ.
  private func byte(_ brightness: Double) throws -> UInt8 {
    let pq = ColourDescription(primaries: .sRGB, transfer: .perceptualQuantizer)
    let conversion = try #require(ColourConversion(pq, bits: 16))
    let number = try #require(
      (0...65_535).first { TransferFunction.perceptualQuantizer.light(Double($0) / 65_535) * 10_000 >= brightness })
    return conversion.bytes(of: [UInt16(number)], isGray: true)[0]
  }

  @Test("light beyond white is compressed above 80 % of white paper, which is 203 cd/m², and ends at 1000")
  func anchors() throws {
    // 18 % of white, as in sRGB.
    #expect(abs(Int(try byte(203 * 0.18)) - 118) <= 1)
    #expect(abs(Int(try byte(203 * 0.8)) - 231) <= 1)
    #expect((240...246).contains(try byte(203)))
    #expect(try byte(1000) == 255)
    #expect(try byte(10_000) == 255)
    #expect(try byte(0) == 0)
    var last: UInt8 = 0
    for brightness in stride(from: 0.0, through: 1100, by: 20) {
      let next = try byte(brightness)
      #expect(next >= last)
      last = next
    }
  }

  @Test("light beyond white keeps the hue of a bright colour")
  func hue() throws {
    let hlg = try #require(ColourConversion(ColourDescription(primaries: .sRGB, transfer: .hybridLogGamma), bits: 8))
    let bytes = hlg.bytes(of: [255, 200, 150] as [UInt8], isGray: false)
    let light = bytes.map { TransferFunction.sRGB.light(Double($0) / 255) }
    let scene = [255, 200, 150].map { TransferFunction.hybridLogGamma.light(Double($0) / 255) }
    #expect(abs(light[1] / light[0] - scene[1] / scene[0]) < 0.02)
    #expect(abs(light[2] / light[0] - scene[2] / scene[0]) < 0.02)
  }

  @Test("light of colours that nothing can be mixed from is not converted")
  func degenerate() {
    let point = Chromaticity(0.3, 0.3)
    let flat = ColourDescription(primaries: Primaries(red: point, green: point, blue: point, white: point), transfer: .sRGB)
    #expect(!ColourConversion.canConvert(flat))
    #expect(ColourConversion(flat, bits: 8) == nil)
  }
}
