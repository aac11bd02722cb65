import Testing

@testable import Portrait

@Suite("The views of the segmentation")
struct SegmentationViewTests {
  private static func weights(middle: Double, fades: Bool) -> [Float] {
    PersonSegmenter.Grid(size: 100, scale: 1, middle: Point(x: middle, y: 0.5), fades: fades)
      .lines(around: middle, length: 256).map(\.weight)
  }

  @Test("A view goes on a little beyond its edge, with a small weight, and then says nothing", arguments: [true, false])
  func edge(fades: Bool) {
    // The view's left edge lies at pixel 10 of the requested square.
    let weights = Self.weights(middle: 0.4, fades: fades)
    #expect(weights[0..<7].allSatisfy { $0 == 0 })
    #expect(weights[7..<10].allSatisfy { $0 > 0 && $0 < 0.05 })
    #expect(weights[30..<90].allSatisfy { $0 == 1 })
    for (outer, inner) in zip(weights[0..<50], weights[1..<51]) { #expect(outer <= inner) }
  }

  @Test("Beyond the edge, the outermost values go on")
  func values() {
    let lines = PersonSegmenter.Grid(size: 100, scale: 1, middle: Point(x: 0.4, y: 0.5), fades: true)
      .lines(around: 0.4, length: 256).map(\.line)
    #expect(lines[8].first == 0 && lines[8].second == 0)
  }
}
