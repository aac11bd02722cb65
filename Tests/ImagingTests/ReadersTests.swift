import AtelierProtocol
import Imaging
import JSON
import PictureFiles
import Support
import Testing

@testable import Imaging

/// What other programs show, as Tests/Fixtures/colours/readers.py has measured it.
private struct Readings {
  private let values: JSONValue

  init() throws { values = try JSONValue(parsing: try Fixture.bytes("colours/readers.json")) }

  /// The names of the cases.
  func cases(_ format: String, _ kind: String) -> [String] { values[format]?[kind]?.object?.keys.map { $0 } ?? [] }

  /// The bytes of the pixels: those that are stored if the program takes the number for nothing.
  /// - Returns: nil where the program shows no picture.
  func chromium(_ format: String, _ kind: String, _ name: String, stored: [[UInt8]] = []) -> [[UInt8]]? {
    let found = values[format]?[kind]?[name]?["chromium"]
    if found == "stored" { return stored }
    return found?.array?.map { pixel in
      (pixel.array ?? [pixel, pixel, pixel]).map { $0.number?.integer() ?? 0 }
    }
  }
}

@Suite("Colours beside those of other readers")
struct ReadersTests {
  struct Table: Sendable, CustomTestStringConvertible {
    var format: String
    var kind: String
    var testDescription: String { "\(kind) in \(format)" }
  }

  static let tables = ["avif", "heic", "png"].flatMap { format in
    ["primaries", "transfer", "matrix", "range"].map { Table(format: format, kind: $0) }
  }.filter { $0.format != "png" || $0.kind != "matrix" }

  enum Deviation {
    /// The numbers as they are stored.
    case stored
    /// What another test has.
    case own
  }

  /// Where Atelier shows something else than Chromium, and why.
  static func deviation(_ table: Table, _ number: Int) -> Deviation? {
    switch (table.format, table.kind) {
    // Light beyond white is compressed by a curve of Atelier's own, which ToneCurveTests has.
    case (_, "transfer") where [16, 18].contains(number): .own
    // Chromium darkens them a little in PNG, but not in AVIF; libvips and Pillow in neither.
    case ("png", "transfer") where [1, 6, 11, 14, 15].contains(number): .stored
    // Chromium does not know the limited range of PNG, whose standard has it.
    case ("png", "range") where number == 0: .own
    default: nil
    }
  }

  static func renumbered(_ table: Table, _ number: Int) throws -> [UInt8] {
    var numbers = ["primaries": 1, "transfer": 13, "matrix": 6, "range": 1]
    numbers[table.kind] = number
    let values = ["primaries", "transfer", "matrix", "range"].map { UInt8(numbers[$0] ?? 0) }
    if table.format == "png" {
      let file = try Fixture.bytes("colours/srgb.png")
      // Behind the signature and IHDR.
      return file.prefix(33) + PNGFile.chunk("cICP", [values[0], values[1], 0, values[3]]) + file.dropFirst(33)
    }
    var file = try Fixture.bytes("colours/unspecified.\(table.format)")
    let name = Array("nclx".utf8)
    let place = try #require(file.indices.dropLast(10).first { Array(file[$0..<$0 + 4]) == name })
    file.replaceSubrange(place + 4..<place + 11, with: [0, values[0], 0, values[1], 0, values[2], values[3] << 7])
    return file
  }

  /// The grays for a transfer, otherwise the quarters.
  static func places(_ kind: String) -> [(Int, Int)] {
    kind == "transfer" ? (0..<8).map { ($0 * 12 + 6, 6) } : [(24, 27), (72, 27), (24, 57), (72, 57)]
  }

  static func bytes(_ pixels: Pixels, _ places: [(Int, Int)]) -> [[UInt8]] {
    places.map { x, y in
      let pixel = pixels[x < 0 ? x + pixels.width : x, y < 0 ? y + pixels.height : y]
      return [pixel.red, pixel.green, pixel.blue]
    }
  }

  static func difference(_ first: [[UInt8]], _ second: [[UInt8]]) -> Int {
    zip(first.joined(), second.joined()).map { abs(Int($0) - Int($1)) }.max() ?? 255
  }

