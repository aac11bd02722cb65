import Testing

@testable import Portrait

@Suite("Turning a picture by quarters")
struct QuarterTurnTests {
  /// Each pixel another colour.
  private static let picture = PixelImage(width: 5, height: 3) { x, y in (UInt8(x), UInt8(y), UInt8(x * 7 + y)) }

  @Test("The left column becomes the top row in a clockwise turn")
  func clockwise() {
    let turned = Self.picture.turned(quarterTurns: 1)
    #expect((turned.width, turned.height) == (3, 5))
    for y in 0..<3 {
      for x in 0..<5 { #expect(turned.colour(2 - y, x) == Self.picture.colour(x, y)) }
    }
  }

  @Test("Several turns are as many single ones", arguments: -5...8)
  func repeated(turns: Int) {
    let expected = (0..<turns & 3).reduce(Self.picture) { picture, _ in picture.turned(quarterTurns: 1) }
    #expect(Self.picture.turned(quarterTurns: turns) == expected)
  }

  @Test("A malformed picture stays as it is")
  func malformed() {
    let broken = PixelImage(width: 4, height: 4, pixels: [1, 2, 3])
    #expect(broken.turned(quarterTurns: 1) == broken)
  }
}
