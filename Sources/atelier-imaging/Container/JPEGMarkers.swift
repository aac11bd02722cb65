/// The segments of a JPEG file (ITU-T T.81, annex B).
enum JPEGMarkers {
  static func areOnlyPixels(_ reader: inout ByteReader<some RandomAccessCollection<UInt8>>) -> Bool {
    guard reader.bigEndian(2) == 0xffd8 else { return false }
    var pending = reader.byte() == 0xff ? reader.byte() : nil
    while let marker = pending {
      switch marker {
      case 0xd9:  // end of image
        return reader.isAtEnd
      case 0xda:  // start of scan
        guard skipSegment(&reader) != nil else { return false }
        pending = markerAfterScan(&reader)
      case 0xc0, 0xc1, 0xc2, 0xc4, 0xdb, 0xdd:  // frames, Huffman tables, quantisation tables, restart interval
        guard skipSegment(&reader) != nil else { return false }
        pending = nextMarker(&reader)
      case 0xe0, 0xee:  // JFIF and Adobe, when they are no longer than their fixed fields
        guard let segment = skipSegment(&reader), isFixed(segment, marker: marker) else { return false }
        pending = nextMarker(&reader)
      default:
        return false
      }
    }
    return false
  }

  private static func skipSegment(_ reader: inout ByteReader<some RandomAccessCollection<UInt8>>) -> [UInt8]? {
    guard let length = reader.bigEndian(2), length >= 2 else { return nil }
    guard let segment = reader.take(length - 2) else { return nil }
    return Array(segment)
  }

  /// A JFIF segment longer than 14 bytes carries a preview.
  private static func isFixed(_ segment: [UInt8], marker: UInt8) -> Bool {
    marker == 0xe0
      ? segment.count == 14 && segment.starts(with: Array("JFIF\0".utf8))
      : segment.count == 12 && segment.starts(with: Array("Adobe".utf8))
  }

  private static func nextMarker(_ reader: inout ByteReader<some RandomAccessCollection<UInt8>>) -> UInt8? {
    reader.byte() == 0xff ? reader.byte() : nil
  }

  /// Passes the compressed data, in which 0xff is followed by 0 or by the number of a restart.
  private static func markerAfterScan(_ reader: inout ByteReader<some RandomAccessCollection<UInt8>>) -> UInt8? {
    while reader.skip(past: 0xff), let marker = reader.byte() {
      if marker != 0, !(0xd0...0xd7).contains(marker) { return marker }
    }
    return nil
  }
}
