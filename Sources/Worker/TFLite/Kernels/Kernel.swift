/// One step of a planned model.
protocol Kernel: Sendable {
  /// The slots that are read and those that are written. The arena keeps them separate,
  /// but for ``replaces``.
  var reads: [Operand] { get }
  /// Those of them whose place the result may take, if nothing reads them later: they have as many numbers, and each is read
  /// before the result's number is written there.
  var replaces: [Operand] { get }
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
  var replaces: [Operand] { [] }
  var scratchSize: Int { 0 }
  var cost: Int { outputShape.elements }
}
