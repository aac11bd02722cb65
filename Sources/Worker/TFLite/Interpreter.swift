/// Runs a TensorFlow Lite model of single-precision image operators.
///
/// The initialiser checks the model and plans its memory; a run then allocates only its results and cannot fail. Do not
/// use it from two tasks at once.
///
/// ```swift
/// let interpreter = try Interpreter(model: bytes)
/// let mask = try interpreter.run(pixels)[0]
/// ```
public final class Interpreter {
  /// The lengths of the only input's axes: batch, height, width, channels.
  public let inputShape: [Int]
  /// The lengths of each output's axes.
  public let outputShapes: [[Int]]

  private let plan: Plan
  private let memory: Memory

  /// Reads and plans a model.
  /// - Parameters:
  ///   - bytes: a `.tflite` file; not needed afterwards.
  ///   - cores: how many work on each step. More than one is of use for large networks.
  /// - Throws: ``ModelError`` for whatever is not a model this interpreter can run; never traps, whatever the bytes.
  public init(model bytes: [UInt8], cores: Int = 1) throws(ModelError) {
    let plan = try Plan(Model(parsing: bytes))
    guard plan.inputs.count == 1 else { throw .unsupported("a model of \(plan.inputs.count) inputs") }
    self.plan = plan
    inputShape = plan.inputs[0].shape.axes
    outputShapes = plan.outputs.map(\.shape.axes)
    // Owned by this object, freed in deinit, handed to kernels only during a run.
    let cores = min(max(1, cores), 64)
    memory = Memory(
      activations: Self.allocate(plan.layout.size), constants: UnsafePointer(Self.copy(plan.constants)),
      scratch: Self.allocate(plan.scratchSize * cores), scratchSize: plan.scratchSize, cores: cores,
      offsets: plan.layout.offsets)
  }

  deinit {
    memory.activations.deallocate()
    memory.constants.deallocate()
    memory.scratch.deallocate()
  }

  /// Runs the model once.
  /// - Parameter input: as many numbers as ``inputShape`` says, innermost axis together.
  /// - Returns: the numbers of each output, in the model's order.
  /// - Throws: ``ModelError/wrongInputSize(expected:found:)``.
  public func run(_ input: [Float]) throws(ModelError) -> [[Float]] {
    let (slot, shape) = plan.inputs[0]
    guard input.count == shape.elements else {
      throw .wrongInputSize(expected: shape.elements, found: input.count)
    }
    input.withUnsafeBufferPointer { numbers in
      guard let first = numbers.baseAddress else { return }
      memory.write(slot).update(from: first, count: numbers.count)
    }
    for kernel in plan.kernels { kernel.run(in: memory) }
    return plan.outputs.map { output in
      Array(UnsafeBufferPointer(start: memory.write(output.slot), count: output.shape.elements))
    }
  }

  private static func allocate(_ count: Int) -> UnsafeMutablePointer<Float> {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, count))
    memory.initialize(repeating: 0, count: max(1, count))
    return memory
  }

  private static func copy(_ numbers: [Float]) -> UnsafeMutablePointer<Float> {
    let memory = allocate(numbers.count)
    numbers.withUnsafeBufferPointer { source in
      if let first = source.baseAddress { memory.update(from: first, count: source.count) }
    }
    return memory
  }
}
