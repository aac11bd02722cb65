/// Checks whether a file contains only pixels: no metadata, comments, previews or colour profiles, no animation, and no
/// data hidden after its end. Only data known to be harmless is accepted.
public enum PlainFile {
  public static func holdsOnlyPixels(_ bytes: [UInt8], format: ImageFormat) -> Bool {
    switch format {
    case .jpeg: JPEGSegments.areOnlyPixels(bytes)
    case .png: PNGChunks.areOnlyPixels(bytes)
    case .webp: WebPChunks.areOnlyPixels(bytes)
    case .heic, .avif: false
    }
  }
}

/// Reads numbers from the front of a collection; every read past the end returns nil.
struct ByteReader<Bytes: RandomAccessCollection<UInt8>> {
  private var rest: Bytes.SubSequence

  init(_ bytes: Bytes) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func bigEndian(_ count: Int) -> Int? { take(count).map { $0.reduce(0) { $0 << 8 | Int($1) } } }

  mutating func littleEndian(_ count: Int) -> Int? {
    take(count).map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
  }

  mutating func text(_ count: Int) -> String? {
    guard let bytes = take(count) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Returns: nil, without consuming anything, when fewer bytes are left.
  mutating func take(_ count: Int) -> Bytes.SubSequence? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// All remaining bytes.
  mutating func takeRest() -> Bytes.SubSequence {
    defer { rest = rest.dropFirst(rest.count) }
    return rest
  }

  /// Skips to the next byte with that value and consumes it.
  mutating func skip(past value: UInt8) -> Bool {
    guard let index = rest.firstIndex(of: value) else { return false }
    rest = rest[rest.index(after: index)...]
    return true
  }
}

/// The segments of a JPEG file (ITU-T T.81, annex B), in sequence; the compressed data between them is skipped.
struct JPEGSegments {
  struct Segment {
    var marker: UInt8
    /// Empty for a standalone marker.
    var data: ArraySlice<UInt8>

    var isEndOfImage: Bool { marker == 0xd9 }
    /// The header of a scan, which compressed data follows.
    var isScan: Bool { marker == 0xda }
    /// The header of a frame, which contains the dimensions of the picture.
    var isFrame: Bool { (0xc0...0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker) }
  }

  private var reader: ByteReader<[UInt8]>
  private var pending: UInt8?
  /// The header of the scan in whose data the file ends.
  private(set) var unfinishedScan: ArraySlice<UInt8>?

  /// - Returns: nil when the bytes do not begin with a JPEG signature.
  init?(_ bytes: [UInt8]) {
    reader = ByteReader(bytes)
    guard reader.bigEndian(2) == 0xffd8 else { return nil }
  }

  /// True when nothing follows the last segment returned.
  var isAtEnd: Bool { reader.isAtEnd }

  /// - Returns: nil when the file ends too early or is damaged.
  mutating func next() -> Segment? {
    guard let marker = pending ?? nextMarker() else { return nil }
    pending = nil
    switch marker {
    case 0x01, 0xd0...0xd9: return Segment(marker: marker, data: [])
    case 0: return nil
    default: break
    }
    guard let length = reader.bigEndian(2), length >= 2, let data = reader.take(length - 2) else { return nil }
    let segment = Segment(marker: marker, data: data)
    if segment.isScan {
      guard let following = markerAfterScan() else {
        unfinishedScan = data
        return nil
      }
      pending = following
    }
    return segment
  }

  private mutating func nextMarker() -> UInt8? { reader.byte() == 0xff ? byteAfterFill() : nil }

  /// Any number of 0xff fill bytes may precede a marker.
  private mutating func byteAfterFill() -> UInt8? {
    while let byte = reader.byte() {
      if byte != 0xff { return byte }
    }
    return nil
  }

  /// Skips compressed data, in which 0xff is followed by 0 or by a restart number.
  private mutating func markerAfterScan() -> UInt8? {
    while reader.skip(past: 0xff), let marker = byteAfterFill() {
      if marker != 0, !(0xd0...0xd7).contains(marker) { return marker }
    }
    return nil
  }
}

extension JPEGSegments {
  /// Whether the file contains only the data for its pixels, and ends where they end.
  static func areOnlyPixels(_ bytes: [UInt8]) -> Bool {
    guard var segments = JPEGSegments(bytes) else { return false }
    while let segment = segments.next() {
      switch segment.marker {
      case 0xd9:  // end of image
        return segments.isAtEnd
      case 0xc0, 0xc1, 0xc2, 0xc4, 0xda, 0xdb, 0xdd:
        // frames, Huffman tables, scans, quantisation tables, restart interval
        continue
      case 0xe0:  // JFIF; longer than 14 bytes it carries a preview
        guard segment.data.count == 14, segment.data.starts(with: Array("JFIF\0".utf8)) else { return false }
      case 0xee:  // Adobe, when it is no longer than its fixed fields
        guard segment.data.count == 12, segment.data.starts(with: Array("Adobe".utf8)) else { return false }
      default:
        return false
      }
    }
    return false
  }
}

/// The header of a JPEG frame (ITU-T T.81, B.2.2).
struct JPEGFrame: Equatable {
  struct Component: Equatable {
    var name: UInt8
    /// The sampling factors: how many samples it has for so many of the component with the largest.
    var across: Int
    var down: Int
  }

  var bitsPerChannel: Int
  var height: Int
  var width: Int
  var components: [Component]

  var channels: Int { components.count }

  /// - Parameter data: the data of the segment.
  init?(_ data: ArraySlice<UInt8>) {
    var reader = ByteReader(data)
    guard let bits = reader.bigEndian(1), let height = reader.bigEndian(2), let width = reader.bigEndian(2),
      let channels = reader.bigEndian(1)
    else { return nil }
    (bitsPerChannel, self.height, self.width, components) = (bits, height, width, [])
    for _ in 0..<channels {
      guard let name = reader.byte(), let sampling = reader.byte(), reader.byte() != nil else { return nil }
      components.append(Component(name: name, across: Int(sampling >> 4), down: Int(sampling & 0x0f)))
    }
  }

  /// The memory for all coefficients, which a decoder needs for a picture that is stored in several scans.
  var coefficientBytes: Int {
    let most = (across: components.map(\.across).max() ?? 1, down: components.map(\.down).max() ?? 1)
    return components.reduce(0) { sum, component in
      func blocks(_ length: Int, _ part: Int, _ whole: Int) -> Int { (length * part / max(1, whole) + 15) / 8 }
      return sum + blocks(width, component.across, most.across) * blocks(height, component.down, most.down) * 128
    }
  }
}
