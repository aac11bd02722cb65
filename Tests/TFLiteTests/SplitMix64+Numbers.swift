import Support

extension SplitMix64 {
  /// 0…1, with 24 bits.
  mutating func unit() -> Float { Float(next() >> 40) / 16_777_216 }

  /// Numbers between −2 and 2.
  mutating func numbers(_ count: Int) -> [Float] { (0..<count).map { _ in unit() * 4 - 2 } }
}
