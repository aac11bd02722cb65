/// A picture of numbers, or of colours: rows from the top.
struct Plane<Value> {
  let width: Int
  let height: Int
  var values: [Value]

  init(width: Int, height: Int, repeating value: Value) {
    self.width = width
    self.height = height
    values = [Value](repeating: value, count: width * height)
  }

  /// - Parameter values: exactly `width * height`, row by row.
  init(width: Int, height: Int, values: [Value]) {
    self.width = width
    self.height = height
    self.values = values
  }

  subscript(x: Int, y: Int) -> Value {
    get { values[y * width + x] }
    set { values[y * width + x] = newValue }
  }

  func map<Result>(_ change: (Value) -> Result) -> Plane<Result> {
    Plane<Result>(width: width, height: height, values: values.map(change))
  }

  /// Combines this plane with another of the same size, pixel by pixel.
  func combined<Other, Result>(with other: Plane<Other>, _ change: (Value, Other) -> Result) -> Plane<Result> {
    var result: [Result] = []
    result.reserveCapacity(values.count)
    for index in 0..<min(values.count, other.values.count) { result.append(change(values[index], other.values[index])) }
    return Plane<Result>(width: width, height: height, values: result)
  }
}

/// Red, green, blue and a fourth number, such as an opacity.
typealias Colour = SIMD4<Float>

extension SIMD4 where Scalar == Float {
  /// The perceived brightness of gamma-coded red, green and blue (Rec. 709).
  @inline(__always)
  var luma: Float { x * 0.2126 + y * 0.7152 + z * 0.0722 }

  @inline(__always)
  func replacingLast(_ value: Float) -> SIMD4<Float> { SIMD4(x, y, z, value) }
}

extension Plane where Value == Colour {
  /// Half the size; each pixel is the mean of four. Odd sides lose their last line.
  func halved() -> Plane<Colour> {
    var result = Plane(width: max(1, width / 2), height: max(1, height / 2), repeating: .zero)
    for y in 0..<result.height {
      let upper = min(2 * y, height - 1) * width
      let lower = min(2 * y + 1, height - 1) * width
      for x in 0..<result.width {
        let left = min(2 * x, width - 1)
        let right = min(2 * x + 1, width - 1)
        result[x, y] =
          (values[upper + left] + values[upper + right] + values[lower + left] + values[lower + right]) * 0.25
      }
    }
    return result
  }
}

/// The position of a larger picture's line between two lines of a smaller one.
struct Interpolation {
  let first: Int
  let second: Int
  let fraction: Float

  /// For each of `count` lines stretched over `length`, centres over centres.
  static func lines(from length: Int, to count: Int) -> [Interpolation] {
    (0..<count).map { index in
      let position = (Float(index) + 0.5) * Float(length) / Float(count) - 0.5
      let below = position.rounded(.down)
      let first = min(max(Int(below), 0), length - 1)
      return Interpolation(first: first, second: min(max(Int(below) + 1, 0), length - 1), fraction: position - below)
    }
  }
}

extension Plane where Value == Colour {
  /// Row `row` stretched to the width of `columns`.
  @inline(__always)
  func interpolatedRow(_ row: Interpolation, _ columns: [Interpolation], into result: inout [Colour]) {
    let upper = row.first * width
    let lower = row.second * width
    for (x, column) in columns.enumerated() {
      let top =
        values[upper + column.first] * (1 - column.fraction) + values[upper + column.second] * column.fraction
      let bottom =
        values[lower + column.first] * (1 - column.fraction) + values[lower + column.second] * column.fraction
      result[x] = top * (1 - row.fraction) + bottom * row.fraction
    }
  }

  /// The same picture at another size, pixel centres interpolated.
  func resized(width newWidth: Int, height newHeight: Int) -> Plane<Colour> {
    let columns = Interpolation.lines(from: width, to: newWidth)
    let rows = Interpolation.lines(from: height, to: newHeight)
    var result = Plane(width: newWidth, height: newHeight, repeating: .zero)
    var line = [Colour](repeating: .zero, count: newWidth)
    for y in 0..<newHeight {
      interpolatedRow(rows[y], columns, into: &line)
      for x in 0..<newWidth { result.values[y * newWidth + x] = line[x] }
    }
    return result
  }
}

/// A picture in memory: sRGB, 8 bits a channel, red green blue interleaved, rows from the top, no padding.
public struct PixelImage: Sendable, Equatable {
  /// Pixels in a row.
  public var width: Int
  /// Number of rows.
  public var height: Int
  /// `width * height * 3` bytes; anything else is refused with ``PortraitError/malformedImage`` on use.
  public var pixels: [UInt8]

  public init(width: Int, height: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// True when the sides are positive and the number of bytes fits them.
  var isWellFormed: Bool {
    guard width > 0, height > 0, width <= 1 << 20, height <= 1 << 20 else { return false }
    return pixels.count == width * height * 3
  }
}

/// The mean over a square window, at a cost that does not depend on its size.
///
/// At the edges only the part of the window inside the picture counts, so that a constant picture stays constant.
enum BoxBlur {
  static func apply(_ plane: Plane<Colour>, radius: Int) -> Plane<Colour> {
    guard radius > 0 else { return plane }
    return vertical(horizontal(plane, radius), radius)
  }

  /// Three passes, which approximate a Gaussian with the standard deviation `radius`.
  static func smooth(_ plane: Plane<Colour>, radius: Int) -> Plane<Colour> {
    apply(apply(apply(plane, radius: radius), radius: radius), radius: radius)
  }

  private static func horizontal(_ plane: Plane<Colour>, _ radius: Int) -> Plane<Colour> {
    let width = plane.width
    var result = plane
    for y in 0..<plane.height {
      let row = y * width
      var sum = Colour.zero
      for x in 0..<min(radius, width) { sum += plane.values[row + x] }
      for x in 0..<width {
        if x + radius < width { sum += plane.values[row + x + radius] }
        if x - radius - 1 >= 0 { sum -= plane.values[row + x - radius - 1] }
        let count = min(x + radius, width - 1) - max(x - radius, 0) + 1
        result.values[row + x] = sum / Float(count)
      }
    }
    return result
  }

  private static func vertical(_ plane: Plane<Colour>, _ radius: Int) -> Plane<Colour> {
    let (width, height) = (plane.width, plane.height)
    var result = plane
    var sums = [Colour](repeating: .zero, count: width)
    for y in 0..<min(radius, height) {
      for x in 0..<width { sums[x] += plane.values[y * width + x] }
    }
    for y in 0..<height {
      if y + radius < height {
        for x in 0..<width { sums[x] += plane.values[(y + radius) * width + x] }
      }
      if y - radius - 1 >= 0 {
        for x in 0..<width { sums[x] -= plane.values[(y - radius - 1) * width + x] }
      }
      let factor = 1 / Float(min(y + radius, height - 1) - max(y - radius, 0) + 1)
      for x in 0..<width { result.values[y * width + x] = sums[x] * factor }
    }
    return result
  }
}
