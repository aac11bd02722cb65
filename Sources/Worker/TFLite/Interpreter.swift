import CMatrixProduct

/// Runs a TensorFlow Lite model of single-precision image operators.
///
/// The initialiser checks the model and plans its memory; a run then allocates that and its results, and cannot fail. What
/// is kept between runs is the weights, so that several tasks may run it at once.
///
/// ```swift
/// let interpreter = try Interpreter(model: bytes)
/// let mask = try interpreter.run(pixels)[0]
/// ```
public final class Interpreter: Sendable {
  /// The lengths of the only input's axes: batch, height, width, channels.
  public let inputShape: [Int]
  /// The lengths of each output's axes.
  public let outputShapes: [[Int]]

  /// 16 MiB.
  private static let largeCount = 4 << 20

  private let plan: Plan
  private let cores: Int

  /// Reads and plans a model.
  /// - Parameters:
  ///   - bytes: a `.tflite` file; not needed afterwards.
  ///   - cores: how many work on each step. More than one is of use for large networks.
  /// - Throws: ``ModelError`` for whatever is not a model this interpreter can run; never traps, whatever the bytes.
  public init(model bytes: [UInt8], cores: Int = 1) throws(ModelError) {
    let cores = min(max(1, cores), 64)
    let plan = try Plan(Model(parsing: bytes), cores: cores)
    guard plan.inputs.count == 1 else { throw .unsupported("a model of \(plan.inputs.count) inputs") }
    self.plan = plan
    inputShape = plan.inputs[0].shape.axes
    outputShapes = plan.outputs.map(\.shape.axes)
    self.cores = cores
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
    // Allocated for each run: networks that run one after the other take turns with the same memory. Nothing of it is read
    // before it was written, for each kernel writes its whole result, and scratch memory before it reads that.
    let count = plan.layout.size + plan.scratchSize * cores
    // Large memory is mapped on its own: what has been freed would not be used for it, but stand beside it.
    if count >= Self.largeCount { give_back_freed_memory() }
    let allocated = UnsafeMutableRawPointer.allocate(byteCount: max(1, count) * MemoryLayout<Float>.stride, alignment: 64)
    defer { allocated.deallocate() }
    let numbers = allocated.bindMemory(to: Float.self, capacity: max(1, count))
    return plan.constants.withUnsafeBufferPointer { constants in
      // A model without constants has no kernel that reads any.
      let memory = Memory(
        activations: numbers, constants: constants.baseAddress ?? UnsafePointer(numbers),
        scratch: numbers + plan.layout.size, scratchSize: plan.scratchSize, cores: cores, offsets: plan.layout.offsets)
      input.withUnsafeBufferPointer { input in
        if let first = input.baseAddress { memory.write(slot).update(from: first, count: input.count) }
      }
      for kernel in plan.kernels { kernel.run(in: memory) }
      return plan.outputs.map { output in
        Array(UnsafeBufferPointer(start: memory.write(output.slot), count: output.shape.elements))
      }
    }
  }
}
