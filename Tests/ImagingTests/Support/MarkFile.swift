import Imaging

@testable import atelier_imaging

/// Watermarks of one colour, as PNG files of all kinds (PNG, third edition).
struct MarkFile: Sendable {
  enum Kind: UInt8, Sendable {
    case grey = 0
    case rgb = 2
    case palette = 3
    case greyWithAlpha = 4
    case rgba = 6
  }

  var width = 40
  var height = 20
  var kind = Kind.rgba
  var bits: UInt8 = 8
  /// The samples of each pixel, high bytes first.
  var pixel: [UInt8] = [255, 0, 0, 255]
  /// The chunks before the pixels.
  var chunks: [(name: String, content: [UInt8])] = []
  /// Compressed data in place of the pixels.
  var data: [UInt8]?

  var bytes: [UInt8] {
    let row: [UInt8] = [0] + Array(repeatElement(pixel, count: width).joined())
    let rows = Array(repeatElement(row, count: height).joined())
    let sides = [width, height].flatMap { side in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) } }
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + PNGFile.chunk("IHDR", sides + [bits, kind.rawValue, 0, 0, 0])
      + chunks.flatMap { PNGFile.chunk($0.name, $0.content) } + PNGFile.chunk("IDAT", data ?? Self.stored(rows))
      + PNGFile.chunk("IEND", [])
  }

  /// A zlib stream of blocks that are not compressed.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(0xffff)
      rest = rest.dropFirst(block.count)
      let (low, high) = (UInt8(block.count & 0xff), UInt8(block.count >> 8))
      stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
    } while !rest.isEmpty
    let (first, second) = bytes.reduce((1, 0)) { sums, byte in
      let first = (sums.0 + Int(byte)) % 65521
      return (first, (sums.1 + first) % 65521)
    }
    return stream + [UInt8(second >> 8), UInt8(second & 0xff), UInt8(first >> 8), UInt8(first & 0xff)]
  }

  /// A compressed file, for a large one.
  static func compressed(width: Int, height: Int) throws -> [UInt8] {
    _ = Pixels.started
    return try VipsImage.rgba([255, 0, 0], opacity: [255], width: 1, height: 1).scaled(width: width, height: height)
      .pngFile()
  }
}
