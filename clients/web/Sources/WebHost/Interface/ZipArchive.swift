/// Writes a ZIP archive piece by piece (APPNOTE 6.3.10): files as they are, without compression, because pictures are
/// compressed already. Of any size and number: where 32 bits are too few, the fields of ZIP64 are written.
struct ZipArchive {
  private struct Entry {
    var name: [UInt8]
    var checksum: UInt32
    var size: UInt32
    var offset: UInt64
  }

  private var entries: [Entry] = []
  private var offset: UInt64 = 0

  /// Version 4.5 of the format, in which ZIP64 came.
  private static let version: UInt16 = 45
  /// Names are UTF-8.
  private static let flags: UInt16 = 0x0800
  /// 1 January 1980, the first day that the format knows: entries carry no times, their history has them.
  private static let date: UInt16 = 0x21

  /// The next file, to be written behind what came before.
  /// - Parameter bytes: fewer than 4 GiB.
  mutating func file(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let entry = Entry(
      name: Array(name.utf8), checksum: Self.checksum(of: bytes), size: UInt32(truncatingIfNeeded: bytes.count),
      offset: offset)
    entries.append(entry)
    var text = LittleEndian()
    text.append(0x0403_4b50 as UInt32)
    Self.describe(entry, in: &text)
    text.append(UInt16(truncatingIfNeeded: entry.name.count))
    text.append(0 as UInt16)
    let written = text.bytes + entry.name + bytes
    offset += UInt64(written.count)
    return written
  }

  /// The directory of the archive, which ends it.
  func directory() -> [UInt8] {
    var text = LittleEndian()
    for entry in entries {
      let isFar = entry.offset >= UInt64(UInt32.max)
      text.append(0x0201_4b50 as UInt32)
      text.append(Self.version)
      Self.describe(entry, in: &text)
      text.append(UInt16(truncatingIfNeeded: entry.name.count))
      text.append((isFar ? 12 : 0) as UInt16)
      // No comment, the first disk, no attributes.
      text.append(0 as UInt16)
      text.append(0 as UInt16)
      text.append(0 as UInt16)
      text.append(0 as UInt32)
      text.append(isFar ? UInt32.max : UInt32(truncatingIfNeeded: entry.offset))
      text.bytes += entry.name
      guard isFar else { continue }
      text.append(1 as UInt16)
      text.append(8 as UInt16)
      text.append(entry.offset)
    }
    let size = UInt64(text.bytes.count)
    let isLarge = offset >= UInt64(UInt32.max) || entries.count >= Int(UInt16.max) || size >= UInt64(UInt32.max)
    if isLarge { appendLargeEnd(size: size, to: &text) }
    let count = isLarge ? UInt16.max : UInt16(truncatingIfNeeded: entries.count)
    text.append(0x0605_4b50 as UInt32)
    text.append(0 as UInt16)
    text.append(0 as UInt16)
    text.append(count)
    text.append(count)
    text.append(isLarge ? UInt32.max : UInt32(truncatingIfNeeded: size))
    text.append(isLarge ? UInt32.max : UInt32(truncatingIfNeeded: offset))
    text.append(0 as UInt16)
    return text.bytes
  }

  /// The end of the directory in 64 bits, and where it is.
  private func appendLargeEnd(size: UInt64, to text: inout LittleEndian) {
    text.append(0x0606_4b50 as UInt32)
    text.append(44 as UInt64)
    text.append(Self.version)
    text.append(Self.version)
    text.append(0 as UInt32)
    text.append(0 as UInt32)
    text.append(UInt64(entries.count))
    text.append(UInt64(entries.count))
    text.append(size)
    text.append(offset)
    text.append(0x0706_4b50 as UInt32)
    text.append(0 as UInt32)
    text.append(offset + size)
    text.append(1 as UInt32)
  }

  /// What stands before a file and in the directory alike.
  private static func describe(_ entry: Entry, in text: inout LittleEndian) {
    text.append(version)
    text.append(flags)
    text.append(0 as UInt16)
    text.append(0 as UInt16)
    text.append(date)
    text.append(entry.checksum)
    text.append(entry.size)
    text.append(entry.size)
  }

  /// CRC-32 (ISO 3309).
  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in sum >> 8 ^ table[Int((sum ^ UInt32(byte)) & 0xff)] }
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
  }
}

/// Numbers as bytes, the lowest first.
private struct LittleEndian {
  var bytes: [UInt8] = []

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }
}
