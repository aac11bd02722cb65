import TFLite

/// Tells a person from the background with MediaPipe's selfie segmentation.
struct PersonSegmenter {
  static let inputSize = 256

  private let interpreter: Interpreter

  init() throws(PortraitError) {
    interpreter = try EmbeddedModel.selfieSegmentation.load()
    guard interpreter.outputShapes == [[1, 256, 256, 1]] else {
      throw .modelsUnusable("The segmentation network has another output than expected.")
    }
  }

  /// 0…1 for each of 256 × 256 places of a square of the picture.
  func mask(of square: CropSquare, in sampler: Sampler) throws(PortraitError) -> Plane<Float> {
    try mask(of: sampler.square(square, size: Self.inputSize, outside: .nearest))
  }

  private func mask(of input: [Float]) throws(PortraitError) -> Plane<Float> {
    Plane(width: Self.inputSize, height: Self.inputSize, values: try interpreter.outputs(for: input)[0])
  }

  /// The mean over several views, mirrored and not, each weighted; 0…1 on a grid of `size` over `square`.
  ///
  /// The network's mistakes differ from view to view, the person does not.
  func mask(
    of square: CropSquare, in sampler: Sampler, views: [(scale: Double, weight: Float)], size: Int
  ) throws(PortraitError) -> Plane<Float> {
    var sum = [Float](repeating: 0, count: size * size)
    var weights = sum
    for view in views {
      let field = square.scaled(by: view.scale)
      let input = sampler.square(field, size: Self.inputSize, outside: .nearest)
      let seen = try mask(of: input)
      let mirrored = try mask(of: Self.mirrored(input, channels: 3))
      let both = zip(seen.values, Self.mirrored(mirrored.values, channels: 1)).map { ($0 + $1) / 2 }
      let mask = Plane(width: Self.inputSize, height: Self.inputSize, values: both)
      Self.add(mask, scale: view.scale, weight: view.weight, to: &sum, &weights, size: size)
    }
    return Plane(width: size, height: size, values: zip(sum, weights).map { $0 / max($1, 1e-6) })
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

  /// Adds what `mask` knows of the grid; its field is `scale` times as large, around the same middle.
  private static func add(
    _ mask: Plane<Float>, scale: Double, weight: Float, to sum: inout [Float], _ weights: inout [Float], size: Int
  ) {
    let lines = (0..<size).map { index -> (line: Interpolation, weight: Float) in
      let position = ((Double(index) + 0.5) / Double(size) - 0.5) / scale + 0.5
      let at = position * Double(mask.width) - 0.5
      let below = at.rounded(.down)
      let line = Interpolation(
        first: min(max(Int(below), 0), mask.width - 1), second: min(max(Int(below) + 1, 0), mask.width - 1),
        fraction: Float(at - below))
      // A view knows nothing beyond its edge, and little beside it.
      let inside = min(position, 1 - position) / 0.08
      return (line, scale < 1 ? Float(min(1, max(0, inside))) : 1)
    }
    for y in 0..<size where lines[y].weight > 0 {
      let row = lines[y].line
      let upper = row.first * mask.width
      let lower = row.second * mask.width
      for x in 0..<size where lines[x].weight > 0 {
        let column = lines[x].line
        let top =
          mask.values[upper + column.first] * (1 - column.fraction)
          + mask.values[upper + column.second] * column.fraction
        let bottom =
          mask.values[lower + column.first] * (1 - column.fraction)
          + mask.values[lower + column.second] * column.fraction
        let own = weight * lines[y].weight * lines[x].weight
        sum[y * size + x] += own * (top * (1 - row.fraction) + bottom * row.fraction)
        weights[y * size + x] += own
      }
    }
  }
}
