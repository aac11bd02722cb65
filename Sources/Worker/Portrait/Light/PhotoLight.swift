import Glibc

/// The brightness and colour cast of a photo, measured over all of it.
public struct PhotoLight: Sendable, Equatable {
  private typealias Tuning = LightTuning.Photo

  /// The brightness, 0…1 gamma-coded, that half of the pixels stay below.
  var median: Double
  /// The brightness that 97 % of the pixels stay below.
  var bright: Double
  /// The mean of red, green and blue over nearly grey pixels, each divided by their common mean; 1, 1, 1 is neutral.
  var cast: SIMD3<Double>

  /// Light that needs no correction.
  public static let neutral = PhotoLight(median: 0.46, bright: 0.92, cast: SIMD3(1, 1, 1))

  init(median: Double, bright: Double, cast: SIMD3<Double>) {
    self.median = median
    self.bright = bright
    self.cast = cast
  }

  init(measuring image: PixelImage) {
    var histogram = [Int](repeating: 0, count: 256)
    var sum = SIMD3<Double>(repeating: 0)
    var weight = 0.0
    let count = image.width * image.height
    let step = max(1, count / Tuning.samples)
    var total = 0
    for index in stride(from: 0, to: count, by: step) {
      let at = index * 3
      let colour = SIMD3(Double(image.pixels[at]), Double(image.pixels[at + 1]), Double(image.pixels[at + 2])) / 255
      let luma = (colour * SIMD3(0.2126, 0.7152, 0.0722)).sum()
      histogram[min(255, Int(luma * 255))] += 1
      total += 1
      let spread = colour.max() - colour.min()
      // Clipped and black pixels tell nothing, strong colours are the things' own.
      guard luma > Tuning.grey.from, luma < Tuning.grey.to else { continue }
      let trust = max(0, 1 - spread / (Tuning.spread.part * luma + Tuning.spread.constant))
      sum += colour * trust / luma
      weight += trust
    }
    func level(below part: Double) -> Double {
      var seen = 0
      for (value, number) in histogram.enumerated() {
        seen += number
        if Double(seen) >= part * Double(total) { return Double(value) / 255 }
      }
      return 1
    }
    median = level(below: Tuning.parts.median)
    bright = level(below: Tuning.parts.bright)
    let mean = sum.sum() / 3
    // Too few grey pixels are no ground for a judgement.
    cast = weight > Double(total) * Tuning.leastGrey && mean > 0 ? sum / mean : SIMD3(1, 1, 1)
  }
}
