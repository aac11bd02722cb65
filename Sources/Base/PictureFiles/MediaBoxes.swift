/// The boxes of an ISO base media file (ISO/IEC 14496-12, 4.2), such as HEIC and AVIF, one after the other.
package struct MediaBoxes {
  package struct Box {
    package var name: String
    /// The position of the box's first byte, in the collection that was read.
    package var start: Int
    package var content: ArraySlice<UInt8>

    package var namePosition: Int { start + 4 }
  }

  private var reader: ByteReader<ArraySlice<UInt8>>

  package init(_ bytes: ArraySlice<UInt8>) { reader = ByteReader(bytes) }

  package var isAtEnd: Bool { reader.isAtEnd }

  /// - Returns: nil at the end, or when a box is truncated.
  package mutating func next() -> Box? {
    let start = reader.position
    guard let size = reader.bigEndian(4), let name = reader.text(4) else { return nil }
    let content: ArraySlice<UInt8>?
    switch size {
    case 0: content = reader.takeRest()
    case 1:
      guard let high = reader.bigEndian(4), let low = reader.bigEndian(4), high < 1 << 30 else { return nil }
      content = reader.take((high << 32 | low) - 16)
    default: content = reader.take(size - 8)
    }
    return content.map { Box(name: name, start: start, content: $0) }
  }

  /// The first box of that name.
  package static func first(_ name: String, in bytes: ArraySlice<UInt8>) -> Box? {
    var boxes = MediaBoxes(bytes)
    while let box = boxes.next() {
      if box.name == name { return box }
    }
    return nil
  }

  /// The content of the first box of that name.
  package static func content(of name: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    first(name, in: bytes)?.content
  }
}
