import Dispatch
import TFLite

/// Separates a person from the background with MediaPipe's selfie segmentation.
struct PersonSegmenter {
  static let inputSize = 256

  private let interpreter: Interpreter

  init() throws(PortraitError) {
    interpreter = try EmbeddedModel.selfieSegmentation.load()
    guard interpreter.outputShapes == [[1, 256, 256, 1]] else {
      throw .modelsUnusable("The segmentation network has another output than expected.")
    }
  }

  /// The network's output for each of two inputs, which it looks at at the same time.
  private func outputs(for inputs: [[Float]]) throws(PortraitError) -> [[Float]] {
    var results = [Result<[Float], PortraitError>](repeating: .success([]), count: 2)
    results.withUnsafeMutableBufferPointer { results in
      // Each iteration touches only the result of its own index.
      nonisolated(unsafe) let results = results
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        results[index] = Result { () throws(PortraitError) in try interpreter.outputs(for: inputs[index])[0] }
      }
    }
    return [try results[0].get(), try results[1].get()]
  }

  /// What the network sees in the square, mirrored and not: 0…1 on a grid of `size` over `square`.
  func mask(of square: CropSquare, in sampler: Sampler, size: Int) throws(PortraitError) -> Plane<Float> {
    try view(of: square, in: sampler, scale: 1, fades: false, size: size).plane
  }

  /// The mean over the square at several scales, and each of these views.
  ///
  /// The network's errors differ between views, so that the mean reduces them.
  func masks(
    of square: CropSquare, in sampler: Sampler, scales: [Double], size: Int
  ) throws(PortraitError) -> (mean: Plane<Float>, views: [Plane<Float>]) {
    var sum = WeightedSum(size: size)
    var views: [Plane<Float>] = []
    for scale in scales {
      views.append(sum.add(try view(of: square, in: sampler, scale: scale, fades: !views.isEmpty, size: size)))
    }
    return (sum.mean, views)
  }

  /// What the network sees in a square `scale` times as large.
  ///
  /// It was trained with people cut by the edge of a photo, and with photos of any shape squeezed to a square, but not with
  /// repeated edge pixels.
  private func view(
    of square: CropSquare, in sampler: Sampler, scale: Double, fades: Bool, size: Int
  ) throws(PortraitError) -> View {
    let field = CropRectangle(square.scaled(by: scale))
      .inside(width: Double(sampler.image.width), height: Double(sampler.image.height))
    let input = sampler.squeezed(field, size: Self.inputSize, outside: .nearest)
    let outputs = try outputs(for: [input, Self.mirrored(input, channels: 3)])
    let both = zip(outputs[0], Self.mirrored(outputs[1], channels: 1)).map { ($0 + $1) / 2 }
    let grid = Grid(
      size: size, scale: Point(x: field.width / square.side, y: field.height / square.side),
      middle: field.position(of: square.centre), fades: fades)
    return View(mask: Plane(width: Self.inputSize, height: Self.inputSize, values: both), grid: grid)
  }

  /// What the network saw in one view.
  struct View {
    let mask: Plane<Float>
    let grid: Grid

    /// It alone on the grid of the requested square; 0 beyond its edges.
    var plane: Plane<Float> {
      var sum = WeightedSum(size: grid.size)
      return sum.add(self)
    }
  }

  private static func mirrored(_ numbers: [Float], channels: Int) -> [Float] {
    var result = numbers
    for row in 0..<inputSize {
      for column in 0..<inputSize {
        let (from, to) = ((row * inputSize + column) * channels, ((row + 1) * inputSize - 1 - column) * channels)
        for channel in 0..<channels { result[to + channel] = numbers[from + channel] }
      }
    }
    return result
  }

  /// Maps positions of the requested square to a view.
  struct Grid {
    private typealias Tuning = MatteTuning.Segmenter

    let size: Int
    /// The sides of the view, across and down, in sides of the requested square.
    let scale: Point
    /// The centre of the requested square in the view.
    let middle: Point
    /// Whether the weight of the view decreases towards its edges.
    let fades: Bool

    func columns(of width: Int) -> [Line] { lines(around: middle.x, scale.x, length: width) }
    func rows(of height: Int) -> [Line] { lines(around: middle.y, scale.y, length: height) }

    typealias Line = (line: Interpolation, weight: Float)

    private func lines(around middle: Double, _ scale: Double, length: Int) -> [Line] {
      (0..<size).map { index in
        let position = ((Double(index) + 0.5) / Double(size) - 0.5) / scale + middle
        let at = position * Double(length) - 0.5
        let below = at.rounded(.down)
        let line = Interpolation(
          first: min(max(Int(below), 0), length - 1), second: min(max(Int(below) + 1, 0), length - 1),
          fraction: Float(at - below))
        return (line, weight(inside: min(position, 1 - position)))
      }
    }

    /// - Parameter inside: the distance from the view's edge, in sides of the view; negative beyond it.
    private func weight(inside: Double) -> Float {
      if inside < -Tuning.beyond.reach { return 0 }
      if inside <= 0 { return Tuning.beyond.weight }
      return fades ? max(Tuning.beyond.weight, Float(min(1, inside / Tuning.fade))) : 1
    }
  }

  /// The views on the grid, summed.
  private struct WeightedSum {
    private var sums: [Float]
    private var weights: [Float]
    private let size: Int

    init(size: Int) {
      self.size = size
      sums = [Float](repeating: 0, count: size * size)
      weights = sums
    }

    var mean: Plane<Float> {
      Plane(width: size, height: size, values: zip(sums, weights).map { $0 / max($1, 1e-6) })
    }

    /// - Returns: the view alone; 0 beyond its edges.
    mutating func add(_ view: View) -> Plane<Float> {
      let (mask, size) = (view.mask, size)
      let (columns, rows) = (view.grid.columns(of: mask.width), view.grid.rows(of: mask.height))
      var alone = Plane<Float>(width: size, height: size, repeating: 0)
      sums.withUnsafeMutableBufferPointer { sums in
        weights.withUnsafeMutableBufferPointer { weights in
          alone.values.withUnsafeMutableBufferPointer { alone in
            // Each part touches only the rows of its own.
            nonisolated(unsafe) let (sums, weights, alone) = (sums, weights, alone)
            Parallel.forEachPart(of: size) { part in
              var line = [Float](repeating: 0, count: mask.width)
              for y in part where rows[y].weight > 0 {
                mask.interpolate(rows[y].line, into: &line)
                for x in 0..<size {
                  let (index, weight) = (y * size + x, rows[y].weight * columns[x].weight)
                  let weighted = weight * columns[x].line.value(in: line)
                  sums[index] += weighted
                  weights[index] += weight
                  alone[index] = weighted / max(weight, 1e-6)
                }
              }
            }
          }
        }
      }
      return alone
    }
  }
}
