import PictureFiles

/// What a JPEG file lacks at its end, where that is nothing but the end marker.
public enum JPEGEnding {
  /// The bytes after which the file is whole.
  ///
  /// Whether the last scan has all of its rows, only a decoder finds out: it reads them up to the marker.
  /// - Returns: nil for a file that has its end marker, and for one that lacks more: a scan, or a part of a header.
  public static func missingBytes(of bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    let marker: [UInt8] = [0xff, 0xd9]
    // The usual file is not searched.
    guard !bytes.suffix(2).elementsEqual(marker) else { return nil }
    guard var segments = JPEGSegments(Array(bytes)) else { return nil }
    var progress: JPEGScanProgress?
    while let segment = segments.next() {
      if segment.isEndOfImage { return nil }
      if segment.isFrame { progress = JPEGScanProgress(frame: segment.data) }
      if segment.isScan { progress?.add(scan: segment.data) }
    }
    guard let last = segments.unfinishedScan else { return nil }
    progress?.add(scan: last)
    guard progress?.isComplete == true else { return nil }
    return bytes.last == 0xff ? [0xd9] : marker
  }
}

/// Which coefficients of which components the scans of a JPEG have brought to their last bit (ITU-T T.81, B.2.3 and G.1.1).
///
/// A progressive picture that lacks scans has all of its rows, but they are coarse.
struct JPEGScanProgress {
  private static let coefficients = 64

  /// By the component's name, how many bits each coefficient still lacks; nil for one without any.
  private var missing: [UInt8: [UInt8?]] = [:]

  /// - Parameter frame: the data of the frame's header.
  /// - Returns: nil when it is damaged.
  init?(frame: ArraySlice<UInt8>) {
    guard let header = JPEGFrame(frame) else { return nil }
    for component in header.components {
      missing[component.name] = [UInt8?](repeating: nil, count: Self.coefficients)
    }
  }

  /// - Parameter scan: the data of the scan's header.
  mutating func add(scan: ArraySlice<UInt8>) {
    var reader = ByteReader(scan)
    guard let count = reader.byte() else { return }
    let names = (0..<count).compactMap { _ in reader.take(2)?.first }
    guard let first = reader.byte(), let last = reader.byte(), let bits = reader.byte(), first <= last,
      last < Self.coefficients
    else { return }
    for name in names {
      for coefficient in first...last { missing[name]?[Int(coefficient)] = bits & 0x0f }
    }
  }

  var isComplete: Bool { !missing.isEmpty && missing.values.allSatisfy { $0.allSatisfy { $0 == 0 } } }
}
