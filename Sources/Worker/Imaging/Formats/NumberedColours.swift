import PictureFiles

/// What a file says by numbers about its colours.
///
/// Every read is checked against the end of the bytes: the worker examines files that anybody may have made.
public struct NumberedColours: Sendable, Equatable {
  public var description: ColourDescription
  /// Nil where the file has no code points.
  public var codePoints: ColourCodePoints?
  /// Whether the numbers come before an embedded profile: in PNG, but not in HEIC and AVIF.
  public var precedesProfile: Bool

  public init(_ description: ColourDescription, codePoints: ColourCodePoints? = nil, precedesProfile: Bool = false) {
    self.description = description
    self.codePoints = codePoints
    self.precedesProfile = precedesProfile
  }

  /// Whether the decoders give the data that a conversion needs.
  public var isConvertible: Bool { codePoints?.hasUsualMatrix ?? true }

  /// - Returns: nil for sRGB, and for what says nothing.
  public init?(of bytes: [UInt8], format: ImageFormat) {
    let found: NumberedColours?
    switch format {
    case .heic, .avif: found = ItemColours.codePoints(in: bytes[...]).flatMap(Self.init(media:))
    case .png: found = PNGColours(bytes).numbered
    case .jpeg, .webp: found = nil
    }
    guard let found, found.description != .sRGB else { return nil }
    self = found
  }

  /// The decoder has turned the numbers into RGB of the full range.
  private init?(media codePoints: ColourCodePoints) {
    guard var description = ColourDescription(codePoints) else { return nil }
    description.isFullRange = true
    self.init(description, codePoints: codePoints)
  }
}

/// The colours of the primary item of an HEIC or AVIF file: the box `colr` of type `nclx` (ISO/IEC 14496-12, 12.1.5) among
/// its properties or, for a picture made of tiles, among those of a tile (ISO/IEC 23008-12, 6.5.5 and 6.6).
private enum ItemColours {
  static func codePoints(in file: ArraySlice<UInt8>) -> ColourCodePoints? {
    guard let meta = MediaBoxes.content(of: "meta", in: file)?.dropFirst(4),
      let properties = MediaBoxes.content(of: "iprp", in: meta),
      let container = MediaBoxes.content(of: "ipco", in: properties), let primary = primaryItem(meta)
    else { return nil }
    let colours = colours(in: container)
    guard !colours.isEmpty else { return nil }
    let associations = associations(properties)
    for item in [primary] + parts(of: primary, meta) {
      for property in associations[item] ?? [] {
        if let found = colours[property] { return found }
      }
    }
    return nil
  }

  /// By their positions among the properties, which count from 1.
  private static func colours(in container: ArraySlice<UInt8>) -> [Int: ColourCodePoints] {
    var boxes = MediaBoxes(container)
    var found: [Int: ColourCodePoints] = [:]
    var position = 1
    while let box = boxes.next() {
      if box.name == "colr" { found[position] = codePoints(box.content) }
      position += 1
    }
    return found
  }

  private static func codePoints(_ colr: ArraySlice<UInt8>) -> ColourCodePoints? {
    var reader = ByteReader(colr)
    guard reader.text(4) == "nclx", let primaries = reader.bigEndian(2), let transfer = reader.bigEndian(2),
      let matrix = reader.bigEndian(2), let range = reader.byte()
    else { return nil }
    return ColourCodePoints(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range & 0x80 != 0)
  }

  private static func primaryItem(_ meta: ArraySlice<UInt8>) -> Int? {
    guard let content = MediaBoxes.content(of: "pitm", in: meta) else { return nil }
    var reader = ByteReader(content)
    guard let version = reader.byte(), reader.take(3) != nil else { return nil }
    return reader.bigEndian(version == 0 ? 2 : 4)
  }

  /// The items that the item is made of.
  private static func parts(of item: Int, _ meta: ArraySlice<UInt8>) -> [Int] {
    guard let content = MediaBoxes.content(of: "iref", in: meta), let version = content.first else { return [] }
    let idBytes = version == 0 ? 2 : 4
    var boxes = MediaBoxes(content.dropFirst(4))
    while let box = boxes.next() {
      var reader = ByteReader(box.content)
      guard box.name == "dimg", reader.bigEndian(idBytes) == item, let count = reader.bigEndian(2) else { continue }
      return (0..<count).compactMap { _ in reader.bigEndian(idBytes) }
    }
    return []
  }

