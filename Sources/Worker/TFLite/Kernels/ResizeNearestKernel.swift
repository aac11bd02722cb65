/// `RESIZE_NEAREST_NEIGHBOR`.
struct ResizeNearestKernel: Kernel {
  let input: Operand
  let output: Int
  let outputShape: Shape
  /// For each line of the result, the line of the input that it repeats.
  private let rows: [Int]
  private let columns: [Int]

  init(
    input: Operand, height: Int, width: Int, alignCorners: Bool, halfPixelCentres: Bool, output: Int
  ) throws(ModelError) {
    self.input = input
    self.output = output
    outputShape = try Shape([input.shape.batch, height, width, input.shape.channels])
    rows = Self.lines(of: input.shape.height, for: height, alignCorners, halfPixelCentres)
    columns = Self.lines(of: input.shape.width, for: width, alignCorners, halfPixelCentres)
  }

  /// Source: `GetNearestNeighbor` in TensorFlow Lite's reference kernels.
  private static func lines(of length: Int, for count: Int, _ alignCorners: Bool, _ halfPixelCentres: Bool) -> [Int] {
    let scale = alignCorners && count > 1 ? Float(length - 1) / Float(count - 1) : Float(length) / Float(count)
    return (0..<count).map { index in
      let position = (Float(index) + (halfPixelCentres ? 0.5 : 0)) * scale
      return min(max(0, Int(alignCorners ? position.rounded() : position.rounded(.down))), length - 1)
    }
  }

  var reads: [Operand] { [input] }

  func run(in memory: Memory) {
    let channels = input.shape.channels
    var target = memory.write(output)
    for image in 0..<outputShape.batch {
      for row in rows {
        let line = memory.read(input) + (image * input.shape.height + row) * input.shape.width * channels
        for column in columns {
          target.update(from: line + column * channels, count: channels)
          target += channels
        }
      }
    }
  }
}
