/// The numbers a run works on.
///
/// Safety of the pointers, for all kernels: the `Interpreter` owns the three allocations and outlives each run.
/// The planner gives each slot room for its tensor's elements inside the activations (`ArenaLayout`), appends each
/// constant whole, and takes the largest scratch any kernel asks for. Each kernel's initialiser checks its operands'
/// shapes against each other before the first run, and `run` stays inside these shapes; so nothing that comes from a
/// model is an address.
struct Memory {
  let activations: UnsafeMutablePointer<Float>
  let constants: UnsafePointer<Float>
  let scratch: UnsafeMutablePointer<Float>
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
}

/// A tensor that a kernel reads.
struct Operand {
  enum Place {
    /// Computed in this run: the slot's number.
    case activation(slot: Int)
    /// Known beforehand: the first number's index among the constants.
    case constant(offset: Int)
  }

  let place: Place
  let shape: Shape
}

/// One step of a planned model.
protocol Kernel {
  /// The slots that are read; those written. The arena keeps them apart.
  var reads: [Operand] { get }
  var output: Int { get }
  var outputShape: Shape { get }
  /// Numbers of scratch memory needed while it runs.
  var scratchSize: Int { get }
  /// A measure of the work: multiplications, roughly.
  /// It cannot overflow: its factors are bounded by ``Shape/maximumElements``.
  var cost: Int { get }

  func run(in memory: Memory)
}

extension Kernel {
  var scratchSize: Int { 0 }
  var cost: Int { outputShape.elements }
}

/// A step that can apply an activation to its result while it is still in the cache.
protocol ActivatedKernel: Kernel {
  var output: Int { get set }
  var activation: Activation { get set }
}
