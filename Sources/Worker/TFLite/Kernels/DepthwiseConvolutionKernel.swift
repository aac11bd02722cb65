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
      let rows = window.kernelRows(at: y, height: input.shape.height)
      for x in 0..<whole.lowerBound { pixel(image, y, x, rows, target + x * channels, memory) }
      // Constants, so that the loops over the window are unrolled.
      switch window.kernelWidth {
      case 3: wholeColumns(whole, image, y, rows, kernelWidth: 3, target, memory)
      case 5: wholeColumns(whole, image, y, rows, kernelWidth: 5, target, memory)
      case let width: wholeColumns(whole, image, y, rows, kernelWidth: width, target, memory)
      }
      for x in whole.upperBound..<window.outputWidth { pixel(image, y, x, rows, target + x * channels, memory) }
      activation.apply(to: target, count: rowSize, channels: channels, memory: memory)
    }
  }

  /// The pixels `columns` of output row `y`, at which all columns of the kernel lie inside the image.
  @inline(__always)
  private func wholeColumns(
    _ columns: Range<Int>, _ image: UnsafePointer<Float>, _ y: Int, _ rows: Range<Int>, kernelWidth: Int,
    _ target: UnsafeMutablePointer<Float>, _ memory: Memory
  ) {
    let channels = input.shape.channels
    let lineSize = input.shape.width &* channels &* window.dilationHeight
    let step = window.dilationWidth &* channels
    let top = y * window.strideHeight - window.top + rows.lowerBound * window.dilationHeight
    let weights = memory.constants + self.weights + rows.lowerBound * kernelWidth * channels
    let bias = memory.constants + self.bias
    for x in columns {
      let source = image + (top * input.shape.width + x * window.strideWidth - window.left) * channels
      var channel = 0
      while channel &+ 8 <= channels {
        var sum = bias.vector(channel)
        var (line, weight) = (source + channel, weights + channel)
        for _ in 0..<rows.count {
          for column in 0..<kernelWidth { sum += line.vector(column &* step) * weight.vector(column &* channels) }
          line += lineSize
          weight += kernelWidth &* channels
        }
        target.store(sum, x &* channels &+ channel)
        channel &+= 8
      }
      while channel < channels {
        var sum = bias[channel]
        var (line, weight) = (source + channel, weights + channel)
        for _ in 0..<rows.count {
          for column in 0..<kernelWidth { sum += line[column &* step] * weight[column &* channels] }
          line += lineSize
          weight += kernelWidth &* channels
        }
        target[x &* channels &+ channel] = sum
        channel &+= 1
      }
    }
  }

  /// A pixel near the left or right edge, at which only some columns of the kernel lie inside the image.
  private func pixel(
    _ image: UnsafePointer<Float>, _ y: Int, _ x: Int, _ rows: Range<Int>, _ target: UnsafeMutablePointer<Float>,
    _ memory: Memory
  ) {
    let channels = input.shape.channels
    let columns = window.kernelColumns(at: x, width: input.shape.width)
    let top = y * window.strideHeight - window.top
    let left = x * window.strideWidth - window.left
    let weights = memory.constants + self.weights
    target.update(from: memory.constants + bias, count: channels)
    for row in rows {
      for column in columns {
        let place = (top + row * window.dilationHeight) * input.shape.width + left + column * window.dilationWidth
        let source = image + place * channels
        let weight = weights + (row * window.kernelWidth + column) * channels
        for channel in 0..<channels { target[channel] += source[channel] * weight[channel] }
      }
    }
  }
}
