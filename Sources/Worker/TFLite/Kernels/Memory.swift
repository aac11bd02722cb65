import Dispatch

/// The memory of a run.
///
/// Safety of the pointers, for all kernels: the `Interpreter` owns the allocations for the whole of each run. The
/// planner gives each slot space for its tensor's elements inside the activations (`ArenaLayout`), appends each
/// constant as a whole, and allocates for each core the largest scratch memory that any kernel needs. Each kernel's
/// initialiser checks the shapes of its operands against each other before the first run, and `run` stays inside these
/// shapes; so no value of a model is used as an address.
struct Memory {
  let activations: UnsafeMutablePointer<Float>
  let constants: UnsafePointer<Float>
  let scratch: UnsafeMutablePointer<Float>
  /// Numbers of scratch memory for each core.
  let scratchSize: Int
  /// How many cores work at the same time.
  let cores: Int
  /// The first number of each slot, counted from the beginning of the activations.
  let offsets: [Int]

  func read(_ operand: Operand) -> UnsafePointer<Float> {
    switch operand.place {
    case .activation(let slot): UnsafePointer(activations + offsets[slot])
    case .constant(let offset): constants + offset
    }
  }

  func write(_ slot: Int) -> UnsafeMutablePointer<Float> {
    activations + offsets[slot]
  }

  /// Calls `work` with the parts of `0..<rows`, one for each core, and with that core's scratch memory, and waits for all.
  /// - Parameter work: writes nothing but its own rows and scratch memory.
  func forEachPart(of rows: Int, _ work: (_ part: Range<Int>, _ scratch: UnsafeMutablePointer<Float>) -> Void) {
    if cores == 1 { return work(0..<rows, scratch) }
    // Each part has its own rows and scratch memory, and all have ended before this function does.
    nonisolated(unsafe) let (memory, work) = (self, work)
    DispatchQueue.concurrentPerform(iterations: cores) { core in
      work(core * rows / memory.cores..<(core + 1) * rows / memory.cores, memory.scratch + core * memory.scratchSize)
    }
  }
}

/// A step that can apply an activation to its result while it is still in the cache.
protocol ActivatedKernel: Kernel {
  var output: Int { get set }
  var activation: Activation { get set }
}

/// Eight numbers at a time: two registers of the x86-64 baseline, one with AVX.
typealias Vector = SIMD8<Float>

extension UnsafePointer<Float> {
  /// Eight numbers from here on; the caller guarantees that there are eight.
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

  /// Writes eight numbers from here on; the caller guarantees the space.
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
  /// Each lane at least `lower` and at most `upper`. The standard library's own function is not inlined.
  @inline(__always)
  func clamped(from lower: Float, to upper: Float) -> Vector {
    let raised = replacing(with: lower, where: self .< lower)
    return raised.replacing(with: upper, where: raised .> upper)
  }

  /// e to the power of each lane, accurate to about one unit in the last place.
  ///
  /// Uses Cody and Waite's reduction and the Cephes polynomial. It does not call the C library, so the results are the
  /// same on every machine.
  @inline(__always)
  var exponential: Vector {
    let x = clamped(from: -87, to: 88)
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
