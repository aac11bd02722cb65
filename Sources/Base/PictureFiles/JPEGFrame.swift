/// The header of a JPEG frame (ITU-T T.81, B.2.2).
package struct JPEGFrame: Equatable {
  package struct Component: Equatable {
    package var name: UInt8
    /// The sampling factors: how many samples it has for so many of the component with the largest.
    package var across: Int
    package var down: Int
  }

  package var bitsPerChannel: Int
  package var height: Int
  package var width: Int
  package var components: [Component]

  package var channels: Int { components.count }

  /// - Parameter data: the data of the segment.
  package init?(_ data: ArraySlice<UInt8>) {
    var reader = ByteReader(data)
    guard let bits = reader.bigEndian(1), let height = reader.bigEndian(2), let width = reader.bigEndian(2),
      let channels = reader.bigEndian(1)
    else { return nil }
    (bitsPerChannel, self.height, self.width, components) = (bits, height, width, [])
    for _ in 0..<channels {
      guard let name = reader.byte(), let sampling = reader.byte(), reader.byte() != nil else { return nil }
      components.append(Component(name: name, across: Int(sampling >> 4), down: Int(sampling & 0x0f)))
    }
  }

  /// The memory for all coefficients, which a decoder needs for a picture that is stored in several scans.
  package var coefficientBytes: Int {
    let most = (across: components.map(\.across).max() ?? 1, down: components.map(\.down).max() ?? 1)
    return components.reduce(0) { sum, component in
      func blocks(_ length: Int, _ part: Int, _ whole: Int) -> Int { (length * part / max(1, whole) + 15) / 8 }
      return sum + blocks(width, component.across, most.across) * blocks(height, component.down, most.down) * 128
    }
  }
}
