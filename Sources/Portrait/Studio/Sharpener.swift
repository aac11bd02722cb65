/// Unsharp masking of brightness alone, so that colours get no rims.
enum Sharpener {
  /// - Parameters:
  ///   - amount: how much of the fine detail is added once more.
  ///   - limit: the most a pixel may change, of 255; keeps hard edges from ringing.
  static func sharpened(_ image: PixelImage, amount: Float, limit: Float) -> PixelImage {
    let (width, height) = (image.width, image.height)
    guard width > 4, height > 4 else { return image }
    var luma = [Float](repeating: 0, count: width * height)
    for index in luma.indices {
      let at = index * 3
      luma[index] =
        Float(image.pixels[at]) * 0.2126 + Float(image.pixels[at + 1]) * 0.7152 + Float(image.pixels[at + 2]) * 0.0722
    }
    var result = image
    var row = [Float](repeating: 0, count: width)
    for y in 0..<height {
      let lines = (-2...2).map { max(0, min(height - 1, y + $0)) * width }
      for x in 0..<width {
        let outer = luma[lines[0] + x] + luma[lines[4] + x]
        row[x] = (outer + 4 * (luma[lines[1] + x] + luma[lines[3] + x]) + 6 * luma[lines[2] + x]) / 16
      }
      for x in 0..<width {
        let (a, b, d, e) = (max(0, x - 2), max(0, x - 1), min(width - 1, x + 1), min(width - 1, x + 2))
        let blurred = (row[a] + row[e] + 4 * (row[b] + row[d]) + 6 * row[x]) / 16
        let detail = (luma[y * width + x] - blurred) * amount
        let change = max(-limit, min(limit, detail))
        let at = (y * width + x) * 3
        for channel in 0..<3 {
          result.pixels[at + channel] = UInt8(max(0, min(255, Float(image.pixels[at + channel]) + change + 0.5)))
        }
      }
    }
    return result
  }
}
