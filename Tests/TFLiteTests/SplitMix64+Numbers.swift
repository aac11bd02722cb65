import Support

extension SplitMix64 {
  /// Numbers between −2 and 2.
  mutating func numbers(_ count: Int) -> [Float] { (0..<count).map { _ in unit() * 4 - 2 } }
}
