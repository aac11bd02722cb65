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

extension Interpolation {
  /// The value between two places of a row.
  @inline(__always)
  func value<Value: Averageable>(in row: [Value]) -> Value { row[first] * (1 - fraction) + row[second] * fraction }
}
