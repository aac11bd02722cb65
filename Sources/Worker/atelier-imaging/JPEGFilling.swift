/// Makes a JPEG larger without a change of its picture, for portals that refuse small files.
enum JPEGFilling {
  private static let marker: [UInt8] = [0xff, 0xfe]
  /// The bytes of a comment without its content: marker and length (ITU-T T.81, B.2.4.5).
  private static let frame = 4
  /// The most content that a length of two bytes allows.
  private static let most = 0xffff - 2

  /// The file with comments of zeros behind its JFIF header, so that it has exactly `count` bytes.
  /// - Parameter file: one that is large enough stays as it is.
  static func filled(_ file: [UInt8], to count: Int) -> [UInt8] {
    var missing = count - file.count
    var filling: [UInt8] = []
    while missing >= frame {
      // What is left must not be shorter than the frame of another comment.
      let content = min(missing - frame, most - frame)
      filling += marker + [UInt8((content + 2) >> 8), UInt8((content + 2) & 0xff)]
      filling += [UInt8](repeating: 0, count: content)
      missing -= content + frame
    }
    // Any marker may be preceded by bytes of this value (B.1.1.2).
    filling += [UInt8](repeating: 0xff, count: max(0, missing))
    let place = min(file.count, endOfHeader(file))
    return file[..<place] + filling + file[place...]
  }

  /// Behind the marker that begins the file, and behind the JFIF header, which has to be the first segment.
  private static func endOfHeader(_ file: [UInt8]) -> Int {
    guard file.count > 5, file[2] == 0xff, file[3] == 0xe0 else { return 2 }
    return 4 + Int(file[4]) << 8 + Int(file[5])
  }
}
