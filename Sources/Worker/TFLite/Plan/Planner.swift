/// Turns the operators of a model into kernels, one after the other.
struct Planner {
  let model: Model
  private(set) var kernels: [any Kernel] = []
  /// Those of them whose work their only reader does.
  private var absorbed: Set<Int> = []
  var constants: [Float] = []
  /// Constants in half precision, by the tensor that holds them in single precision.
  private var halfPrecision: [Int: Int] = [:]
  /// The kernel that computes a tensor.
  private var producers: [Int: Int] = [:]
  private var readers: [Int: Int] = [:]
  private var constantOffsets: [Int: Int] = [:]

  init(_ model: Model) {
    self.model = model
    for step in model.operators {
      for input in step.inputs { readers[input, default: 0] += 1 }
    }
    // The caller reads outputs, so that nothing may be joined into what follows them.
    for output in model.outputs { readers[output, default: 0] += 1 }
  }

  mutating func plan() throws(ModelError) {
    for input in model.inputs {
      guard model.tensors[input].type == .float32, model.tensors[input].data.isEmpty else {
        throw .unsupported("an input that is not in single precision")
      }
    }
    constants.reserveCapacity(weightCount)
    for step in model.operators {
      try plan(step)
      // Here as well, for the same bytes can be the constants of many operators.
      guard constants.count <= Plan.maximumNumbers else { throw .tooManyConstants }
    }
    for output in model.outputs where producers[output] == nil {
      throw .malformed("an output is never computed")
    }
    kernels = kernels.indices.filter { !absorbed.contains($0) }.map { kernels[$0] }
  }

  /// Roughly how many constants there will be. The file holds as many, in half precision at least.
  private var weightCount: Int {
    let bytes = model.tensors.reduce(0) { $0 + $1.data.count }
    let numbers = model.tensors.reduce(0) { $0 + ($1.data.isEmpty ? 0 : $1.shape.elements) }
    return min(numbers, min(bytes, model.buffer.bytes.count) / 2)
  }

  private mutating func plan(_ step: Model.Operator) throws(ModelError) {
    switch step.code {
    case .dequantize: try rememberHalfPrecision(step)
    case .relu: try activate(step, .relu)
    case .reluBetweenOnes: try activate(step, .reluBetweenOnes)
    case .relu6: try activate(step, .relu6)
    case .leakyRelu: try activate(step, leakyRelu(step))
    case .hardSwish: try activate(step, .hardSwish)
    case .logistic: try activate(step, .logistic)
    case .hyperbolicTangent: try activate(step, .hyperbolicTangent)
    case .squareRoot: try activate(step, .squareRoot)
    case .inverseSquareRoot: try activate(step, .inverseSquareRoot)
    case .exponential: try activate(step, .exponential)
    case .negative: try activate(step, .negative)
    case .absolute: try activate(step, .absolute)
    case .parametricRelu: try activate(step, .parametricRelu(offset: slopes(of: step)))
    case .convolution: try append(convolution(step))
    case .depthwiseConvolution: try append(depthwiseConvolution(step))
    case .fullyConnected: try append(fullyConnected(step))
    case .transposeConvolution: try append(transposeConvolution(step))
    case .transposeConvolutionBias: try append(transposeConvolutionBias(step))
    case .add: try append(arithmetic(.add, step))
    case .multiply: try append(arithmetic(.multiply, step))
    case .subtract: try append(arithmetic(.subtract, step))
    case .divide: try append(arithmetic(.divide, step))
    case .maximum: try append(arithmetic(.maximum, step))
    case .minimum: try append(arithmetic(.minimum, step))
    case .squaredDifference: try append(arithmetic(.squaredDifference, step))
    case .averagePool: try append(pooling(.average, step))
    case .maximumPool: try append(pooling(.maximum, step))
    case .mean: try append(mean(step))
    case .sum: try append(reduction(step, isMean: false))
    case .softmax: try append(softmax(step))
    case .resizeBilinear: try append(resize(step))
    case .resizeNearest: try append(resizeNearest(step))
    case .pad: try append(pad(step, filling: 0))
    case .padWithNumber: try append(pad(step, filling: floats(input(2, of: step)).first ?? 0))
    case .concatenation: try append(concatenation(step))
    case .transpose:
      try append(
        PartKernel(transposing: operand(0, of: step), order: integers(input(1, of: step)), output: output(of: step)))
    case .slice: try append(slice(step))
    case .stridedSlice: try append(stridedSlice(step))
    case .reshape, .squeeze, .expandDimensions:
      let output = try output(of: step)
      try append(
        ConcatenationKernel(reshaping: operand(0, of: step), to: model.tensors[output].shape, output: output))
    }
  }

  // MARK: - Kernels

  private mutating func append(_ kernel: any Kernel) throws(ModelError) {
    let tensor = model.tensors[kernel.output]
    guard tensor.shape == kernel.outputShape, tensor.type == .float32, tensor.data.isEmpty else {
      throw .malformed("a result of shape \(kernel.outputShape) is declared as \(tensor.shape)")
    }
    guard producers[kernel.output] == nil, !model.inputs.contains(kernel.output) else {
      throw .malformed("a tensor is computed twice")
    }
    producers[kernel.output] = kernels.count
    kernels.append(kernel)
  }

