import Portrait
import Support
import Testing

@testable import atelier_imaging

@Suite("Where a part of the upright picture is stored")
struct StoredAreaTests {
  @Test("a stored area is the same as asking for each pixel", arguments: 1...8, 0..<20 as Range<UInt64>)
  func pixelByPixel(orientation: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (storedWidth, storedHeight) = (Int.random(in: 1...9, using: &random), Int.random(in: 1...9, using: &random))
    let (width, height) = orientation >= 5 ? (storedHeight, storedWidth) : (storedWidth, storedHeight)
    let x = Int.random(in: 0..<width, using: &random)
    let y = Int.random(in: 0..<height, using: &random)
    let region = PixelRectangle(
      x: x, y: y, width: Int.random(in: 1...(width - x), using: &random),
      height: Int.random(in: 1...(height - y), using: &random))
    let area = StoredArea(of: region, orientation: orientation, storedWidth: storedWidth, storedHeight: storedHeight)
    #expect(area.width * area.height == region.width * region.height, "seed \(seed)")
    for row in region.y..<(region.y + region.height) {
      for column in region.x..<(region.x + region.width) {
        let pixel = StoredArea(
          of: PixelRectangle(x: column, y: row, width: 1, height: 1), orientation: orientation,
          storedWidth: storedWidth, storedHeight: storedHeight)
        #expect((area.x..<(area.x + area.width)).contains(pixel.x), "seed \(seed)")
        #expect((area.y..<(area.y + area.height)).contains(pixel.y), "seed \(seed)")
      }
    }
  }

  @Test("a stored area follows a quarter turn of the picture", arguments: 1...8)
  func turned(orientation: Int) {
    let turned = StoredArea.turned(orientation)
    let (storedWidth, storedHeight) = (5, 3)
    let (width, height) = orientation >= 5 ? (storedHeight, storedWidth) : (storedWidth, storedHeight)
    #expect((turned >= 5) != (orientation >= 5))
    for y in 0..<height {
      for x in 0..<width {
        func stored(_ x: Int, _ y: Int, _ orientation: Int) -> StoredArea {
          StoredArea(
            of: PixelRectangle(x: x, y: y, width: 1, height: 1), orientation: orientation, storedWidth: storedWidth,
            storedHeight: storedHeight)
        }
        // Clockwise, the left column becomes the top row.
        #expect(stored(height - 1 - y, x, turned) == stored(x, y, orientation))
      }
    }
  }

  @Test("a stored area stays inside a version that was decoded smaller", arguments: 0..<100 as Range<UInt64>)
  func scaled(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (width, height) = (Int.random(in: 1...4000, using: &random), Int.random(in: 1...4000, using: &random))
    let shrink = [1, 2, 4, 8].randomElement(using: &random) ?? 1
    let (smallWidth, smallHeight) = ((width + shrink - 1) / shrink, (height + shrink - 1) / shrink)
    let x = Int.random(in: 0..<width, using: &random)
    let y = Int.random(in: 0..<height, using: &random)
    let area = StoredArea(
      x: x, y: y, width: Int.random(in: 1...(width - x), using: &random),
      height: Int.random(in: 1...(height - y), using: &random))
    let small = area.scaled(fromWidth: width, fromHeight: height, toWidth: smallWidth, toHeight: smallHeight)
    #expect(small.x >= 0 && small.y >= 0 && small.width >= 1 && small.height >= 1, "seed \(seed)")
    #expect(small.x + small.width <= smallWidth && small.y + small.height <= smallHeight, "seed \(seed)")
  }
}
