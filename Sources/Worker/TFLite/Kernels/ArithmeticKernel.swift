/// `ADD` and `MUL` of equal shapes, or of an image with one number for each channel or with a single number.
struct ArithmeticKernel: ActivatedKernel {
  enum Operation {
    case add
    case multiply
  }

  let operation: Operation
  let first: Operand
  let second: Operand
  var output: Int
  var activation: Activation

  init(
    _ operation: Operation, _ left: Operand, _ right: Operand, output: Int, activation: Activation
  ) throws(ModelError) {
    self.operation = operation
    self.output = output
    self.activation = activation
    // The larger one first; both operations commute.
    (first, second) = left.shape.elements >= right.shape.elements ? (left, right) : (right, left)
    let small = second.shape
    let isRepeated = small.elements == 1 || (small.channels == first.shape.channels && small.elements == small.channels)
    guard small == first.shape || (isRepeated && small.axes.count <= first.shape.axes.count) else {
      throw .unsupported("arithmetic on the shapes \(left.shape) and \(right.shape)")
    }
  }

  var reads: [Operand] { [first, second] }
  var outputShape: Shape { first.shape }

  func run(in memory: Memory) {
    let target = memory.write(output)
    let left = memory.read(first)
    let right = memory.read(second)
    let period = second.shape.elements
    if period == 1 {
      let number = right[0]
      for index in 0..<first.shape.elements {
        target[index] = operation == .add ? left[index] + number : left[index] * number
      }
    } else {
      for start in stride(from: 0, to: first.shape.elements, by: period) {
        combine(left + start, right, target + start, period)
      }
    }
    activation.apply(to: target, count: first.shape.elements, channels: first.shape.channels, memory: memory)
  }

  @inline(__always)
  private func combine(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    var index = 0
    while index + 8 <= count {
      let a = left.vector(index)
      let b = right.vector(index)
      target.store(operation == .add ? a + b : a * b, index)
      index += 8
    }
    while index < count {
      target[index] = operation == .add ? left[index] + right[index] : left[index] * right[index]
      index += 1
    }
  }
}
