/// Dilation and erosion of pixel masks by a square window.
enum Morphology {
  /// All pixels within `distance` rows and columns of a chosen one.
  static func dilated(_ mask: [Bool], _ width: Int, _ height: Int, by distance: Int) -> [Bool] {
    windowed(mask, width, height, distance, beyond: 0) { $0 | $1 }
  }

  /// All chosen pixels whose neighbours within `distance` are chosen too; pixels beyond the edge count as chosen.
  static func eroded(_ mask: [Bool], _ width: Int, _ height: Int, by distance: Int) -> [Bool] {
    windowed(mask, width, height, distance, beyond: 1) { $0 & $1 }
  }

  private typealias Bytes = SIMD16<UInt8>

  /// Combines all pixels of each window, first along the rows, then along the columns.
  ///
  /// A window twice as long is the combination of two windows, so a window of `n` pixels takes log₂ `n` passes, each of
  /// sixteen pixels at a time.
  @inline(__always)
  private static func windowed(
    _ mask: [Bool], _ width: Int, _ height: Int, _ distance: Int, beyond: UInt8, _ operation: (Bytes, Bytes) -> Bytes
  ) -> [Bool] {
    guard distance > 0, !mask.isEmpty, mask.count == width * height else { return mask }
    let stride = (width + 15) / 16 * 16
    // `distance` pixels more on either side; and behind them what a pass reads from the last sixteen pixels on.
    var line = [UInt8](repeating: beyond, count: stride + 4 * distance + 32)
    var lines = [UInt8](repeating: beyond, count: (height + 2 * distance) * stride)
    return mask.withUnsafeBytes { mask in
      line.withUnsafeMutableBytes { line in
        lines.withUnsafeMutableBytes { lines in
          for y in 0..<height {
            line.initializeMemory(as: UInt8.self, repeating: beyond)
            UnsafeMutableRawBufferPointer(rebasing: line[distance...]).copyMemory(
              from: UnsafeRawBufferPointer(rebasing: mask[y * width..<(y + 1) * width]))
            passes(distance) { combine(line, count: stride + 2 * distance, with: $0, operation) }
            UnsafeMutableRawBufferPointer(rebasing: lines[(y + distance) * stride..<(y + distance + 1) * stride])
              .copyMemory(from: UnsafeRawBufferPointer(rebasing: line[..<width]))
          }
          passes(distance) { combine(lines, count: lines.count - $0 * stride, with: $0 * stride, operation) }
          return [Bool](unsafeUninitializedCapacity: width * height) { result, count in
            // All bytes came from the mask or are `beyond`, and the operations keep 0 and 1, so each is a valid Bool.
            let bytes = UnsafeMutableRawBufferPointer(result)
            for y in 0..<height {
              UnsafeMutableRawBufferPointer(rebasing: bytes[(y * width)...]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: lines[y * stride..<y * stride + width]))
            }
            count = width * height
          }
        }
      }
    }
  }

  /// Calls `pass` with the offsets whose combinations cover a window of `2 * distance + 1` pixels.
  @inline(__always)
  private static func passes(_ distance: Int, _ pass: (Int) -> Void) {
    let window = 2 * distance + 1
    var length = 1
    while length * 2 <= window {
      pass(length)
      length *= 2
    }
    if length < window { pass(window - length) }
  }

  /// Combines each of the first `count` bytes with the one `offset` further, in ascending order, sixteen at a time.
  ///
  /// The caller guarantees that `count` rounded up to sixteen and increased by `offset` is inside the buffer.
  @inline(__always)
  private static func combine(
    _ bytes: UnsafeMutableRawBufferPointer, count: Int, with offset: Int, _ operation: (Bytes, Bytes) -> Bytes
  ) {
    guard let start = bytes.baseAddress, count > 0, (count + 15) / 16 * 16 + offset <= bytes.count else { return }
    var at = 0
    while at < count {
      let own = (start + at).loadUnaligned(as: Bytes.self)
      let other = (start + at + offset).loadUnaligned(as: Bytes.self)
      (start + at).storeBytes(of: operation(own, other), as: Bytes.self)
      at += 16
    }
  }
}
