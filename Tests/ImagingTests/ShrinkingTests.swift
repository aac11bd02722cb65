import Support
import Testing

@testable import atelier_imaging

@Suite("Shrinking by a whole factor", .serialized)
struct ShrinkingTests {
  init() { _ = Pixels.started }

  /// The rounded means of the columns' rounded means; beyond its edges, the picture's last pixels are repeated.
  private static func means(_ pixels: [UInt8], _ width: Int, _ height: Int, by factor: Int) -> [UInt8] {
    let (columns, rows) = ((2 * width + factor) / (2 * factor), (2 * height + factor) / (2 * factor))
    func mean(_ numbers: [Int]) -> Int { (numbers.reduce(0, +) + factor / 2) / factor }
    var result: [UInt8] = []
    for row in 0..<rows {
      for column in 0..<columns {
        for band in 0..<3 {
          let across = (0..<factor).map { x in
            mean(
              (0..<factor).map { y in
                let at = min(height - 1, row * factor + y) * width + min(width - 1, column * factor + x)
                return Int(pixels[at * 3 + band])
              })
          }
          result.append(UInt8(mean(across)))
        }
      }
    }
    return result
  }

  @Test("Each pixel of a shrunk picture is the rounded mean of its square", arguments: 0..<24 as Range<UInt64>)
  func means(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let factor = [2, 3, 4, 5, 7, 12][Int(seed) % 6]
    let (width, height) = (Int.random(in: factor...70, using: &random), Int.random(in: factor...70, using: &random))
    let pixels = (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
    let image = try VipsImage.rgb(pixels, width: width, height: height).inMemory()
    let shrunk = try image.shrunk(by: factor).pixels()
    #expect(shrunk == Self.means(pixels, width, height, by: factor), "\(width) × \(height) by \(factor), seed \(seed)")
  }
}
