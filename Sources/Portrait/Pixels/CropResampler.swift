/// Cuts a rotated square out of a picture with a cubic filter (Catmull-Rom).
///
/// Meant for factors near 1 and above; the plan scales larger photos down before.
struct CropResampler {
  /// The filter's four weights for 64 places between two pixels.
  private static let weights: [SIMD4<Float>] = (0..<64).map { index in
    let t = (Float(index) + 0.5) / 64
    let first = ((-0.5 * t + 1) * t - 0.5) * t
    let second = (1.5 * t - 2.5) * t * t + 1
    let third = ((-1.5 * t + 2) * t + 0.5) * t
    return SIMD4(first, second, third, 1 - first - second - third)
  }

  /// `size` × `size` pixels; beyond the picture's edges the nearest pixels go on.
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
