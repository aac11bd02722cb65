/// `CONCATENATION` along any axis; with a single part a plain copy, which is also what `RESHAPE` is.
struct ConcatenationKernel: ActivatedKernel {
  let parts: [Operand]
  var output: Int
  let outputShape: Shape
  /// How often the parts alternate, and how many numbers of each part are copied at a time.
  private let rounds: Int
  private let chunks: [Int]
  private let isAlongChannels: Bool
  var activation: Activation

  init(parts: [Operand], axis: Int, output: Int, activation: Activation) throws(ModelError) {
    guard let first = parts.first?.shape else { throw .malformed("a concatenation of nothing") }
    let axis = axis < 0 ? axis + first.axes.count : axis
    guard first.axes.indices.contains(axis) else { throw .malformed("a concatenation along axis \(axis)") }
    var axes = first.axes
    axes[axis] = 0
    for part in parts {
      var other = part.shape.axes
      guard other.count == axes.count else { throw .malformed("a concatenation of different shapes") }
      axes[axis] += other[axis]
      other[axis] = axes[axis]
      guard other == axes else { throw .malformed("a concatenation of different shapes") }
    }
    self.parts = parts
    self.output = output
    self.activation = activation
    outputShape = try Shape(axes)
    isAlongChannels = axis == axes.count - 1
    rounds = axes[..<axis].reduce(1, *)
    chunks = parts.map { part in part.shape.axes[axis...].reduce(1, *) }
  }

  /// A copy of `input` with another shape.
  init(reshaping input: Operand, to shape: Shape, output: Int) throws(ModelError) {
    guard shape.elements == input.shape.elements else {
      throw .malformed("\(input.shape) cannot become \(shape)")
    }
    parts = [input]
    self.output = output
    outputShape = shape
    rounds = 1
    isAlongChannels = false
    chunks = [shape.elements]
    activation = .none
  }

  var reads: [Operand] { parts }
  var replaces: [Operand] { parts.count == 1 ? parts : [] }

  /// Whether all parts are pictures of the same size, whose channels follow each other.
  var joinsChannels: Bool { parts.count > 1 && activation.isNone && isAlongChannels }

  func run(in memory: Memory) {
    var target = memory.write(output)
    for round in 0..<rounds {
      for (part, chunk) in zip(parts, chunks) {
        target.update(from: memory.read(part) + round * chunk, count: chunk)
        target += chunk
      }
    }
    activation.apply(
      to: memory.write(output), count: outputShape.elements, channels: outputShape.channels, memory: memory)
  }
}