  /// Fuses the activation with the previous kernel if nothing else reads that kernel's result.
  private mutating func activate(_ step: Model.Operator, _ activation: Activation) throws(ModelError) {
    let output = try output(of: step)
    let source = try operand(0, of: step)
    guard case .activation(let slot) = source.place, readers[slot] == 1, let producer = producers[slot],
      var kernel = kernels[producer] as? any ActivatedKernel, kernel.activation.isNone,
      model.tensors[output].shape == source.shape, model.tensors[output].type == .float32,
      model.tensors[output].data.isEmpty, producers[output] == nil, !model.inputs.contains(output)
    else {
      try append(ActivationKernel(input: source, output: output, activation: activation))
      return
    }
    kernel.activation = activation
    kernel.output = output
    kernels[producer] = kernel
    producers[slot] = nil
    producers[output] = producer
  }

  private mutating func slopes(of step: Model.Operator) throws(ModelError) -> Int {
    let slopes = try operand(1, of: step)
    let channels = try operand(0, of: step).shape.channels
    guard case .constant(let offset) = slopes.place, slopes.shape.elements == channels else {
      throw .unsupported("slopes of shape \(slopes.shape) for \(channels) channels")
    }
    return offset
  }

  private mutating func rememberHalfPrecision(_ step: Model.Operator) throws(ModelError) {
    let source = try input(0, of: step)
    let output = try output(of: step)
    guard model.tensors[source].type == .float16, !model.tensors[source].data.isEmpty,
      model.tensors[output].shape == model.tensors[source].shape, model.tensors[output].type == .float32
    else { throw .unsupported("dequantizing what is not a constant in half precision") }
    halfPrecision[output] = source
  }

  /// The padding that computes an operand, if it does nothing that the window of its only reader could not do.
  mutating func absorbedPadding(of operand: Operand) -> PadKernel? {
    guard let (producer, kernel) = onlyFor(operand), let padding = kernel as? PadKernel, padding.isSurroundingZeros
    else { return nil }
    absorbed.insert(producer)
    return padding
  }

  /// The pictures whose channels an operand consists of, if they are joined or resized for one reader only.
  mutating func absorbedParts(of operand: Operand) -> [ConvolutionInput] {
    guard let (producer, kernel) = onlyFor(operand), let joint = kernel as? ConcatenationKernel, joint.joinsChannels
    else { return [absorbedResizing(of: operand)] }
    absorbed.insert(producer)
    return joint.parts.map { absorbedResizing(of: $0) }
  }

  private mutating func absorbedResizing(of operand: Operand) -> ConvolutionInput {
    guard let (producer, kernel) = onlyFor(operand), let resize = kernel as? ResizeBilinearKernel else {
      return ConvolutionInput(operand: operand, resize: nil)
    }
    absorbed.insert(producer)
    return ConvolutionInput(operand: resize.input, resize: resize)
  }

  /// The kernel that computes an operand for one reader.
  private func onlyFor(_ operand: Operand) -> (Int, any Kernel)? {
    guard case .activation(let slot) = operand.place, readers[slot] == 1, let producer = producers[slot] else { return nil }
    return (producer, kernels[producer])
  }

  // MARK: - Operands

  func input(_ index: Int, of step: Model.Operator) throws(ModelError) -> Int {
    guard index < step.inputs.count, step.inputs[index] >= 0 else {
      throw .malformed("\(step.code) lacks input \(index)")
    }
    return step.inputs[index]
  }

  func output(of step: Model.Operator) throws(ModelError) -> Int {
    guard step.outputs.count == 1 else { throw .unsupported("\(step.code) with \(step.outputs.count) outputs") }
    return step.outputs[0]
  }

  /// A tensor to be read while running: computed before, an input, or a constant.
  mutating func operand(_ index: Int, of step: Model.Operator) throws(ModelError) -> Operand {
    let tensor = try input(index, of: step)
    let shape = model.tensors[tensor].shape
    if producers[tensor] != nil || model.inputs.contains(tensor) {
      return Operand(place: .activation(slot: tensor), shape: shape)
    }
    if let offset = constantOffsets[tensor] { return Operand(place: .constant(offset: offset), shape: shape) }
    let numbers = try floats(tensor)
    let offset = constants.count
    constantOffsets[tensor] = offset
    constants += numbers
    return Operand(place: .constant(offset: offset), shape: shape)
  }

  /// The numbers of a constant, in single precision.
  func floats(_ tensor: Int) throws(ModelError) -> [Float] {
    let source = model.tensors[halfPrecision[tensor] ?? tensor]
    let bytes = source.data
    let count = source.shape.elements
    switch source.type {
    case .float32 where bytes.count == count * 4:
      return [Float](singlePrecision: bytes)
    case .float16 where bytes.count == count * 2 && halfPrecision[tensor] != nil:
      return [Float](halfPrecision: bytes)
    case .int32, .other: throw .unsupported("weights that are whole numbers")
    default: throw .malformed("a constant is missing, or read before it is computed")
    }
  }

  /// The numbers of an integer constant.
  func integers(_ tensor: Int) throws(ModelError) -> [Int] {
    let source = model.tensors[tensor]
    guard source.type == .int32, source.data.count == source.shape.elements * 4, source.shape.elements <= 64 else {
      throw .malformed("a constant of whole numbers is missing")
    }
    return (0..<source.shape.elements).map { index in
      Int(Int32(bitPattern: Self.littleEndian(source.data, at: source.data.startIndex + index * 4)))
    }
  }

  static func littleEndian(_ bytes: ArraySlice<UInt8>, at index: Int) -> UInt32 {
    UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
      | UInt32(bytes[index + 3]) << 24
  }
}