  @Test("colours of every number are those that Chromium shows, and only what is converted is told so", arguments: tables)
  func numbers(_ table: Table) async throws {
    let readings = try Readings()
    let stored: [[UInt8]] =
      table.kind == "transfer"
      ? NumberedColoursTests.grays.map { [$0, $0, $0] }
      : NumberedColoursTests.quarters.map { [$0.0, $0.1, $0.2] }
    let names = readings.cases(table.format, table.kind)
    #expect(names.count == (table.kind == "range" ? 2 : table.kind == "primaries" ? 16 : table.kind == "matrix" ? 19 : 21))
    try await withWorker { worker in
      for name in names {
        let number = try #require(Int(name))
        let prepared = try await worker.prepare(try Self.renumbered(table, number), options: PrepareJob(quality: 95))
        let shown = Self.bytes(try Pixels(jpeg: prepared.image.bytes), Self.places(table.kind))
        // No browser among them reads HEIC; the numbers are those of AVIF.
        let format = table.format == "heic" ? "avif" : table.format
        let chromium = readings.chromium(format, table.kind, name, stored: stored)
        let deviation = Self.deviation(table, number)
        // A matrix that Chromium refuses is one that libheif takes for another.
        if deviation == .own || chromium == nil && table.kind == "matrix" { continue }
        // Another number that it refuses is ignored, as by libvips.
        let wanted = deviation == .stored ? stored : chromium ?? stored
        #expect(Self.difference(shown, wanted) <= 6, "\(table) \(number): \(shown), not \(wanted)")
        guard ["primaries", "transfer"].contains(table.kind) else { continue }
        #expect(prepared.changes.contains(.colorConverted) == (wanted != stored), "\(table) \(number)")
      }
    }
  }

  @Test("colours that a PNG names sRGB by numbers are those, whatever profile it has besides")
  func namedBeforeProfile() async throws {
    var chunks = try #require(PNGChunks(try Fixture.bytes("colours/profile-and-cicp.png")))
    var profile: [UInt8] = []
    while let chunk = chunks.next() { if chunk.name == "iCCP" { profile = Array(chunk.data) } }
    let picture = try Fixture.bytes("colours/srgb.png")
    let file =
      picture.prefix(33) + PNGFile.chunk("cICP", [1, 13, 0, 1]) + PNGFile.chunk("iCCP", profile) + picture.dropFirst(33)
    let stored = NumberedColoursTests.quarters.map { [$0.0, $0.1, $0.2] }
    try await withWorker { worker in
      let prepared = try await worker.prepare(Array(file), options: PrepareJob(quality: 95))
      let shown = Self.bytes(try Pixels(jpeg: prepared.image.bytes), Self.places("primaries"))
      #expect(Self.difference(shown, stored) <= 6, "\(shown), not \(stored)")
      #expect(prepared.changes.contains(.colorConverted), "the profile has to go")
    }
  }

  @Test(
    "colours of pictures of which libheif leaves something undone are those that Chromium shows",
    arguments: [
      "p3-in-data.avif", "grey-limited.avif", "grey-limited-ten-bit.avif", "grey-limited-in-data.avif", "alpha.avif",
      "alpha-premultiplied.avif", "alpha-premultiplied-ten-bit.avif",
    ])
  func undone(name: String) async throws {
    let wanted = try #require(try Readings().chromium("avif", "pictures", name))
    try await withWorker { worker in
      let prepared = try await worker.prepare(try Fixture.bytes("colours/\(name)"), options: PrepareJob(quality: 95))
      let shown = Self.bytes(try Pixels(jpeg: prepared.image.bytes), Self.places("pictures"))
      #expect(Self.difference(shown, wanted) <= 6, "\(shown), not \(wanted)")
      #expect(prepared.changes.contains(.transparencyFlattened) == name.hasPrefix("alpha"))
    }
  }

  @Test(
    "transparency goes with the picture that is turned or mirrored, although it has no turn of its own",
    arguments: ["alpha-rotated.avif", "alpha-turned.avif", "alpha-turned-tiles.avif"])
  func turned(name: String) async throws {
    let readings = try Readings()
    let original = try Fixture.bytes("colours/\(name)")
    let cases = readings.cases("avif", name)
    #expect(cases.count == (name.contains("turned") ? 8 : 4))
    try await withWorker { worker in
      for turn in cases {
        let numbers = turn.split(separator: " ").compactMap { UInt8($0) }
        let file = Self.turned(original, rotation: numbers[0], mirror: numbers[1])
        let wanted = try #require(readings.chromium("avif", name, turn))
        let prepared = try await worker.prepare(file, options: PrepareJob(quality: 95))
        let shown = Self.bytes(try Pixels(jpeg: prepared.image.bytes), [(6, 6), (-6, 6), (6, -6), (-6, -6)])
        #expect(Self.difference(shown, wanted) <= 6, "\(turn): \(shown), not \(wanted)")
        #expect(prepared.changes == [.transparencyFlattened, .formatChanged])
        let thumbnail = try Pixels(jpeg: try await worker.thumbnail(file, longestSide: 96).bytes)
        #expect((thumbnail.width < thumbnail.height) == (prepared.image.width < prepared.image.height))
      }
    }
  }

