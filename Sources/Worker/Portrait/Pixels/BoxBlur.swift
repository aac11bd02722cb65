/// The mean over a square window, at a cost that does not depend on its size.
///
/// At the edges only the part of the window inside the picture counts, so that a constant picture stays constant.
enum BoxBlur {
  /// Planes with fewer pixels are not worth a second thread.
  private static let leastPixels = 128 * 128

  static func apply(_ plane: Plane<Colour>, radius: Int) -> Plane<Colour> { blurred(plane, radius) }
  static func apply(_ plane: Plane<Float>, radius: Int) -> Plane<Float> { blurred(plane, radius) }

  /// Three passes, which approximate a Gaussian with the standard deviation `radius`.
  static func smooth(_ plane: Plane<Float>, radius: Int) -> Plane<Float> {
    apply(apply(apply(plane, radius: radius), radius: radius), radius: radius)
  }

  @inline(__always)
  private static func blurred<Value: Averageable>(_ plane: Plane<Value>, _ radius: Int) -> Plane<Value> {
    guard radius > 0, plane.width > 0, plane.height > 0 else { return plane }
    let (width, height) = (plane.width, plane.height)
    // Every position below is inside its row or is compared with the sides before it is read, and both planes hold
    // `width * height` values.
    let rows = plane.values.withUnsafeBufferPointer { source in
      [Value](unsafeUninitializedCapacity: width * height) { target, count in
        // Each strip writes rows of its own.
        nonisolated(unsafe) let (source, target) = (source, target)
        forEachStrip(of: height, pixels: width * height) { strip in
          for y in strip {
            horizontal(
              UnsafeBufferPointer(rebasing: source[y * width..<(y + 1) * width]),
              UnsafeMutableBufferPointer(rebasing: target[y * width..<(y + 1) * width]), radius)
          }
        }
        count = width * height
      }
    }
    let values = rows.withUnsafeBufferPointer { source in
      [Value](unsafeUninitializedCapacity: width * height) { target, count in
        // Each strip writes columns of its own.
        nonisolated(unsafe) let (source, target) = (source, target)
        forEachStrip(of: width, pixels: width * height) { vertical(source, target, width, height, radius, columns: $0) }
        count = width * height
      }
    }
    return Plane(width: width, height: height, values: values)
  }

  /// Runs `work` for the two halves of `length` at the same time, or for all of it where there is little to do.
  @inline(__always)
  private static func forEachStrip(of length: Int, pixels: Int, _ work: @Sendable (Range<Int>) -> Void) {
    guard pixels >= leastPixels else { return work(0..<length) }
    Parallel.forEachPart(of: length, work)
  }

  @inline(__always)
  private static func horizontal<Value: Averageable>(
    _ source: UnsafeBufferPointer<Value>, _ target: UnsafeMutableBufferPointer<Value>, _ radius: Int
  ) {
    let width = source.count
    var sum = Value.zero
    for x in 0..<min(radius, width) { sum += source[x] }
    func edge(_ x: Int) {
      if x + radius < width { sum += source[x + radius] }
      if x - radius - 1 >= 0 { sum -= source[x - radius - 1] }
      target[x] = sum / Float(min(x + radius, width - 1) - max(x - radius, 0) + 1)
    }
    let first = min(width, radius + 1)
    let last = max(first, width - radius)
    for x in 0..<first { edge(x) }
    for x in first..<last {
      sum += source[x &+ radius]
      sum -= source[x &- radius &- 1]
      target[x] = sum / Float(2 * radius + 1)
    }
    for x in last..<width { edge(x) }
  }

  @inline(__always)
  private static func vertical<Value: Averageable>(
    _ source: UnsafeBufferPointer<Value>, _ target: UnsafeMutableBufferPointer<Value>, _ width: Int, _ height: Int,
    _ radius: Int, columns: Range<Int>
  ) {
    var sums = [Value](repeating: .zero, count: columns.count)
    let left = columns.lowerBound
    sums.withUnsafeMutableBufferPointer { sums in
      for y in 0..<min(radius, height) {
        let row = y * width + left
        for x in 0..<sums.count { sums[x] += source[row + x] }
      }
      for y in 0..<height {
        if y + radius < height {
          let row = (y + radius) * width + left
          for x in 0..<sums.count { sums[x] += source[row + x] }
        }
        if y - radius - 1 >= 0 {
          let row = (y - radius - 1) * width + left
          for x in 0..<sums.count { sums[x] -= source[row + x] }
        }
        let factor = 1 / Float(min(y + radius, height - 1) - max(y - radius, 0) + 1)
        let row = y * width + left
        for x in 0..<sums.count { target[row + x] = sums[x] * factor }
      }
    }
  }
}

/// What a plane holds when means of it are wanted.
protocol Averageable: Sendable, SendableMetatype {
  static var zero: Self { get }
  static func + (left: Self, right: Self) -> Self
  static func += (left: inout Self, right: Self)
  static func -= (left: inout Self, right: Self)
  static func * (left: Self, right: Float) -> Self
  static func / (left: Self, right: Float) -> Self
}

extension Float: Averageable {}
extension SIMD4: Averageable where Scalar == Float {}
