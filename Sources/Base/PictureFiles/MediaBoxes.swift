/// The boxes of an ISO base media file (ISO/IEC 14496-12, 4.2), such as HEIC and AVIF, one after the other.
package struct MediaBoxes {
  package struct Box {
    package var name: String
    package var content: ArraySlice<UInt8>
  }

  private var reader: ByteReader<ArraySlice<UInt8>>

  package init(_ bytes: ArraySlice<UInt8>) { reader = ByteReader(bytes) }

  package var isAtEnd: Bool { reader.isAtEnd }

  /// - Returns: nil at the end, or when a box is truncated.
  package mutating func next() -> Box? {
    guard let size = reader.bigEndian(4), let name = reader.text(4) else { return nil }
    let content: ArraySlice<UInt8>?
    switch size {
    case 0: content = reader.takeRest()
    case 1:
      guard let high = reader.bigEndian(4), let low = reader.bigEndian(4), high < 1 << 30 else { return nil }
      content = reader.take((high << 32 | low) - 16)
    default: content = reader.take(size - 8)
    }
    return content.map { Box(name: name, content: $0) }
  }

  /// The content of the first box of that name.
  package static func content(of name: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var boxes = MediaBoxes(bytes)
    while let box = boxes.next() {
      if box.name == name { return box.content }
    }
    return nil
  }
}