  /// The file with other values in its boxes `irot` and `imir`.
  static func turned(_ bytes: [UInt8], rotation: UInt8, mirror: UInt8) -> [UInt8] {
    var file = bytes
    for (property, value) in [("irot", rotation), ("imir", mirror)] {
      let place = file.indices.dropLast(5).first { Array(file[$0..<$0 + 4]) == Array(property.utf8) }
      if let place { file[place + 4] = value }
    }
    return file
  }

  @Test("transparency of a picture of which a part is cut out is that of the part", arguments: 0...3)
  func cropped(rotation: Int) async throws {
    let file = Self.turned(try Fixture.bytes("colours/alpha-cropped.avif"), rotation: UInt8(rotation), mirror: 0)
    // Top left, top right, bottom left, bottom right, turned anticlockwise.
    let corners: [[UInt8]] = [[80, 80, 80], [176, 176, 176], [150, 158, 227], [255, 255, 255]]
    let order = [[0, 1, 2, 3], [1, 3, 0, 2], [3, 2, 1, 0], [2, 0, 3, 1]][rotation]
    try await withWorker { worker in
      let prepared = try await worker.prepare(file, options: PrepareJob(quality: 95))
      #expect([prepared.image.width, prepared.image.height].sorted() == [48, 60])
      #expect((prepared.image.width == 48) == (rotation % 2 == 0))
      let shown = Self.bytes(try Pixels(jpeg: prepared.image.bytes), [(6, 6), (-6, 6), (6, -6), (-6, -6)])
      #expect(Self.difference(shown, order.map { corners[$0] }) <= 6, "\(shown)")
    }
  }

  @Test("metadata behind the pixels of a PNG turns it too, is told, and is removed", arguments: 1...8)
  func latePNGMetadata(orientation: Int) async throws {
    let file = try Fixture.bytes("colours/srgb.png")
    let content: [UInt8] = Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, UInt8(orientation)]
    let exif = PNGFile.chunk("eXIf", content + [0, 0, 0, 0, 0, 0, 0])
    let late = Array(file.dropLast(12) + exif + file.suffix(12))
    let early = Array(file.prefix(33) + exif + file.dropFirst(33))
    #expect(LatePNGMetadata.moved(beforePixelsOf: early) == nil)
    #expect(LatePNGMetadata.moved(beforePixelsOf: late) == early)
    try await withWorker { worker in
      let (first, second) = (try await worker.prepare(early), try await worker.prepare(late))
      #expect(second.image.bytes == first.image.bytes)
      #expect(second.changes == first.changes)
      #expect(second.changes == (orientation == 1 ? [] : [.rotated]) + [.metadataRemoved, .formatChanged])
      #expect(second.original.orientation == orientation)
    }
  }

  @Test("metadata behind the pixels of a PNG that is damaged or cut off stays where it is, or is moved whole")
  func damagedPNG() throws {
    let file = try Fixture.bytes("colours/srgb.png")
    let late = Array(file.dropLast(12) + PNGFile.chunk("eXIf", Array(0...40)) + file.suffix(12))
    for count in 0..<late.count {
      if let moved = LatePNGMetadata.moved(beforePixelsOf: Array(late.prefix(count))) {
        #expect(moved.sorted() == Array(late.prefix(count)).sorted())
      }
    }
    for seed in 0..<500 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var broken = late
      broken[Int.random(in: broken.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      if let moved = LatePNGMetadata.moved(beforePixelsOf: broken) { #expect(moved.sorted() == broken.sorted()) }
    }
  }

  @Test(
    "items of a damaged or cut off file are read to its end at most, and no byte beyond it is replaced",
    arguments: [
      "alpha-turned.avif", "alpha-turned-tiles.avif", "alpha-cropped.avif", "grey-limited-in-data.avif", "grey-limited.heic",
    ])
  func damagedItems(name: String) throws {
    let bytes = try Fixture.bytes("colours/\(name)")
    for count in 0..<bytes.count {
      let found = UndecodedProperties(of: Array(bytes.prefix(count)))
      #expect(found.replacements.keys.allSatisfy { $0 < count })
    }
    for seed in 0..<2000 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var broken = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        broken[Int.random(in: broken.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      let found = UndecodedProperties(of: broken)
      #expect(found.replacements.keys.allSatisfy { broken.indices.contains($0) })
      if let (x, y) = found.cleanAperture?.area(width: 96, height: 72) {
        #expect(!x.isEmpty && !y.isEmpty && (0...96).contains(x.upperBound) && (0...72).contains(y.upperBound))
      }
      _ = MediaItems(broken)?.codePoints
      _ = AV1SequenceHeader(broken[...])
    }
  }
}
