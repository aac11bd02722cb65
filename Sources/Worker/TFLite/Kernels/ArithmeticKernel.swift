/// `ADD`, `MUL` and the like of two shapes, of which axes of length 1 are repeated, and axes that are missing outside.
struct ArithmeticKernel: ActivatedKernel {
  enum Operation {
    case add
    case multiply
    case subtract
    case divide
    case maximum
    case minimum
    case squaredDifference
  }

  /// A run of numbers of the result, and how far the next one is in each operand: 0 where it is repeated.
  private struct Axis: Equatable {
    var length: Int
    var first: Int
    var second: Int
  }

  let operation: Operation
  let first: Operand
  let second: Operand
  var output: Int
  let outputShape: Shape
  var activation: Activation
  /// Four, outermost first; axes that both operands go through alike are one.
  private let axes: [Axis]

  init(
    _ operation: Operation, _ first: Operand, _ second: Operand, output: Int, activation: Activation
  ) throws(ModelError) {
    (self.operation, self.first, self.second) = (operation, first, second)
    self.output = output
    self.activation = activation
    var axes: [Axis] = []
    var lengths: [Int] = []
    var (firstSize, secondSize) = (1, 1)
    for place in 0..<max(first.shape.axes.count, second.shape.axes.count) {
      let (one, other) = (first.shape.axis(place), second.shape.axis(place))
      guard one == other || one == 1 || other == 1 else {
        throw .unsupported("arithmetic on the shapes \(first.shape) and \(second.shape)")
      }
      lengths.insert(max(one, other), at: 0)
      let axis = Axis(
        length: max(one, other), first: one == 1 ? 0 : firstSize, second: other == 1 ? 0 : secondSize)
      (firstSize, secondSize) = (firstSize * one, secondSize * other)
      if axis.length == 1 { continue }
      if let inner = axes.first, axis.first == inner.length * inner.first, axis.second == inner.length * inner.second {
        axes[0].length *= axis.length
      } else {
        axes.insert(axis, at: 0)
      }
    }
    outputShape = try Shape(lengths)
    self.axes = [Axis](repeating: Axis(length: 1, first: 0, second: 0), count: 4 - axes.count) + axes
  }

  var reads: [Operand] { [first, second] }
  var replaces: [Operand] { reads.filter { $0.shape.elements == outputShape.elements } }

  func run(in memory: Memory) {
    // Outside of all loops, so that each has one operation.
    switch operation {
    case .add: run(in: memory) { $0 + $1 }
    case .multiply: run(in: memory) { $0 * $1 }
    case .subtract: run(in: memory) { $0 - $1 }
    case .divide: run(in: memory) { $0 / $1 }
    case .maximum: run(in: memory) { $0.replacing(with: $1, where: $0 .< $1) }
    case .minimum: run(in: memory) { $0.replacing(with: $1, where: $0 .> $1) }
    case .squaredDifference: run(in: memory) { ($0 - $1) * ($0 - $1) }
    }
    activation.apply(
      to: memory.write(output), count: outputShape.elements, channels: outputShape.channels, memory: memory)
  }

  @inline(__always)
  private func run(in memory: Memory, _ combine: (Vector, Vector) -> Vector) {
    var target = memory.write(output)
    for a in 0..<axes[0].length {
      for b in 0..<axes[1].length {
        for c in 0..<axes[2].length {
          let left = memory.read(first) + a * axes[0].first + b * axes[1].first + c * axes[2].first
          let right = memory.read(second) + a * axes[0].second + b * axes[1].second + c * axes[2].second
          row(left, right, target, combine)
          target += axes[3].length
        }
      }
    }
  }

  @inline(__always)
  private func row(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>,
    _ combine: (Vector, Vector) -> Vector
  ) {
    let axis = axes[3]
    var index = 0
    while index + 8 <= axis.length {
      let a = axis.first == 0 ? Vector(repeating: left[0]) : left.vector(index)
      let b = axis.second == 0 ? Vector(repeating: right[0]) : right.vector(index)
      target.store(combine(a, b), index)
      index += 8
    }
    while index < axis.length {
      let (a, b) = (left[index * axis.first], right[index * axis.second])
      target[index] = combine(Vector(repeating: a), Vector(repeating: b))[0]
      index += 1
    }
  }
}
