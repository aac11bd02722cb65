/// `AVERAGE_POOL_2D`, `MAX_POOL_2D` and, as an average over everything, `MEAN` of height and width.
///
/// Positions outside the image are ignored; they do not count as zero.
struct PoolingKernel: ActivatedKernel {
  enum Operation {
    case average
    case maximum
  }

  let operation: Operation
  let input: Operand
  var output: Int
  let outputShape: Shape
  let window: Window
  var activation: Activation

  init(
    _ operation: Operation, input: Operand, window: Window, output: Int, activation: Activation
  ) throws(ModelError) {
    self.operation = operation
    self.input = input
    self.output = output
    self.window = window
    self.activation = activation
    outputShape = try Shape([input.shape.batch, window.outputHeight, window.outputWidth, input.shape.channels])
  }

  var reads: [Operand] { [input] }
  var cost: Int { outputShape.elements * window.kernelHeight * window.kernelWidth }

  func run(in memory: Memory) {
    let channels = input.shape.channels
    let imageSize = input.shape.height * input.shape.width * channels
    for row in 0..<outputShape.batch * window.outputHeight {
      let image = memory.read(input) + row / window.outputHeight * imageSize
      let y = row % window.outputHeight
      for x in 0..<window.outputWidth {
        pool(image, y, x, memory.write(output) + (row * window.outputWidth + x) * channels)
      }
    }
    activation.apply(
      to: memory.write(output), count: outputShape.elements, channels: channels, memory: memory)
  }

  private func pool(_ image: UnsafePointer<Float>, _ y: Int, _ x: Int, _ target: UnsafeMutablePointer<Float>) {
    let channels = input.shape.channels
    let rows = window.kernelRows(at: y, height: input.shape.height)
    let columns = window.kernelColumns(at: x, width: input.shape.width)
    let start: Float = operation == .average ? 0 : -.greatestFiniteMagnitude
    target.update(repeating: start, count: channels)
    for row in rows {
      for column in columns {
        let line = y * window.strideHeight - window.top + row
        let pixel = image + (line * input.shape.width + x * window.strideWidth - window.left + column) * channels
        switch operation {
        case .average: for channel in 0..<channels { target[channel] += pixel[channel] }
        case .maximum: for channel in 0..<channels { target[channel] = max(target[channel], pixel[channel]) }
        }
      }
    }
    guard operation == .average else { return }
    let factor = 1 / Float(max(1, rows.count * columns.count))
    for channel in 0..<channels { target[channel] *= factor }
  }
}
