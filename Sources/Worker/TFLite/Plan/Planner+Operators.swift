/// Reading the options of each operator. Field numbers: schema.fbs.
extension Planner {
  mutating func convolution(_ step: Model.Operator) throws(ModelError) -> ConvolutionKernel {
    let options = try options(of: step)
    let source = try operand(0, of: step)
    let filter = try filterShape(step)
    let window = try Window(
      input: source.shape, kernel: (filter.height, filter.width), stride: stride(options),
      dilation: (
        model.buffer.int32(5, of: options, default: 1), model.buffer.int32(4, of: options, default: 1)
      ),
      padding: padding(options))
    return try ConvolutionKernel(
      input: source, filter: filter, weights: floats(input(1, of: step)), bias: bias(step), window: window,
      activation: Activation(fused: model.buffer.uint8(3, of: options)), output: output(of: step),
      constants: &constants)
  }

  mutating func depthwiseConvolution(_ step: Model.Operator) throws(ModelError) -> DepthwiseConvolutionKernel {
    let options = try options(of: step)
    let source = try operand(0, of: step)
    let filter = try filterShape(step)
    let window = try Window(
      input: source.shape, kernel: (filter.height, filter.width), stride: stride(options),
      dilation: (
        model.buffer.int32(6, of: options, default: 1), model.buffer.int32(5, of: options, default: 1)
      ),
      padding: padding(options))
    return try DepthwiseConvolutionKernel(
      input: source, filter: filter, weights: floats(input(1, of: step)), bias: bias(step), window: window,
      activation: Activation(fused: model.buffer.uint8(4, of: options)), output: output(of: step),
      constants: &constants)
  }

  /// The custom options are three little-endian numbers: padding (1 same, 2 valid), stride across, stride down.
  mutating func transposeConvolution(_ step: Model.Operator) throws(ModelError) -> TransposeConvolutionKernel {
    let options = step.customOptions
    guard options.count >= 12 else { throw .malformed("a transpose convolution without options") }
    let numbers = (0..<3).map { Int(Self.littleEndian(options, at: options.startIndex + $0 * 4)) }
    guard numbers[0] == 1 || numbers[0] == 2 else { throw .unsupported("padding \(numbers[0])") }
    return try TransposeConvolutionKernel(
      input: operand(0, of: step), filter: filterShape(step), weights: floats(input(1, of: step)),
      bias: floats(input(2, of: step)), stride: (numbers[2], numbers[1]), padding: numbers[0] == 1 ? .same : .valid,
      output: output(of: step), constants: &constants)
  }

  mutating func arithmetic(
    _ operation: ArithmeticKernel.Operation, _ step: Model.Operator
  ) throws(ModelError) -> ArithmeticKernel {
    try ArithmeticKernel(
      operation, operand(0, of: step), operand(1, of: step), output: output(of: step),
      activation: fusedActivation(step, field: 0))
  }

  mutating func pooling(
    _ operation: PoolingKernel.Operation, _ step: Model.Operator
  ) throws(ModelError) -> PoolingKernel {
    let options = try options(of: step)
    let source = try operand(0, of: step)
    let window = try Window(
      input: source.shape,
      kernel: (model.buffer.int32(4, of: options), model.buffer.int32(3, of: options)),
      stride: stride(options), padding: padding(options))
    return try PoolingKernel(
      operation, input: source, window: window, output: output(of: step),
      activation: Activation(fused: model.buffer.uint8(5, of: options)))
  }

  /// The mean over height and width, the only axes used in image networks.
  mutating func mean(_ step: Model.Operator) throws(ModelError) -> any Kernel {
    let source = try operand(0, of: step)
    let axes = try integers(input(1, of: step)).map { $0 < 0 ? $0 + source.shape.axes.count : $0 }
    guard source.shape.axes.count == 4, axes.sorted() == [1, 2], let options = step.options,
      try model.buffer.uint8(0, of: options) != 0
    else { throw .unsupported("a mean over the axes \(axes) of \(source.shape)") }
    let size = (source.shape.height, source.shape.width)
    let window = try Window(input: source.shape, kernel: size, stride: size, padding: .valid)
    return try PoolingKernel(
      .average, input: source, window: window, output: output(of: step), activation: .none)
  }

  mutating func resize(_ step: Model.Operator) throws(ModelError) -> ResizeBilinearKernel {
    let options = try options(of: step)
    let size = try integers(input(1, of: step))
    guard size.count == 2 else { throw .malformed("a resize to \(size)") }
    return try ResizeBilinearKernel(
      input: operand(0, of: step), height: size[0], width: size[1],
      alignCorners: model.buffer.uint8(2, of: options) != 0,
      halfPixelCentres: model.buffer.uint8(3, of: options) != 0, output: output(of: step))
  }

  mutating func pad(_ step: Model.Operator) throws(ModelError) -> PadKernel {
    try PadKernel(input: operand(0, of: step), paddings: integers(input(1, of: step)), output: output(of: step))
  }

  mutating func concatenation(_ step: Model.Operator) throws(ModelError) -> ConcatenationKernel {
    let options = try options(of: step)
    var parts: [Operand] = []
    for index in step.inputs.indices { parts.append(try operand(index, of: step)) }
    return try ConcatenationKernel(
      parts: parts, axis: model.buffer.int32(0, of: options), output: output(of: step),
      activation: Activation(fused: model.buffer.uint8(1, of: options)))
  }

  // MARK: - Options

  private func options(of step: Model.Operator) throws(ModelError) -> FlatBuffer.Table {
    guard let options = step.options else { throw .malformed("\(step.code) without options") }
    return options
  }

  private func fusedActivation(_ step: Model.Operator, field: Int) throws(ModelError) -> Activation {
    guard let options = step.options else { return .none }
    return try Activation(fused: model.buffer.uint8(field, of: options))
  }

  private func padding(_ options: FlatBuffer.Table) throws(ModelError) -> Window.Padding {
    switch try model.buffer.uint8(0, of: options) {
    case 0: .same
    case 1: .valid
    case let other: throw .malformed("padding \(other)")
    }
  }

  private func stride(_ options: FlatBuffer.Table) throws(ModelError) -> (height: Int, width: Int) {
    (try model.buffer.int32(2, of: options), try model.buffer.int32(1, of: options))
  }

  private func filterShape(_ step: Model.Operator) throws(ModelError) -> Shape {
    model.tensors[try input(1, of: step)].shape
  }

  private func bias(_ step: Model.Operator) throws(ModelError) -> [Float]? {
    guard step.inputs.count > 2, step.inputs[2] >= 0 else { return nil }
    return try floats(step.inputs[2])
  }
}