  /// The positions of the properties of each item, in the boxes `ipma`.
  private static func associations(_ properties: ArraySlice<UInt8>) -> [Int: [Int]] {
    var boxes = MediaBoxes(properties)
    var found: [Int: [Int]] = [:]
    while let box = boxes.next() {
      guard box.name == "ipma" else { continue }
      var reader = ByteReader(box.content)
      guard let version = reader.byte(), let flags = reader.bigEndian(3), let entries = reader.bigEndian(4) else { continue }
      let hasLongPositions = flags & 1 == 1
      for _ in 0..<entries {
        guard let item = reader.bigEndian(version == 0 ? 2 : 4), let count = reader.byte() else { break }
        for _ in 0..<count {
          guard let position = reader.bigEndian(hasLongPositions ? 2 : 1) else { break }
          // The highest bit says whether a reader must know the property.
          found[item, default: []].append(position & (hasLongPositions ? 0x7fff : 0x7f))
        }
      }
    }
    return found
  }
}

/// The colours that a PNG names in the chunks before its pixels (PNG, third edition, 4.3 and 11.3.2).
struct PNGColours {
  private var codePoints: ColourCodePoints?
  private var hasProfile = false
  private var isSRGB = false
  private var primaries: Primaries?
  private var exponent: Double?

  init(_ bytes: [UInt8]) {
    guard var chunks = PNGChunks(bytes) else { return }
    while let chunk = chunks.next(), chunk.name != "IDAT" {
      var reader = ByteReader(chunk.data)
      switch chunk.name {
      case "cICP":
        guard let primaries = reader.bigEndian(1), let transfer = reader.bigEndian(1), let matrix = reader.bigEndian(1),
          let range = reader.bigEndian(1), matrix == 0
        else { continue }
        codePoints = ColourCodePoints(primaries: primaries, transfer: transfer, matrix: 0, isFullRange: range != 0)
      case "iCCP": hasProfile = true
      case "sRGB": isSRGB = true
      case "cHRM": primaries = Self.primaries(&reader)
      case "gAMA": exponent = Self.exponent(&reader)
      default: continue
      }
    }
  }

  /// `cICP` comes first, then a profile, then the name sRGB, then numbers.
  var numbered: NumberedColours? {
    if let codePoints, let description = ColourDescription(codePoints) {
      return NumberedColours(description, codePoints: codePoints, precedesProfile: true)
    }
    guard !hasProfile, !isSRGB, primaries != nil || exponent != nil else { return nil }
    return NumberedColours(
      ColourDescription(primaries: primaries ?? .sRGB, transfer: exponent.map(TransferFunction.power) ?? .sRGB))
  }

  /// - Returns: nil for those of sRGB, and for numbers that are no colours.
  private static func primaries(_ reader: inout ByteReader<ArraySlice<UInt8>>) -> Primaries? {
    var points: [Chromaticity] = []
    while points.count < 4, let x = reader.bigEndian(4), let y = reader.bigEndian(4) {
      points.append(Chromaticity(Double(x) / 100_000, Double(y) / 100_000))
    }
    guard points.count == 4, points[0].y > 0, points.allSatisfy({ $0.x <= 1 && $0.y <= 1 }) else { return nil }
    let found = Primaries(red: points[1], green: points[2], blue: points[3], white: points[0])
    return found.isNear(.sRGB) ? nil : found
  }

  /// - Returns: nil for what stands for sRGB, as in all browsers, and for numbers that no screen has.
  private static func exponent(_ reader: inout ByteReader<ArraySlice<UInt8>>) -> Double? {
    guard let number = reader.bigEndian(4), (10_000...500_000).contains(number) else { return nil }
    let exponent = 100_000 / Double(number)
    return abs(exponent / 2.2 - 1) < 0.05 ? nil : exponent
  }
}
