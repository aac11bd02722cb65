import PictureFiles

/// What an HEIC or AVIF file says about its picture and libheif does not do; it is done to the decoded pixels.
///
/// Measured with libheif 1.15 by the files of Tests/Fixtures/colours, beside Chromium 156 and Pillow 13, which agree with
/// the standards except where it says so:
///
/// - `irot`, `imir` and `clap` of a picture whose opacity has others, or none (ISO/IEC 23008-12, 6.5.9 to 6.5.12): libheif
///   turns each by its own, loses the opacity if the sides differ then, and lays it over other parts if they do not. In
///   Chromium and Pillow, the opacity goes with the picture; neither cuts out what `clap` says.
/// - The same properties of a tile, which avifenc 0.11 gives those of the picture: libheif turns the tiles as well, and what
///   comes out is torn. The others ignore them.
/// - The reference `prem` (ISO/IEC 23000-22, 7.3.5.2), by which the colours are multiplied with the opacity: ignored.
/// - The limited range of gray pictures (H.273, 8.3), where black is 16 of 255: their numbers remain as they are.
public struct UndecodedProperties: Sendable, Equatable {
  /// The places in the file whose bytes are others before it is decoded, so that what is done here is not done twice.
  public private(set) var replacements: [Int: UInt8] = [:]
  /// The part of the decoded picture that is shown.
  public private(set) var cleanAperture: CleanAperture?
  /// The EXIF orientation that stands that part upright.
  public private(set) var orientation = 1
  public private(set) var isPremultiplied = false
  /// Whether the decoded numbers are those of the limited range.
  public private(set) var hasLimitedRange = false

  public static let none = UndecodedProperties()

  private init() {}

  /// - Parameter bytes: an HEIC or AVIF file.
  public init(of bytes: [UInt8]) {
    guard let items = MediaItems(bytes) else { return }
    hasLimitedRange = items.isGray && items.codePoints?.isFullRange == false
    let alpha = items.alpha
    for item in [items.shown, alpha].compactMap(\.self) {
      for tile in items.tiles(of: item) { replacements.merge(Self.withoutTransformations(tile, items, bytes)) { $1 } }
    }
    guard let alpha else { return }
    isPremultiplied = items.references.contains { $0.kind == "prem" && $0.from == items.shown && $0.to.contains(alpha) }
    let wanted = items.transformations(of: items.shown)
    guard wanted != items.transformations(of: alpha), let shown = Self.shown(by: wanted) else { return }
    (cleanAperture, orientation) = shown
    for item in [items.shown, alpha] { replacements.merge(Self.withoutTransformations(item, items, bytes)) { $1 } }
  }

  /// The bytes that link an item to a property of another kind instead, which it has already.
  private static func withoutTransformations(_ item: Int, _ items: MediaItems, _ bytes: [UInt8]) -> [Int: UInt8] {
    let all = items.properties(of: item)
    guard let other = all.first(where: { !$0.property.isTransformation })?.link else { return [:] }
    var replacements: [Int: UInt8] = [:]
    for (property, link) in all where property.isTransformation {
      for (place, source) in zip(link, other) { replacements[place] = bytes[source] }
    }
    return replacements
  }

  /// - Returns: nil for a part that is cut out after the picture was turned, which no program writes.
  private static func shown(by transformations: [MediaItems.Property]) -> (CleanAperture?, Int)? {
    var (part, isMirrored, turns) = (CleanAperture?.none, false, 0)
    for property in transformations {
      let content = property.content
      switch property.name {
      case "clap":
        guard part == nil, !isMirrored, turns == 0, let found = CleanAperture(content) else { return nil }
        part = found
      case "irot":
        // Anticlockwise.
        turns -= Int(content.first ?? 0) & 3
      default:
        // 0 exchanges top and bottom, which is left and right after half a turn.
        isMirrored.toggle()
        turns = (content.first ?? 0) & 1 == 0 ? 2 - turns : -turns
      }
    }
    // Mirrored left to right first, then so many quarter turns clockwise.
    return (part, (isMirrored ? [2, 7, 4, 5] : [1, 6, 3, 8])[turns & 3])
  }
}

extension MediaItems {
  fileprivate func transformations(of item: Int) -> [Property] {
    properties(of: item).map(\.property).filter(\.isTransformation)
  }
}

extension MediaItems.Property {
  fileprivate var isTransformation: Bool { ["irot", "imir", "clap"].contains(name) }
}

/// The part of a picture that is shown (ISO/IEC 14496-12, 12.1.4: the box `clap`).
public struct CleanAperture: Sendable, Equatable {
  /// In pixels, perhaps with fractions; the offset is from the picture's middle to the part's.
  private var width, height, across, down: Double

  init?(_ content: ArraySlice<UInt8>) {
    var reader = ByteReader(content)
    var numbers: [Double] = []
    while numbers.count < 4, let above = reader.bigEndian(4), let below = reader.bigEndian(4) {
      guard below != 0 else { return nil }
      numbers.append(Double(Int32(truncatingIfNeeded: above)) / Double(below))
    }
    guard numbers.count == 4, numbers[0] >= 1, numbers[1] >= 1 else { return nil }
    (width, height, across, down) = (numbers[0], numbers[1], numbers[2], numbers[3])
  }

  /// The rows and columns of a picture of these sides; all of it where nothing of it would be shown.
  public func area(width: Int, height: Int) -> (x: Range<Int>, y: Range<Int>) {
    func range(_ length: Double, _ offset: Double, of side: Int) -> Range<Int> {
      let middle = offset + Double(side - 1) / 2
      let first = max(0, Int((middle - (length - 1) / 2).rounded(.down)))
      let end = min(side, first + Int(length.rounded()))
      return first < end ? first..<end : 0..<side
    }
    return (range(self.width, across, of: width), range(self.height, down, of: height))
  }
}
