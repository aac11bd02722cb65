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
  func mask(of square: CropSquare, in sampler: Sampler, mirrored: Bool = false) throws(PortraitError) -> Plane<Float> {
    let size = Self.inputSize
    let input = sampler.square(square, size: size, outside: .nearest, mirrored: mirrored)
    var mask = try interpreter.outputs(for: input)[0]
    if mirrored {
      for row in 0..<size { mask[row * size..<(row + 1) * size].reverse() }
    }
    return Plane(width: size, height: size, values: mask)
  }

  /// The mean over several views, mirrored and not, each weighted; 0…1 on a grid of `size` over `square`.
  ///
  /// The network's mistakes differ from view to view, the person does not.
  func mask(
    of square: CropSquare, in sampler: Sampler, views: [(scale: Double, weight: Float)], size: Int
  ) throws(PortraitError) -> Plane<Float> {
    var sum = [Float](repeating: 0, count: size * size)
    var total: Float = 0
    for view in views {
      let field = square.scaled(by: view.scale)
      for mirrored in [false, true] {
        let mask = try mask(of: field, in: sampler, mirrored: mirrored)
        Self.add(mask, scale: view.scale, weight: view.weight, to: &sum, size: size)
        total += view.weight
      }
    }
    return Plane(width: size, height: size, values: sum.map { $0 / total })
  }

  /// Adds the middle part of `mask`, whose field is `scale` times as large as the grid's.
  private static func add(_ mask: Plane<Float>, scale: Double, weight: Float, to sum: inout [Float], size: Int) {
    let lines = (0..<size).map { index -> Interpolation in
      let position = ((Double(index) + 0.5) / Double(size) - 0.5) / scale + 0.5
      let at = position * Double(mask.width) - 0.5
      let below = at.rounded(.down)
      return Interpolation(
        first: min(max(Int(below), 0), mask.width - 1), second: min(max(Int(below) + 1, 0), mask.width - 1),
        fraction: Float(at - below))
    }
    for y in 0..<size {
      let row = lines[y]
      let upper = row.first * mask.width
      let lower = row.second * mask.width
      for x in 0..<size {
        let column = lines[x]
        let top = mask.values[upper + column.first] * (1 - column.fraction)
          + mask.values[upper + column.second] * column.fraction
        let bottom = mask.values[lower + column.first] * (1 - column.fraction)
          + mask.values[lower + column.second] * column.fraction
        sum[y * size + x] += weight * (top * (1 - row.fraction) + bottom * row.fraction)
      }
    }
  }
}
