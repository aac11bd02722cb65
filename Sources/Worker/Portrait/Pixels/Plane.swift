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

extension Plane: Sendable where Value: Sendable {}

extension Plane where Value == Colour {
  /// The mean brightness of all pixels; 0 without any.
  var meanLuma: Double { Double(values.reduce(0) { $0 + $1.luma }) / Double(max(1, values.count)) }
}

/// Red, green, blue and a fourth number, such as an opacity.
typealias Colour = SIMD4<Float>

extension SIMD4 where Scalar == Float {
  /// The perceived brightness of gamma-coded red, green and blue (Rec. 709).
  @inline(__always)
  var luma: Float { x * 0.2126 + y * 0.7152 + z * 0.0722 }

  /// Each number at least 0 and at most 1. (`clamped` of the standard library is a call into it.)
  @inline(__always)
  var clampedToUnit: SIMD4<Float> { clamped(to: 1) }

  /// Each number at least 0 and at most `limit`.
  @inline(__always)
  func clamped(to limit: Float) -> SIMD4<Float> {
    let positive = replacing(with: 0, where: self .< 0)
    return positive.replacing(with: limit, where: positive .> limit)
  }

  /// Each number, limited to 0…255, as the nearest byte.
  @inline(__always)
  var roundedBytes: SIMD4<UInt32> {
    // Adding 2²³ leaves the nearest whole number in the low bits of the significand.
    unsafeBitCast(clamped(to: 255) + 8_388_608, to: SIMD4<UInt32>.self)
  }

  @inline(__always)
  func replacingLast(_ value: Float) -> SIMD4<Float> { SIMD4(x, y, z, value) }
}

extension Plane where Value: Averageable {
  /// Half the size; each pixel is the mean of four. Odd sides lose their last line.
  func halved() -> Plane {
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

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes the low bytes of red, green and blue; the caller guarantees the space for that pixel.
  @inline(__always)
  func store(_ colour: SIMD4<UInt32>, pixel: Int) {
    self[pixel &* 3] = UInt8(truncatingIfNeeded: colour.x)
    self[pixel &* 3 &+ 1] = UInt8(truncatingIfNeeded: colour.y)
    self[pixel &* 3 &+ 2] = UInt8(truncatingIfNeeded: colour.z)
  }
}

extension Plane where Value: Averageable {
  /// The row between two rows.
  func interpolate(_ row: Interpolation, into result: inout [Value]) {
    let upper = row.first * width
    let lower = row.second * width
    for x in 0..<width {
      result[x] = values[upper + x] * (1 - row.fraction) + values[lower + x] * row.fraction
    }
  }

  /// The value between four pixels.
  @inline(__always)
  func interpolated(_ row: Interpolation, _ column: Interpolation) -> Value {
    let (upper, lower) = (row.first * width, row.second * width)
    let top = values[upper + column.first] * (1 - column.fraction) + values[upper + column.second] * column.fraction
    let bottom = values[lower + column.first] * (1 - column.fraction) + values[lower + column.second] * column.fraction
    return top * (1 - row.fraction) + bottom * row.fraction
  }

  /// The same picture at another size, pixel centres interpolated.
  func resized(width newWidth: Int, height newHeight: Int) -> Plane {
    let columns = Interpolation.lines(from: width, to: newWidth)
    let rows = Interpolation.lines(from: height, to: newHeight)
    var result = Plane(width: newWidth, height: newHeight, repeating: .zero)
    var line = [Value](repeating: .zero, count: width)
    for y in 0..<newHeight {
      interpolate(rows[y], into: &line)
      for x in 0..<newWidth { result.values[y * newWidth + x] = columns[x].value(in: line) }
    }
    return result
  }
}
