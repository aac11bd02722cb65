import Glibc

/// Bytes that have come and are not consumed yet.
struct FrameBuffer {
  private var storage: [UInt8] = []
  private var start = 0

  /// More than this is given back once it is consumed, so that one large message does not stay in memory.
  private static let retainedCapacity = 1 << 18

  var bytes: ArraySlice<UInt8> { storage[start...] }
  var count: Int { storage.count - start }

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    compact()
    storage.append(contentsOf: bytes)
  }

  /// Makes room for a message whose length is known, so that it is not copied again and again as it grows.
  mutating func reserve(_ count: Int) {
    compact()
    storage.reserveCapacity(count)
  }

  /// Consumes `count` bytes from the front.
  mutating func drop(_ count: Int) {
    start += min(count, self.count)
    // Now and not with the next bytes, which may be long in coming.
    if start == storage.count, storage.capacity > Self.retainedCapacity {
      storage = []
      start = 0
    }
  }

  /// Consumes and returns `count` bytes from the front.
  mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    let taken = bytes.prefix(count)
    drop(count)
    return taken
  }

  /// The offset of the first `byte` at or after `offset`.
  func firstOffset(of byte: UInt8, from offset: Int = 0) -> Int? {
    let bytes = bytes.dropFirst(offset)
    return bytes.withUnsafeBytes { region in
      // memchr is handed the region with its own length, and only while the region is alive; it is many times
      // faster than a loop, and every byte of every line passes through here.
      guard let base = region.baseAddress, let found = memchr(base, CInt(byte), region.count) else { return nil }
      return offset + (UnsafeRawPointer(found) - base)
    }
  }

  private mutating func compact() {
    guard start > 0 else { return }
    if start == storage.count {
      storage.removeAll(keepingCapacity: true)
    } else {
      storage.removeSubrange(..<start)
    }
    start = 0
  }
}
