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

  /// - Returns: nil for sRGB, unless a profile is to be ignored for it, and for what says nothing.
  public init?(of bytes: [UInt8], format: ImageFormat) {
    let found: NumberedColours?
    switch format {
    case .heic, .avif: found = MediaItems(bytes)?.codePoints.flatMap(Self.init(media:))
    case .png: found = PNGColours(bytes).numbered
    case .jpeg, .webp: found = nil
    }
    guard let found, found.description != .sRGB || found.precedesProfile else { return nil }
    self = found
  }

  /// The decoder, or ``UndecodedProperties``, has turned the numbers into RGB of the full range.
  private init?(media codePoints: ColourCodePoints) {
    guard var description = ColourDescription(codePoints) else { return nil }
    description.isFullRange = true
    self.init(description, codePoints: codePoints)
  }
}

extension MediaItems {
  /// What the numbers of the decoded picture stand for: the box `colr` of type `nclx` (ISO/IEC 14496-12, 12.1.5) among the
  /// properties of the item that is shown or, if it is made of tiles, among those of a tile (ISO/IEC 23008-12, 6.5.5 and
  /// 6.6); without one, what the header of AV1 data says.
  var codePoints: ColourCodePoints? {
    for item in pictureItems {
      for (property, _) in properties(of: item) where property.name == "colr" {
        if let found = ColourCodePoints(colr: property.content) { return found }
      }
    }
    return sequenceHeader?.codePoints
  }

  /// Whether the picture has no colours, by the configuration of its decoder.
  var isGray: Bool {
    for item in pictureItems {
      if let content = property("av1C", of: item), content.count > 2 { return content[content.startIndex + 2] & 0x10 != 0 }
      if let content = property("hvcC", of: item), content.count > 16 { return content[content.startIndex + 16] & 3 == 0 }
    }
    return false
  }

  /// Of the picture, or of its first tile.
  private var sequenceHeader: AV1SequenceHeader? {
    guard let item = pictureItems.first(where: { property("av1C", of: $0) != nil }) else { return nil }
    // The header of a picture has less than 40 bytes.
    return data(of: item, atMost: 128).flatMap(AV1SequenceHeader.init)
  }
}

extension ColourCodePoints {
  /// - Parameter colr: the content of that box.
  /// - Returns: nil for a profile.
  fileprivate init?(colr: ArraySlice<UInt8>) {
    var reader = ByteReader(colr)
    guard reader.text(4) == "nclx", let primaries = reader.bigEndian(2), let transfer = reader.bigEndian(2),
      let matrix = reader.bigEndian(2), let range = reader.byte()
    else { return nil }
    self.init(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range & 0x80 != 0)
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
      return NumberedColours(description, codePoints: codePoints, precedesProfile: hasProfile)
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
