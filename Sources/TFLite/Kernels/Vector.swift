/// Eight numbers at a time: two registers of the x86-64 baseline, one with AVX.
typealias Vector = SIMD8<Float>

extension UnsafePointer<Float> {
  /// Eight numbers from here on; the caller answers for there being eight.
  @inline(__always)
  func vector(_ index: Int = 0) -> Vector {
    UnsafeRawPointer(self + index).loadUnaligned(as: Vector.self)
  }
}

extension UnsafeMutablePointer<Float> {
  @inline(__always)
  func vector(_ index: Int = 0) -> Vector {
    UnsafeRawPointer(self + index).loadUnaligned(as: Vector.self)
  }

  /// Writes eight numbers from here on; the caller answers for there being room.
  @inline(__always)
  func store(_ vector: Vector, _ index: Int = 0) {
    UnsafeMutableRawPointer(self + index).storeBytes(of: vector, as: Vector.self)
  }

  /// Writes the first `count` numbers, at most eight.
  @inline(__always)
  func store(_ vector: Vector, _ index: Int, count: Int) {
    for lane in 0..<count { self[index + lane] = vector[lane] }
  }
}

extension Vector {
  /// Lane by lane e to the power of this, to about one unit in the last place.
  ///
  /// Cody and Waite's reduction and the Cephes polynomial; no call into the C library, hence the same on each machine.
  @inline(__always)
  var exponential: Vector {
    let x = clamped(lowerBound: Vector(repeating: -87), upperBound: Vector(repeating: 88))
    // Adding 1.5 × 2²³ leaves the nearest whole number in the low bits of the significand.
    let rounder = Vector(repeating: 12_582_912)
    let biased = x * 1.442_695_04 + rounder
    let whole = biased - rounder
    let r = x - whole * 0.693_359_375 + whole * 2.121_944_4e-4
    var p = r * 1.987_569_15e-4 + 1.398_199_95e-3
    p = p * r + 8.333_451_9e-3
    p = p * r + 4.166_579_6e-2
    p = p * r + 1.666_666_55e-1
    p = p * r + 5e-1
    let fraction = p * r * r + r + 1
    // A bit cast between vectors of equal size; the exponent stays in range because x was clamped.
    let exponent = (unsafeBitCast(biased, to: SIMD8<Int32>.self) &- 0x4B40_0000) &<< 23
    return unsafeBitCast(unsafeBitCast(fraction, to: SIMD8<Int32>.self) &+ exponent, to: Vector.self)
  }
}
