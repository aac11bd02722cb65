import CMatrixProduct

/// `TRANSPOSE_CONV`, and MediaPipe's `Convolution2DTransposeBias`: each input pixel is spread over a window of the output.
///
/// Source: mediapipe/util/tflite/operations/transpose_conv_bias.cc
struct TransposeConvolutionKernel: ActivatedKernel {
  let input: Operand
  var output: Int
  let outputShape: Shape
  let filter: Shape
  let stride: (height: Int, width: Int)
  let top: Int
  let left: Int
  let weights: Int
  let bias: Int
  var activation: Activation

  /// - Parameter filter: the weights' shape: output channels, height, width, input channels.
  init(
    input: Operand, filter: Shape, weights: [Float], bias: [Float], stride: (height: Int, width: Int),
    padding: Window.Padding, activation: Activation = .none, output: Int, constants: inout [Float]
  ) throws(ModelError) {
    guard filter.axes.count == 4, filter.channels == input.shape.channels, weights.count == filter.elements,
      bias.count == filter.batch
    else { throw .malformed("a transpose convolution's weights \(filter) do not fit its input \(input.shape)") }
    guard (1...64).contains(stride.height), (1...64).contains(stride.width) else {
      throw .malformed("a transpose convolution's stride is \(stride)")
    }
    self.input = input
    self.output = output
    self.filter = filter
    self.stride = stride
    self.activation = activation
    let overlapHeight = filter.height - stride.height
    let overlapWidth = filter.width - stride.width
    switch padding {
    case .same:
      outputShape = try Shape([
        input.shape.batch, input.shape.height * stride.height, input.shape.width * stride.width, filter.batch,
      ])
      top = max(0, overlapHeight) / 2
      left = max(0, overlapWidth) / 2
    case .valid:
      outputShape = try Shape([
        input.shape.batch, input.shape.height * stride.height + max(0, overlapHeight),
        input.shape.width * stride.width + max(0, overlapWidth), filter.batch,
      ])
      top = 0
      left = 0
    }
    self.weights = constants.count
    constants += weights
    self.bias = constants.count
    constants += bias
  }

  var reads: [Operand] { [input] }
  /// Eight pixels, their channels apart, and a number of each.
  var scratchSize: Int { input.shape.width < 8 ? 0 : 8 * (input.shape.channels + 1) }
  var cost: Int { input.shape.elements * (filter.elements / filter.channels) }

  func run(in memory: Memory) {
    let target = memory.write(output)
    let channels = outputShape.channels
    let bias = memory.constants + self.bias
    for start in Swift.stride(from: 0, to: outputShape.elements, by: channels) {
      (target + start).update(from: bias, count: channels)
    }
    let inputSize = input.shape.height * input.shape.width * input.shape.channels
    let outputSize = outputShape.height * outputShape.width * channels
    for image in 0..<input.shape.batch {
      for y in 0..<input.shape.height {
        let line = memory.read(input) + image * inputSize + y * input.shape.width * input.shape.channels
        let (top, target) = (y * stride.height - top, target + image * outputSize)
        for x in Swift.stride(from: 0, to: input.shape.width, by: 8) {
          let pixels = line + x * input.shape.channels
          if x + 8 <= input.shape.width {
            spreadEight(pixels, top, x, target, memory)
          } else {
            for x in x..<input.shape.width {
              spread(line + x * input.shape.channels, top, x * stride.width - left, target, memory)
            }
          }
        }
      }
    }
    activation.apply(to: target, count: outputShape.elements, channels: channels, memory: memory)
  }

  /// Eight pixels from column `x` on, which follow each other. Of the numbers that a place of the result receives, those of
  /// pixels further left come first, as if each pixel were spread alone: hence the order of the window's columns.
  private func spreadEight(
    _ pixels: UnsafePointer<Float>, _ top: Int, _ x: Int, _ image: UnsafeMutablePointer<Float>, _ memory: Memory
  ) {
    let depth = filter.channels
    let (columns, sums) = (memory.scratch, memory.scratch + 8 * depth)
    transpose_rows(pixels, depth, columns)
    for row in 0..<filter.height where top + row >= 0 && top + row < outputShape.height {
      let line = image + (top + row) * outputShape.width * outputShape.channels
      for column in (0..<filter.width).reversed() {
        for channel in 0..<filter.batch {
          let place = (channel * filter.height + row) * filter.width + column
          row_sums(columns, memory.constants + weights + place * depth, depth, sums)
          for pixel in 0..<8 {
            let place = (x + pixel) * stride.width - left + column
            if place >= 0, place < outputShape.width { line[place * outputShape.channels + channel] += sums[pixel] }
          }
        }
      }
    }
  }

  @inline(__always)
  private func spread(
    _ pixel: UnsafePointer<Float>, _ top: Int, _ left: Int, _ image: UnsafeMutablePointer<Float>, _ memory: Memory
  ) {
    let depth = filter.channels
    for row in 0..<filter.height where top + row >= 0 && top + row < outputShape.height {
      for column in 0..<filter.width where left + column >= 0 && left + column < outputShape.width {
        let target = image + ((top + row) * outputShape.width + left + column) * outputShape.channels
        for channel in 0..<filter.batch {
          let weights =
            memory.constants + self.weights + ((channel * filter.height + row) * filter.width + column) * depth
          var sum = Vector.zero
          var rest: Float = 0
          var index = 0
          while index + 8 <= depth {
            sum += pixel.vector(index) * weights.vector(index)
            index += 8
          }
          while index < depth {
            rest += pixel[index] * weights[index]
            index += 1
          }
          target[channel] += sum.sum() + rest
        }
      }
    }
  }
}
