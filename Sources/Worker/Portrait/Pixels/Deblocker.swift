/// Softens the edges of the 8 × 8 blocks of a strongly compressed JPEG, which enlarging would make visible.
///
/// How strong they are, and where the blocks begin, is measured, so that a photo without blocks stays as it is, byte for
/// byte, and one that was turned or cut after its compression is treated like any other.
enum Deblocker {
  private typealias Tuning = PhotoTuning.Deblocker

  private static let blockSide = 8

  /// The lines of pixels, and where the pixels of a line are: across or down the picture.
  private struct Lines {
    var count: Int
    var length: Int
    /// The bytes from line to line, and from pixel to pixel.
    var lineStep: Int
    var pixelStep: Int

    /// Whether there are enough blocks to measure them.
    var isLongEnough: Bool { length >= 4 * blockSide && count >= 4 * blockSide }
  }

  static func deblocked(_ image: PixelImage) -> PixelImage {
    guard image.isWellFormed else { return image }
    var image = image
    for lines in lines(of: image) { soften(&image.pixels, lines) }
    return image
  }

  /// How much the blocks show, 0…1: sharpening would make them visible again.
  static func blockiness(of image: PixelImage) -> Float {
    guard image.isWellFormed else { return 0 }
    let steps = lines(of: image).compactMap { lines in
      lines.isLongEnough ? blockEdges(image.pixels, lines)?.step : nil
    }
    return min(1, (steps.max() ?? 0) / Tuning.strongStep)
  }

  /// Across and down.
  private static func lines(of image: PixelImage) -> [Lines] {
    let (width, height) = (image.width, image.height)
    return [
      Lines(count: height, length: width, lineStep: width * 3, pixelStep: 3),
      Lines(count: width, length: height, lineStep: 3, pixelStep: width * 3),
    ]
  }

  private static func soften(_ pixels: inout [UInt8], _ lines: Lines) {
    guard lines.isLongEnough, let edges = blockEdges(pixels, lines) else { return }
    let limit = min(Tuning.edge.most, Tuning.edge.constant + Tuning.edge.steps * edges.step)
    let first = edges.phase >= 4 ? edges.phase : edges.phase + blockSide
    for line in 0..<lines.count {
      for place in stride(from: first, to: lines.length - 4, by: blockSide) {
        soften(&pixels, at: line * lines.lineStep + place * lines.pixelStep, pixelStep: lines.pixelStep, limit: limit)
      }
    }
  }

  /// Distributes the step before the pixel at `at` over three pixels on either side, unless it is an edge of the scene.
  private static func soften(_ pixels: inout [UInt8], at: Int, pixelStep: Int, limit: Float) {
    func colour(_ offset: Int) -> Colour {
      let at = at + offset * pixelStep
      return Colour(Float(pixels[at]), Float(pixels[at + 1]), Float(pixels[at + 2]), 0)
    }
    let (before, after) = (colour(-1), colour(0))
    let (left, right) = (before - colour(-2), colour(1) - after)
    let slope = max(abs(left.luma), abs(right.luma))
    let step = abs((after - before).luma)
    let trust =
      max(0, min(1, Tuning.trust - step / limit)) * max(0, min(1, Tuning.trust - slope / Tuning.slope))
    guard trust > 0 else { return }
    let excess = (after - before - (left + right) * 0.5) * trust
    for (offset, part) in Tuning.moves.enumerated() {
      for (place, move) in [(offset, excess * -part), (-1 - offset, excess * part)] {
        let bytes = (colour(place) + move).roundedBytes
        for band in 0..<3 { pixels[at + place * pixelStep + band] = UInt8(truncatingIfNeeded: bytes[band]) }
      }
    }
  }

  /// The position of the blocks' edges, 0…7, and the mean step there; nil if they do not stand out.
  private static func blockEdges(_ pixels: [UInt8], _ lines: Lines) -> (phase: Int, step: Float)? {
    var sums = [Float](repeating: 0, count: blockSide)
    var counts = [Float](repeating: 0, count: blockSide)
    let smooth = Tuning.smooth
    for line in 0..<lines.count {
      func luma(_ place: Int) -> Float {
        let at = line * lines.lineStep + place * lines.pixelStep
        return Colour(Float(pixels[at]), Float(pixels[at + 1]), Float(pixels[at + 2]), 0).luma
      }
      var (first, second, third) = (luma(0), luma(1), luma(2))
      for place in 2..<lines.length - 1 {
        let fourth = luma(place + 1)
        let (left, step, right) = (second - first, third - second, fourth - third)
        // Only where the picture is smooth: edges of the scene say nothing.
        if abs(left) < smooth.beside, abs(right) < smooth.beside, abs(step) < smooth.step {
          sums[place % blockSide] += abs(step - (left + right) / 2)
          counts[place % blockSide] += 1
        }
        (first, second, third) = (second, third, fourth)
      }
    }
    let means = zip(sums, counts).map { $0 / max(1, $1) }
    guard let step = means.max(), let phase = means.firstIndex(of: step) else { return nil }
    let usual = means.sorted()[blockSide / 2 - 1]
    return step > Tuning.leastStep && step >= Tuning.leastBlockiness * usual ? (phase, step) : nil
  }
}
