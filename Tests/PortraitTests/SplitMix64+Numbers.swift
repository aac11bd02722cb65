import Support

extension SplitMix64 {
  /// 0…1, with 24 bits.
  mutating func unit() -> Float { Float(next() >> 40) / 16_777_216 }
}
