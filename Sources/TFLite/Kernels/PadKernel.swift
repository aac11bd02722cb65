/// `PAD`: zeros around an image, in all four axes.
struct PadKernel: Kernel {
  let input: Operand
  let output: Int
  let outputShape: Shape
  /// Zeros before the first number of each axis.
  let before: [Int]

  /// - Parameter paddings: before and after of each axis, outermost axis first.
  init(input: Operand, paddings: [Int], output: Int) throws(ModelError) {
    guard input.shape.axes.count == 4, paddings.count == 8, paddings.allSatisfy((0...4096).contains) else {
      throw .malformed("paddings \(paddings) do not fit the shape \(input.shape)")
    }
    self.input = input
    self.output = output
    before = [paddings[0], paddings[2], paddings[4], paddings[6]]
    var axes: [Int] = []
    for axis in 0..<4 { axes.append(input.shape.axes[axis] + paddings[2 * axis] + paddings[2 * axis + 1]) }
    outputShape = try Shape(axes)
  }

  var reads: [Operand] { [input] }

  func run(in memory: Memory) {
    let source = memory.read(input)
    let target = memory.write(output)
    let shape = input.shape
    target.update(repeating: 0, count: outputShape.elements)
    for image in 0..<shape.batch {
      for y in 0..<shape.height {
        for x in 0..<shape.width {
          let from = ((image * shape.height + y) * shape.width + x) * shape.channels
          let line = (image + before[0]) * outputShape.height + y + before[1]
          let to = (line * outputShape.width + x + before[2]) * outputShape.channels + before[3]
          (target + to).update(from: source + from, count: shape.channels)
        }
      }
    }
  }
}
