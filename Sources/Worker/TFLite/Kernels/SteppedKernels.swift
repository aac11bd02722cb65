/// A way through the numbers of a tensor: how many positions each axis has, and how far apart they are.
struct Steps {
  private var start = 0
  /// Four, outermost first.
  private var axes = [(length: Int, step: Int)](repeating: (1, 0), count: 4)

  /// Adds an axis inside those before it, of which there may be three.
  /// - Parameter first: its first position.
  mutating func add(_ length: Int, step: Int, first: Int = 0) {
    start += first
    axes.removeFirst()
    axes.append((length, step))
  }

  /// Calls `body` with each position; those of the innermost axis follow each other.
  @inline(__always)
  func forEach(_ body: (Int) -> Void) {
    for a in 0..<axes[0].length {
      for b in 0..<axes[1].length {
        for c in 0..<axes[2].length {
          var position = start + a * axes[0].step + b * axes[1].step + c * axes[2].step
          for _ in 0..<axes[3].length {
            body(position)
            position += axes[3].step
          }
        }
      }
    }
  }
}

extension Shape {
  /// How far the next number of each axis is, outermost axis first.
  var steps: [Int] {
    var (steps, step) = ([Int](), 1)
    for axis in axes.reversed() {
      steps.insert(step, at: 0)
      step *= axis
    }
    return steps
  }
}

/// `TRANSPOSE`, `SLICE` and `STRIDED_SLICE`: a part of the numbers, in another order.
struct PartKernel: Kernel {
  let input: Operand
  let output: Int
  let outputShape: Shape
  private let steps: Steps

  /// - Parameter order: which axis of the input each axis of the result is.
  init(transposing input: Operand, order: [Int], output: Int) throws(ModelError) {
    let axes = input.shape.axes
    guard order.sorted() == Array(axes.indices) else { throw .malformed("a transposition of \(input.shape) to \(order)") }
    var steps = Steps()
    for axis in order { steps.add(axes[axis], step: input.shape.steps[axis]) }
    (self.input, self.output, self.steps) = (input, output, steps)
    outputShape = try Shape(order.map { axes[$0] })
  }

  /// - Parameter parts: of each axis, the first position and how many there are, `stride` apart; of an axis that the result
  ///   does not have, there is one.
  init(
    of input: Operand, parts: [(first: Int, count: Int, stride: Int, isDropped: Bool)], output: Int
  ) throws(ModelError) {
    let axes = input.shape.axes
    guard parts.count == axes.count else { throw .malformed("a part of \(input.shape) of \(parts.count) axes") }
    var steps = Steps()
    for (axis, part) in parts.enumerated() {
      guard (0..<axes[axis]).contains(part.first), (1...axes[axis]).contains(part.count),
        (1...Shape.maximumElements).contains(part.stride), !part.isDropped || part.count == 1,
        part.first + (part.count - 1) * part.stride < axes[axis]
      else { throw .malformed("a part of \(input.shape) beyond its edge") }
      let step = input.shape.steps[axis]
      steps.add(part.count, step: part.stride * step, first: part.first * step)
    }
    (self.input, self.output, self.steps) = (input, output, steps)
    outputShape = try Shape(parts.filter { !$0.isDropped }.map(\.count))
  }

  var reads: [Operand] { [input] }

  func run(in memory: Memory) {
    let source = memory.read(input)
    var target = memory.write(output)
    steps.forEach { position in
      target[0] = source[position]
      target += 1
    }
  }
}

/// `MEAN` and `SUM` over some axes.
struct ReductionKernel: Kernel {
  let input: Operand
  let output: Int
  let outputShape: Shape
  private let kept: Steps
  private let reduced: Steps
  private let isMean: Bool

  /// - Parameter keepsAxes: whether the result has the axes with the length 1.
  init(input: Operand, over reduced: [Int], isMean: Bool, keepsAxes: Bool, output: Int) throws(ModelError) {
    let axes = input.shape.axes
    guard !reduced.isEmpty, reduced.allSatisfy(axes.indices.contains) else {
      throw .malformed("a sum of \(input.shape) over \(reduced)")
    }
    var (inside, outside, lengths) = (Steps(), Steps(), [Int]())
    for axis in axes.indices {
      if reduced.contains(axis) {
        inside.add(axes[axis], step: input.shape.steps[axis])
        if keepsAxes { lengths.append(1) }
      } else {
        outside.add(axes[axis], step: input.shape.steps[axis])
        lengths.append(axes[axis])
      }
    }
    (self.input, self.output, self.isMean) = (input, output, isMean)
    (self.reduced, kept) = (inside, outside)
    outputShape = try Shape(lengths)
  }

  var reads: [Operand] { [input] }
  var cost: Int { input.shape.elements }

  func run(in memory: Memory) {
    let source = memory.read(input)
    var target = memory.write(output)
    let factor = isMean ? Float(outputShape.elements) / Float(input.shape.elements) : 1
    kept.forEach { first in
      // Of thousands of numbers, a sum in single precision would be off in the fourth digit.
      var sum = 0.0
      reduced.forEach { sum += Double(source[first + $0]) }
      target[0] = Float(sum) * factor
      target += 1
    }
  }
}
