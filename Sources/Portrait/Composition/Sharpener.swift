/// The last step: unsharp masking of the brightness only, so that edges get no coloured rims; then grain, then bytes.
struct Sharpener {
  /// How much of the fine detail is added once more.
  var amount: Float = 0.45
  /// The most a pixel may change, of 255; keeps hard edges from ringing.
  var limit: Float = 10
  /// The amplitude of the background's grain, of 255. It hides the steps of 8 bits in smooth backdrops, so it is added
  /// after sharpening, which would amplify it.
  var grain: Float = 1.2

  /// - Parameter picture: 0…1 gamma-coded; the fourth number is the part of the background, which gets the grain.
  func finished(_ picture: Plane<Colour>) -> PixelImage {
    let (width, height) = (picture.width, picture.height)
    let luma = picture.values.map { $0.luma * 255 }
    var blurred = [Float](repeating: 0, count: width)
    var row = [Float](repeating: 0, count: width + 4)
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 3) { target, count in
      for y in 0..<height {
        Self.blur(luma, row: y, width, height, &row, into: &blurred)
        for x in 0..<width {
          let index = y * width + x
          let change = max(-limit, min(limit, (luma[index] - blurred[x]) * amount))
          let colour = picture.values[index]
          let noise = colour.w > 0 ? Noise.triangle(x, y) * grain * colour.w : 0
          target.store((colour * 255 + (change + noise)).roundedBytes, pixel: index)
        }
      }
      count = width * height * 3
    }
    return PixelImage(width: width, height: height, pixels: pixels)
  }

  /// A row of the picture blurred by the binomial filter 1 4 6 4 1 in both directions; edges are repeated.
  private static func blur(
    _ luma: [Float], row y: Int, _ width: Int, _ height: Int, _ row: inout [Float], into blurred: inout [Float]
  ) {
    func line(_ offset: Int) -> Int { max(0, min(height - 1, y + offset)) * width }
    let (a, b, c, d, e) = (line(-2), line(-1), line(0), line(1), line(2))
    // Each line begins with `width` numbers inside the picture, and `row` has two more on either side.
    luma.withUnsafeBufferPointer { luma in
      row.withUnsafeMutableBufferPointer { row in
        for x in 0..<width {
          let near = luma[b &+ x] + luma[d &+ x]
          row[x &+ 2] = (luma[a &+ x] + luma[e &+ x] + 4 * near + 6 * luma[c &+ x]) / 16
        }
        (row[0], row[1], row[width + 2], row[width + 3]) = (row[2], row[2], row[width + 1], row[width + 1])
        blurred.withUnsafeMutableBufferPointer { blurred in
          for x in 0..<width {
            let near = row[x &+ 1] + row[x &+ 3]
            blurred[x] = (row[x] + row[x &+ 4] + 4 * near + 6 * row[x &+ 2]) / 16
          }
        }
      }
    }
  }
}
