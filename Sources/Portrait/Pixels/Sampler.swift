/// Reads rotated squares from a picture, as the input of the networks.
struct Sampler {
  /// The values beyond the picture's edges.
  enum Outside {
    case black
    /// The nearest pixel of the picture, so that a body cut by the edge continues.
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

/// Cuts a rotated square out of a picture with a cubic filter (Catmull-Rom).
///
/// Meant for scale factors near 1 and above; larger photos are scaled down before.
struct CropResampler {
  /// The filter's four weights for 64 places between two pixels.
  private static let weights: [SIMD4<Float>] = (0..<64).map { index in
    let t = (Float(index) + 0.5) / 64
    let first = ((-0.5 * t + 1) * t - 0.5) * t
    let second = (1.5 * t - 2.5) * t * t + 1
    let third = ((-1.5 * t + 2) * t + 0.5) * t
    return SIMD4(first, second, third, 1 - first - second - third)
  }

  /// `size` × `size` pixels; beyond the picture's edges, the nearest pixels are repeated.
  static func image(of square: CropSquare, in source: PixelImage, size: Int) -> PixelImage {
    var pixels = [UInt8](repeating: 0, count: size * size * 3)
    let (down, across) = square.directions
    let step = square.side / Double(size)
    let origin = square.point(0.5 / Double(size), 0.5 / Double(size))
    for row in 0..<size {
      let startX = origin.x - 0.5 + Double(row) * step * down.x
      let startY = origin.y - 0.5 + Double(row) * step * down.y
      for column in 0..<size {
        let x = startX + Double(column) * step * across.x
        let y = startY + Double(column) * step * across.y
        let colour = sample(source, x, y)
        let at = (row * size + column) * 3
        pixels[at] = UInt8(colour.x)
        pixels[at + 1] = UInt8(colour.y)
        pixels[at + 2] = UInt8(colour.z)
      }
    }
    return PixelImage(width: size, height: size, pixels: pixels)
  }

  @inline(__always)
  private static func sample(_ source: PixelImage, _ x: Double, _ y: Double) -> Colour {
    let left = x.rounded(.down)
    let top = y.rounded(.down)
    let horizontal = weights[Int((x - left) * 64) & 63]
    let vertical = weights[Int((y - top) * 64) & 63]
    let (column, line) = (Int(left), Int(top))
    var sum = Colour.zero
    if column >= 1, line >= 1, column + 2 < source.width, line + 2 < source.height {
      for dy in 0..<4 {
        let at = ((line + dy - 1) * source.width + column - 1) * 3
        sum += row(source.pixels, at, at + 3, at + 6, at + 9, horizontal) * vertical[dy]
      }
    } else {
      for dy in 0..<4 {
        let start = max(0, min(source.height - 1, line + dy - 1)) * source.width
        func place(_ dx: Int) -> Int { (start + max(0, min(source.width - 1, column + dx))) * 3 }
        sum += row(source.pixels, place(-1), place(0), place(1), place(2), horizontal) * vertical[dy]
      }
    }
    return (sum + 0.5).clamped(lowerBound: .zero, upperBound: Colour(repeating: 255))
  }

  @inline(__always)
  private static func row(
    _ pixels: [UInt8], _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ weights: SIMD4<Float>
  ) -> Colour {
    colour(pixels, a) * weights.x + colour(pixels, b) * weights.y + colour(pixels, c) * weights.z
      + colour(pixels, d) * weights.w
  }

  @inline(__always)
  private static func colour(_ pixels: [UInt8], _ at: Int) -> Colour {
    Colour(Float(pixels[at]), Float(pixels[at + 1]), Float(pixels[at + 2]), 0)
  }
}
