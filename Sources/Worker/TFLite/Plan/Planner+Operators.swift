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
    let unpadded = unpadded(source, window)
    return try ConvolutionKernel(
      parts: absorbedParts(of: unpadded.input), shape: unpadded.input.shape, filter: filter,
      weights: floats(input(1, of: step)), bias: bias(step), window: unpadded.window,
      activation: Activation(fused: model.buffer.uint8(3, of: options)), output: output(of: step),
      constants: &constants)
  }

  /// The input without zeros that were put around it, at which the window looks the same.
  private mutating func unpadded(_ source: Operand, _ window: Window) -> (input: Operand, window: Window) {
    guard let padding = absorbedPadding(of: source) else { return (source, window) }
    return (padding.input, window.without(rows: padding.before[1], columns: padding.before[2]))
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
    let unpadded = unpadded(source, window)
    return try DepthwiseConvolutionKernel(
      input: unpadded.input, filter: filter, weights: floats(input(1, of: step)), bias: bias(step), window: unpadded.window,
      activation: Activation(fused: model.buffer.uint8(4, of: options)), output: output(of: step),
      constants: &constants)
  }

  /// As a convolution of a picture for each row, of one pixel.
  mutating func fullyConnected(_ step: Model.Operator) throws(ModelError) -> ConvolutionKernel {
    let options = try options(of: step)
    let source = try operand(0, of: step)
    let filter = try filterShape(step)
    // Options: 1 is the format of the weights, of which 0 is the usual one.
    guard filter.axes.count == 2, source.shape.elements.isMultiple(of: filter.channels),
      try model.buffer.uint8(1, of: options) == 0
    else { throw .malformed("weights \(filter) do not fit their input \(source.shape)") }
    let rows = try Shape([source.shape.elements / filter.channels, 1, 1, filter.channels])
    let target = try output(of: step)
    let declared = model.tensors[target].shape
    let picture = ConvolutionInput(operand: Operand(place: source.place, shape: rows), resize: nil)
    var kernel = try ConvolutionKernel(
      parts: [picture], shape: rows, filter: Shape([filter.axes[0], 1, 1, filter.channels]),
      weights: floats(input(1, of: step)), bias: bias(step),
      window: Window(input: rows, kernel: (1, 1), stride: (1, 1), padding: .valid),
      activation: Activation(fused: model.buffer.uint8(0, of: options)), output: target, constants: &constants)
    guard declared.elements == kernel.outputShape.elements, declared.channels == kernel.outputShape.channels else {
      throw .malformed("a result of shape \(kernel.outputShape) is declared as \(declared)")
    }
    kernel.outputShape = declared
    return kernel
  }

  /// Input 0 is the shape of the result, which follows from the others as well.
  mutating func transposeConvolution(_ step: Model.Operator) throws(ModelError) -> TransposeConvolutionKernel {
    let options = try options(of: step)
    let filter = try filterShape(step)
    let bias = try step.inputs.count > 3 && step.inputs[3] >= 0 ? floats(step.inputs[3]) : nil
    return try TransposeConvolutionKernel(
      input: operand(2, of: step), filter: filter, weights: floats(input(1, of: step)),
      bias: bias ?? [Float](repeating: 0, count: filter.batch), stride: stride(options), padding: padding(options),
      activation: Activation(fused: model.buffer.uint8(3, of: options)), output: output(of: step),
      constants: &constants)
  }

  /// The custom options are three little-endian numbers: padding (1 same, 2 valid), stride across, stride down.
  mutating func transposeConvolutionBias(_ step: Model.Operator) throws(ModelError) -> TransposeConvolutionKernel {
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

  /// The usual mean is that over height and width of an image.
  mutating func mean(_ step: Model.Operator) throws(ModelError) -> any Kernel {
    let source = try operand(0, of: step)
    guard source.shape.axes.count == 4, try reducedAxes(step, of: source) == [1, 2], try keepsAxes(step) else {
      return try reduction(step, isMean: true)
    }
    let size = (source.shape.height, source.shape.width)
    let window = try Window(input: source.shape, kernel: size, stride: size, padding: .valid)
    return try PoolingKernel(
      .average, input: source, window: window, output: output(of: step), activation: .none)
  }

  mutating func reduction(_ step: Model.Operator, isMean: Bool) throws(ModelError) -> ReductionKernel {
    let source = try operand(0, of: step)
    return try ReductionKernel(
      input: source, over: reducedAxes(step, of: source), isMean: isMean, keepsAxes: keepsAxes(step),
      output: output(of: step))
  }

  private func reducedAxes(_ step: Model.Operator, of source: Operand) throws(ModelError) -> [Int] {
    try integers(input(1, of: step)).map { $0 < 0 ? $0 + source.shape.axes.count : $0 }.sorted()
  }

  private func keepsAxes(_ step: Model.Operator) throws(ModelError) -> Bool {
    guard let options = step.options else { return false }
    return try model.buffer.uint8(0, of: options) != 0
  }

  mutating func softmax(_ step: Model.Operator) throws(ModelError) -> SoftmaxKernel {
    SoftmaxKernel(
      input: try operand(0, of: step), output: try output(of: step),
      steepness: try model.buffer.float32(0, of: options(of: step)))
  }

  func leakyRelu(_ step: Model.Operator) throws(ModelError) -> Activation {
    .leakyRelu(slope: try model.buffer.float32(0, of: options(of: step)))
  }

  mutating func slice(_ step: Model.Operator) throws(ModelError) -> PartKernel {
    let source = try operand(0, of: step)
    let (first, sizes) = (try integers(input(1, of: step)), try integers(input(2, of: step)))
    guard first.count == source.shape.axes.count, sizes.count == first.count else {
      throw .malformed("a part of \(source.shape) from \(first)")
    }
    // −1 is the rest.
    let parts = first.indices.map { axis in
      let rest = source.shape.axes[axis] - first[axis]
      return (first: first[axis], count: sizes[axis] == -1 ? rest : sizes[axis], stride: 1, isDropped: false)
    }
    return try PartKernel(of: source, parts: parts, output: output(of: step))
  }

  mutating func stridedSlice(_ step: Model.Operator) throws(ModelError) -> PartKernel {
    let options = try options(of: step)
    let source = try operand(0, of: step)
    var masks: [Int] = []
    for field in 0..<5 { masks.append(try model.buffer.int32(field, of: options)) }
    let ends = (
      first: try integers(input(1, of: step)), last: try integers(input(2, of: step)),
      stride: try integers(input(3, of: step))
    )
    let axes = source.shape.axes
    guard [ends.first, ends.last, ends.stride].allSatisfy({ $0.count == axes.count }), ends.stride.allSatisfy({ $0 > 0 }),
      masks[2] == 0, masks[3] == 0
    else { throw .unsupported("a part of \(source.shape) from \(ends.first) in steps of \(ends.stride)") }
    let parts = axes.indices.map { axis in
      func place(_ index: Int) -> Int { min(max(0, index < 0 ? index + axes[axis] : index), axes[axis]) }
      func isSet(_ mask: Int) -> Bool { masks[mask] >> axis & 1 == 1 }
      let first = isSet(0) ? 0 : place(ends.first[axis])
      let end = isSet(4) ? first + 1 : isSet(1) ? axes[axis] : place(ends.last[axis])
      let stride = ends.stride[axis]
      return (first: first, count: (end - first + stride - 1) / stride, stride: stride, isDropped: isSet(4))
    }
    return try PartKernel(of: source, parts: parts, output: output(of: step))
  }

  mutating func resizeNearest(_ step: Model.Operator) throws(ModelError) -> ResizeNearestKernel {
    let wanted = try resizing(step, firstOption: 0)
    return try ResizeNearestKernel(
      input: operand(0, of: step), height: wanted.height, width: wanted.width, alignCorners: wanted.alignCorners,
      halfPixelCentres: wanted.halfPixelCentres, output: output(of: step))
  }

  mutating func resize(_ step: Model.Operator) throws(ModelError) -> ResizeBilinearKernel {
    let wanted = try resizing(step, firstOption: 2)
    return try ResizeBilinearKernel(
      input: operand(0, of: step), height: wanted.height, width: wanted.width, alignCorners: wanted.alignCorners,
      halfPixelCentres: wanted.halfPixelCentres, output: output(of: step))
  }

  /// - Parameter firstOption: the option `align_corners`, which `half_pixel_centers` follows.
  private func resizing(
    _ step: Model.Operator, firstOption: Int
  ) throws(ModelError) -> (height: Int, width: Int, alignCorners: Bool, halfPixelCentres: Bool) {
    let options = try options(of: step)
    let size = try integers(input(1, of: step))
    guard size.count == 2 else { throw .malformed("a resize to \(size)") }
    return (
      size[0], size[1], try model.buffer.uint8(firstOption, of: options) != 0,
      try model.buffer.uint8(firstOption + 1, of: options) != 0)
  }

  mutating func pad(_ step: Model.Operator, filling: Float) throws(ModelError) -> PadKernel {
    try PadKernel(
      input: operand(0, of: step), paddings: integers(input(1, of: step)), filling: filling, output: output(of: step))
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
