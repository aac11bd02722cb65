/// One step of a planned model.
protocol Kernel {
  /// The slots that are read and those that are written. The arena keeps them separate.
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
