/// Reads rotated squares out of a picture, as the numbers networks take.
struct Sampler {
  /// What lies beyond the picture's edges.
  enum Outside {
    case black
    /// The nearest pixel of the picture, so that a body cut by the edge goes on.
    case nearest
  }

  let image: PixelImage

  /// `size` × `size` × 3 numbers, 0…1 times `scale` plus `offset`, each the mean over the area it covers.
  func square(
    _ square: CropSquare, size: Int, outside: Outside, scale: Float = 1, offset: Float = 0
  ) -> [Float] {
    let step = square.side / Double(size)
    let samples = max(1, min(16, Int((step - 0.25).rounded(.up))))
    let (down, across) = square.directions
    let factor = scale / (255 * Float(samples * samples))
    var numbers = [Float](repeating: 0, count: size * size * 3)
    for row in 0..<size {
      for column in 0..<size {
        var sum = SIMD3<Float>.zero
        for index in 0..<samples * samples {
          let u = Double(column) + (Double(index % samples) + 0.5) / Double(samples) - Double(size) / 2
          let v = Double(row) + (Double(index / samples) + 0.5) / Double(samples) - Double(size) / 2
          let x = square.centre.x + step * (u * across.x + v * down.x)
          let y = square.centre.y + step * (u * across.y + v * down.y)
          sum += samples == 1 ? bilinear(x, y, outside) : nearest(x, y, outside)
        }
        let target = (row * size + column) * 3
        sum = sum * factor + offset
        numbers[target] = sum.x
        numbers[target + 1] = sum.y
        numbers[target + 2] = sum.z
      }
    }
    return numbers
  }

  private func nearest(_ x: Double, _ y: Double, _ outside: Outside) -> SIMD3<Float> {
    pixel(Int(x.rounded(.down)), Int(y.rounded(.down)), outside)
  }

  private func bilinear(_ x: Double, _ y: Double, _ outside: Outside) -> SIMD3<Float> {
    let left = (x - 0.5).rounded(.down)
    let top = (y - 0.5).rounded(.down)
    let across = Float(x - 0.5 - left)
    let down = Float(y - 0.5 - top)
    let (column, row) = (Int(left), Int(top))
    let upper =
      pixel(column, row, outside) * (1 - across) + pixel(column + 1, row, outside) * across
    let lower =
      pixel(column, row + 1, outside) * (1 - across) + pixel(column + 1, row + 1, outside) * across
    return upper * (1 - down) + lower * down
  }

  private func pixel(_ x: Int, _ y: Int, _ outside: Outside) -> SIMD3<Float> {
    if outside == .black, x < 0 || y < 0 || x >= image.width || y >= image.height { return .zero }
    let column = max(0, min(image.width - 1, x))
    let row = max(0, min(image.height - 1, y))
    let at = (row * image.width + column) * 3
    return SIMD3(Float(image.pixels[at]), Float(image.pixels[at + 1]), Float(image.pixels[at + 2]))
  }
}
