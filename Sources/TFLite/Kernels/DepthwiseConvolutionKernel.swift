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
    for row in 0..<outputShape.batch * window.outputHeight {
      let image = memory.read(input) + row / window.outputHeight * imageSize
      let target = memory.write(output) + row * rowSize
      let y = row % window.outputHeight
      let rows = window.kernelRows(at: y, height: input.shape.height)
      for x in 0..<window.outputWidth {
        let columns = window.kernelColumns(at: x, width: input.shape.width)
        pixel(image, y, x, rows, columns, target + x * channels, memory)
      }
      activation.apply(to: target, count: rowSize, channels: channels, memory: memory)
    }
  }

  @inline(__always)
  private func pixel(
    _ image: UnsafePointer<Float>, _ y: Int, _ x: Int, _ rows: Range<Int>, _ columns: Range<Int>,
    _ target: UnsafeMutablePointer<Float>, _ memory: Memory
  ) {
    let channels = input.shape.channels
    let top = y * window.strideHeight - window.top
    let left = x * window.strideWidth - window.left
    let lineSize = input.shape.width * channels
    let weights = memory.constants + self.weights
    let bias = memory.constants + self.bias
    var channel = 0
    while channel < channels {
      let whole = channel + 8 <= channels
      var sum = whole ? bias.vector(channel) : .zero
      var rest = whole ? 0 : bias[channel]
      for row in rows {
        let line = image + (top + row * window.dilationHeight) * lineSize + left * channels + channel
        let rowWeights = weights + row * window.kernelWidth * channels + channel
        for column in columns {
          if whole {
            sum += (line + column * window.dilationWidth * channels).vector() * rowWeights.vector(column * channels)
          } else {
            rest += line[column * window.dilationWidth * channels] * rowWeights[column * channels]
          }
        }
      }
      if whole {
        target.store(sum, channel)
        channel += 8
      } else {
        target[channel] = rest
        channel += 1
      }
    }
  }
}
