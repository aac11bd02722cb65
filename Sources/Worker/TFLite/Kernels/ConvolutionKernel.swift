/// `CONV_2D`: a matrix product over the window's numbers, gathered row by row unless they are already contiguous.
struct ConvolutionKernel: ActivatedKernel {
  let input: Operand
  var output: Int
  var outputShape: Shape
  let window: Window
  let weights: PackedWeights
  var activation: Activation

  /// - Parameter filter: the weights' shape: output channels, height, width, input channels.
  init(
    input: Operand, filter: Shape, weights: [Float], bias: [Float]?, window: Window, activation: Activation,
    output: Int, constants: inout [Float]
  ) throws(ModelError) {
    guard filter.axes.count == 4, filter.channels == input.shape.channels, weights.count == filter.elements,
      bias == nil || bias?.count == filter.batch
    else { throw .malformed("a convolution's weights \(filter) do not fit its input \(input.shape)") }
    self.input = input
    self.output = output
    self.window = window
    self.activation = activation
    outputShape = try Shape([input.shape.batch, window.outputHeight, window.outputWidth, filter.batch])
    self.weights = PackedWeights(
      weights: weights, bias: bias, depth: filter.height * filter.width * filter.channels, channels: filter.batch,
      constants: &constants)
  }

  var reads: [Operand] { [input] }
  var scratchSize: Int { isPointwise ? 0 : columns * weights.depth }
  var cost: Int { outputShape.elements * weights.depth }

  private var isPointwise: Bool {
    window.kernelHeight == 1 && window.kernelWidth == 1 && window.strideHeight == 1 && window.strideWidth == 1
  }

  func run(in memory: Memory) {
    let source = memory.read(input)
    let target = memory.write(output)
    if isPointwise {
      // Few enough pixels that the activation finds them still in the cache.
      let pixels = outputShape.elements / outputShape.channels
      for first in stride(from: 0, to: pixels, by: 64) {
        finish(source + first * weights.depth, target + first * weights.channels, min(64, pixels - first), memory)
      }
      return
    }
    let imageSize = input.shape.height * input.shape.width * input.shape.channels
    memory.forEachPart(of: outputShape.batch * window.outputHeight) { rows, scratch in
      for row in rows {
        let image = source + row / window.outputHeight * imageSize
        for first in stride(from: 0, to: window.outputWidth, by: columns) {
          let part = first..<min(first + columns, window.outputWidth)
          gather(image, row % window.outputHeight, part, into: scratch)
          finish(scratch, target + (row * window.outputWidth + first) * weights.channels, part.count, memory)
        }
      }
    }
  }

  /// How many positions of a row are gathered at a time: whole tiles of the product, few enough to stay in the cache.
  private var columns: Int { min(window.outputWidth, max(1, 32_768 / weights.depth / 12) * 12) }

  private func finish(
    _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ rows: Int, _ memory: Memory
  ) {
    weights.multiply(source, rows: rows, into: target, memory: memory)
    activation.apply(to: target, count: rows * weights.channels, channels: weights.channels, memory: memory)
  }

  /// The window's numbers for some positions of output row `y`; zero outside the image.
  private func gather(
    _ image: UnsafePointer<Float>, _ y: Int, _ part: Range<Int>, into scratch: UnsafeMutablePointer<Float>
  ) {
    let channels = input.shape.channels
    scratch.update(repeating: 0, count: part.count * weights.depth)
    for kernelRow in window.kernelRows(at: y, height: input.shape.height) {
      let row = y * window.strideHeight - window.top + kernelRow * window.dilationHeight
      let line = image + row * input.shape.width * channels
      for x in part {
        let columns = window.kernelColumns(at: x, width: input.shape.width)
        let origin = x * window.strideWidth - window.left
        let target = scratch + (x - part.lowerBound) * weights.depth + kernelRow * window.kernelWidth * channels
        if window.dilationWidth == 1 {
          let first = line + (origin + columns.lowerBound) * channels
          (target + columns.lowerBound * channels).update(from: first, count: columns.count * channels)
        } else {
          for column in columns {
            let first = line + (origin + column * window.dilationWidth) * channels
            (target + column * channels).update(from: first, count: channels)
          }
        }
      }
    }
  }
}
