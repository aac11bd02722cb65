/// Reads rotated squares and rectangles from a picture, as the input of the networks.
struct Sampler {
  /// The values beyond the picture's edges.
  enum Outside {
    case black
    /// The nearest pixel of the picture, so that a body cut by the edge continues.
    case nearest
  }

  /// The binary digits after the point of positions.
  private static let fraction = 16
  /// The most pixels of a level from one number to the next; more would alias.
  private static let maximumStep = 1.5

  /// The picture, then each half as large as the one before: a mip map.
  private let levels: [PixelImage]

  var image: PixelImage { levels[0] }

  init(image: PixelImage) {
    var levels = [image]
    // The smallest input of a network has 128 pixels.
    while let last = levels.last, min(last.width, last.height) >= 256 { levels.append(last.halved()) }
    self.levels = levels
  }

  /// `size` × `size` × 3 numbers, 0…1 times `scale` plus `offset`, interpolated between pixels of the fitting level.
  func square(
    _ square: CropSquare, size: Int, outside: Outside, scale: Float = 1, offset: Float = 0
  ) -> [Float] {
    squeezed(CropRectangle(square), size: size, outside: outside, scale: scale, offset: offset)
  }

  /// The same of a rectangle, squeezed to a square.
  func squeezed(
    _ rectangle: CropRectangle, size: Int, outside: Outside, scale: Float = 1, offset: Float = 0
  ) -> [Float] {
    var shrink = 1.0
    var level = 0
    let longest = max(rectangle.width, rectangle.height) / Double(size)
    while longest / shrink > Self.maximumStep, level + 1 < levels.count {
      shrink *= 2
      level += 1
    }
    let (down, across) = rectangle.directions
    let step = (across: rectangle.width / Double(size) / shrink, down: rectangle.height / Double(size) / shrink)
    let first = rectangle.point(0.5 / Double(size), 0.5 / Double(size))
    func fixed(_ number: Double) -> Int { Int((number * Double(1 << Self.fraction)).rounded()) }
    let origin = (x: fixed(first.x / shrink - 0.5), y: fixed(first.y / shrink - 0.5))
    let right = (x: fixed(step.across * across.x), y: fixed(step.across * across.y))
    let below = (x: fixed(step.down * down.x), y: fixed(step.down * down.y))
    let source = levels[level]
    return source.pixels.withUnsafeBufferPointer { pixels in
      let reader = Reader(pixels: pixels, width: source.width, height: source.height, outside: outside)
      return [Float](unsafeUninitializedCapacity: size * size * 3) { numbers, count in
        for row in 0..<size {
          var (x, y) = (origin.x + row * below.x, origin.y + row * below.y)
          for column in 0..<size {
            let value = reader.colour(x, y, fraction: Self.fraction) * (scale / 255) + offset
            let target = (row &* size &+ column) &* 3
            numbers[target] = value.x
            numbers[target &+ 1] = value.y
            numbers[target &+ 2] = value.z
            x = x &+ right.x
            y = y &+ right.y
          }
        }
        count = size * size * 3
      }
    }
  }

  private struct Reader {
    /// `width * height * 3` of them; no other index than one from clamped positions is read.
    let pixels: UnsafeBufferPointer<UInt8>
    let width: Int
    let height: Int
    let outside: Outside

    /// The colour between four pixels, 0…255.
    @inline(__always)
    func colour(_ x: Int, _ y: Int, fraction: Int) -> Colour {
      let mask = (1 << fraction) - 1
      let (across, down) = (Float(x & mask) / Float(1 << fraction), Float(y & mask) / Float(1 << fraction))
      let (column, row) = (x >> fraction, y >> fraction)
      let upper = pixel(column, row) * (1 - across) + pixel(column &+ 1, row) * across
      let lower = pixel(column, row &+ 1) * (1 - across) + pixel(column &+ 1, row &+ 1) * across
      return upper * (1 - down) + lower * down
    }

    @inline(__always)
    private func pixel(_ x: Int, _ y: Int) -> Colour {
      let column = max(0, min(width &- 1, x))
      let row = max(0, min(height &- 1, y))
      if outside == .black, column != x || row != y { return .zero }
      let at = (row &* width &+ column) &* 3
      return Colour(Float(pixels[at]), Float(pixels[at &+ 1]), Float(pixels[at &+ 2]), 0)
    }
  }
}

extension PixelImage {
  /// Half the size; each pixel is the rounded mean of four. Odd sides lose their last line.
  func halved() -> PixelImage {
    let (halfWidth, halfHeight) = (max(1, width / 2), max(1, height / 2))
    guard width > 1, height > 1 else { return self }
    let half = pixels.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: halfWidth * halfHeight * 3) { target, count in
        for y in 0..<halfHeight {
          // Two rows and two columns of the picture for each of the result, because its sides are rounded down.
          var upper = 2 * y * width * 3
          var place = y * halfWidth * 3
          for _ in 0..<halfWidth {
            let lower = upper &+ width &* 3
            for band in 0..<3 {
              let above = UInt16(source[upper &+ band]) &+ UInt16(source[upper &+ 3 &+ band])
              let below = UInt16(source[lower &+ band]) &+ UInt16(source[lower &+ 3 &+ band])
              target[place &+ band] = UInt8(truncatingIfNeeded: (above &+ below &+ 2) >> 2)
            }
            upper &+= 6
            place &+= 3
          }
        }
        count = halfWidth * halfHeight * 3
      }
    }
    return PixelImage(width: halfWidth, height: halfHeight, pixels: half)
  }
}
