import CMatrixProduct

/// `DEPTHWISE_CONV_2D` with as many output as input channels: each channel has its own window.
struct DepthwiseConvolutionKernel: ActivatedKernel {
  let input: Operand
  var output: Int
  let outputShape: Shape
  let window: Window
  let weights: Int
  let bias: Int
  var activation: Activation

  /// - Parameter filter: the weights' shape: 1, height, width, channels.
  init(
    input: Operand, filter: Shape, weights: [Float], bias: [Float]?, window: Window, activation: Activation,
    output: Int, constants: inout [Float]
  ) throws(ModelError) {
    guard filter.axes.count == 4, filter.batch == 1, weights.count == filter.elements,
      bias == nil || bias?.count == filter.channels
    else { throw .malformed("a depthwise convolution's weights have the shape \(filter)") }
    guard filter.channels == input.shape.channels else {
      throw .unsupported("a depthwise convolution from \(input.shape.channels) to \(filter.channels) channels")
    }
    self.input = input
    self.output = output
    self.window = window
    self.activation = activation
    outputShape = try Shape([input.shape.batch, window.outputHeight, window.outputWidth, filter.channels])
    self.weights = constants.count
    constants += weights
    self.bias = constants.count
    constants += bias ?? [Float](repeating: 0, count: filter.channels)
  }

  var reads: [Operand] { [input] }
  var cost: Int { outputShape.elements * window.kernelHeight * window.kernelWidth }

  func run(in memory: Memory) {
    let channels = input.shape.channels
    let imageSize = input.shape.height * input.shape.width * channels
    let rowSize = window.outputWidth * channels
    let whole = window.wholeColumns(width: input.shape.width)
    for row in 0..<outputShape.batch * window.outputHeight {
      let image = memory.read(input) + row / window.outputHeight * imageSize
      let target = memory.write(output) + row * rowSize
      let y = row % window.outputHeight
      for x in 0..<whole.lowerBound { pixels(x..<x + 1, image, y, target, memory) }
      pixels(whole, image, y, target, memory)
      for x in whole.upperBound..<window.outputWidth { pixels(x..<x + 1, image, y, target, memory) }
      activation.apply(to: target, count: rowSize, channels: channels, memory: memory)
    }
  }

  /// Some pixels of output row `y`, at which the same columns of the kernel lie inside the image. Only those rows and
  /// columns are read; there may be none.
  private func pixels(
    _ part: Range<Int>, _ image: UnsafePointer<Float>, _ y: Int, _ target: UnsafeMutablePointer<Float>, _ memory: Memory
  ) {
    guard let x = part.first else { return }
    let channels = input.shape.channels
    let rows = window.kernelRows(at: y, height: input.shape.height)
    let columns = window.kernelColumns(at: x, width: input.shape.width)
    let top = y * window.strideHeight - window.top + rows.lowerBound * window.dilationHeight
    let left = x * window.strideWidth - window.left + columns.lowerBound * window.dilationWidth
    let shape = depthwise_window(
      channels: channels, step: window.strideWidth * channels, rows: rows.count,
      row_step: window.dilationHeight * input.shape.width * channels, columns: columns.count,
      column_step: window.dilationWidth * channels, weight_step: window.kernelWidth * channels)
    depthwise_convolution(
      shape, image + (top * input.shape.width + left) * channels,
      memory.constants + weights + (rows.lowerBound * window.kernelWidth + columns.lowerBound) * channels,
      memory.constants + bias, target + x * channels, part.count)
  }
}
