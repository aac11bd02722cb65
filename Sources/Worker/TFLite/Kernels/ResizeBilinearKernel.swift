/// `RESIZE_BILINEAR`.
struct ResizeBilinearKernel: Kernel {
  let input: Operand
  let output: Int
  let outputShape: Shape
  let rows: [Sample]
  let columns: [Sample]

  /// The two lines of the input between which a line of the output lies, and its distance from the first.
  struct Sample {
    let first: Int
    let second: Int
    let fraction: Float
  }

  init(
    input: Operand, height: Int, width: Int, alignCorners: Bool, halfPixelCentres: Bool, output: Int
  ) throws(ModelError) {
    self.input = input
    self.output = output
    outputShape = try Shape([input.shape.batch, height, width, input.shape.channels])
    rows = Self.samples(from: input.shape.height, to: height, alignCorners, halfPixelCentres)
    columns = Self.samples(from: input.shape.width, to: width, alignCorners, halfPixelCentres)
  }

  /// Source: `ComputeInterpolationValues` in TensorFlow Lite's resize_bilinear.
  private static func samples(
    from length: Int, to count: Int, _ alignCorners: Bool, _ halfPixelCentres: Bool
  ) -> [Sample] {
    let scale =
      alignCorners && count > 1 ? Float(length - 1) / Float(count - 1) : Float(length) / Float(count)
    return (0..<count).map { index in
      let position = halfPixelCentres ? (Float(index) + 0.5) * scale - 0.5 : Float(index) * scale
      let below = position.rounded(.down)
      let first = min(max(Int(below), 0), length - 1)
      let second = min(max(Int(below) + 1, 0), length - 1)
      return Sample(first: first, second: second, fraction: position - below)
    }
  }

  var reads: [Operand] { [input] }
  var cost: Int { outputShape.elements * 4 }

  func run(in memory: Memory) {
    let lineSize = columns.count * input.shape.channels
    memory.forEachPart(of: outputShape.batch * rows.count) { part, _ in
      for line in part {
        write(
          line, 0..<columns.count, to: memory.write(output) + line * lineSize, step: input.shape.channels, memory)
      }
    }
  }

  /// A part of one line of the result, counted through all pictures; its positions are `step` apart at the target.
  func write(
    _ line: Int, _ part: Range<Int>, to target: UnsafeMutablePointer<Float>, step: Int, _ memory: Memory
  ) {
    let lineSize = input.shape.width * input.shape.channels
    let row = rows[line % rows.count]
    let image = memory.read(input) + line / rows.count * input.shape.height * lineSize
    for x in part {
      blend(
        image + row.first * lineSize, image + row.second * lineSize, row.fraction, columns[x],
        target + (x - part.lowerBound) * step)
    }
  }

  @inline(__always)
  private func blend(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, _ down: Float, _ column: Sample,
    _ target: UnsafeMutablePointer<Float>
  ) {
    let channels = input.shape.channels
    let left = column.first * channels
    let right = column.second * channels
    let across = column.fraction
    var channel = 0
    while channel + 8 <= channels {
      let top = upper.vector(left + channel) * (1 - across) + upper.vector(right + channel) * across
      let bottom = lower.vector(left + channel) * (1 - across) + lower.vector(right + channel) * across
      target.store(top * (1 - down) + bottom * down, channel)
      channel += 8
    }
    while channel < channels {
      let top = upper[left + channel] * (1 - across) + upper[right + channel] * across
      let bottom = lower[left + channel] * (1 - across) + lower[right + channel] * across
      target[channel] = top * (1 - down) + bottom * down
      channel += 1
    }
  }
}
