import CZlib

/// Compression, by the system's zlib.
enum Zlib {
  /// The wrapping of a compressed stream, by the number that zlib has for it: its window, and what is around it.
  enum Form: Int32 { case zlib = 15, gzip = 31, bare = -15 }

  /// - Parameters:
  ///   - isFast: stores the bytes as they are.
  ///   - isOpen: leaves the stream at a byte boundary, unfinished, so that more can follow.
  static func compressed(_ bytes: [UInt8], as form: Form, isFast: Bool = false, isOpen: Bool = false) -> [UInt8] {
    var stream = z_stream()
    let level = isFast ? Z_NO_COMPRESSION : Z_DEFAULT_COMPRESSION
    let size = Int32(MemoryLayout<z_stream>.size)
    let code = deflateInit2_(
      &stream, level, Z_DEFLATED, form.rawValue, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    // The parameters are constants, so that only a system without memory or with a broken zlib fails.
    precondition(code == Z_OK, "zlib has no memory, or is another one than it was built with.")
    defer { deflateEnd(&stream) }
    var (input, output) = (bytes, [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 16))
    // Both live during the calls, which read and write no more than the counts they are given.
    input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        _ = deflate(&stream, isOpen ? Z_FULL_FLUSH : Z_FINISH)
      }
    }
    return Array(output.prefix(Int(stream.total_out)))
  }

  /// The header of a gzip stream (RFC 1952), which ``endlessPattern`` follows again and again.
  static let endlessOpening: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// Unfolds to a megabyte of spaces; a flush makes it independent of what came before.
  static let endlessPattern = compressed([UInt8](repeating: 0x20, count: 1 << 20), as: .bare, isOpen: true)
}

/// The check value of PNG, and fingerprints.
enum Checksum {
  /// CRC-32 (ISO 3309).
  static func crc32(_ bytes: some Collection<UInt8>) -> UInt32 {
    // Read only during the call, and no further than their count; what is not contiguous is copied first.
    let sum = bytes.withContiguousStorageIfAvailable { CZlib.crc32(0, $0.baseAddress, UInt32($0.count)) }
    return sum.map { UInt32($0) } ?? crc32(Array(bytes))
  }

  /// FNV-1a with 64 bits.
  static func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The same as sixteen hexadecimal digits.
  static func fingerprint(_ bytes: some Sequence<UInt8>) -> String {
    let digits = String(fnv1a(bytes), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
