/// The signatures that the simulator gives to parts of its answers, and knows again without remembering them.
///
/// A signature is computed from the part itself, so a part that comes back changed does not fit its signature.
struct ThoughtSignature: Sendable {
  private let digest: UInt64

  init(ofText text: String) { digest = Checksum.digest(Array(text.utf8)) }
  init(ofImage bytes: [UInt8]) { digest = ~Checksum.digest(bytes) }

  /// Encodes as `+//+`, which URL-safe base64 would change: a client that writes it anew gives itself away.
  private static let opening: [UInt8] = [0xFB, 0xFF, 0xFE]

  /// - Parameter count: how many bytes of it say nothing.
  func bytes(filler count: Int = 37) -> [UInt8] {
    var bytes = Self.opening
    bytes.reserveCapacity(11 + count)
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: digest >> UInt64(shift)))
    }
    var state = digest
    for _ in 0..<count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes.append(UInt8(truncatingIfNeeded: state >> 56))
    }
    return bytes
  }

  /// Whether a signature of whatever length is this one.
  func matches(_ other: [UInt8]) -> Bool { other.count >= 11 && other == bytes(filler: other.count - 11) }
}
