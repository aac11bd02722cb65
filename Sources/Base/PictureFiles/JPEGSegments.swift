/// The segments of a JPEG file (ITU-T T.81, annex B), in sequence; the compressed data between them is skipped.
package struct JPEGSegments {
  package struct Segment {
    package var marker: UInt8
    /// Empty for a standalone marker.
    package var data: ArraySlice<UInt8>

    package var isEndOfImage: Bool { marker == 0xd9 }
    /// The header of a scan, which compressed data follows.
    package var isScan: Bool { marker == 0xda }
    /// The header of a frame, which contains the dimensions of the picture.
    package var isFrame: Bool { (0xc0...0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker) }
  }

  private var reader: ByteReader<[UInt8]>
  private var pending: UInt8?
  /// The header of the scan in whose data the file ends.
  package private(set) var unfinishedScan: ArraySlice<UInt8>?

  /// - Returns: nil when the bytes do not begin with a JPEG signature.
  package init?(_ bytes: [UInt8]) {
    reader = ByteReader(bytes)
    guard reader.bigEndian(2) == 0xffd8 else { return nil }
  }

  /// True when nothing follows the last segment returned.
  package var isAtEnd: Bool { reader.isAtEnd }

  /// - Returns: nil when the file ends too early or is damaged.
  package mutating func next() -> Segment? {
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
