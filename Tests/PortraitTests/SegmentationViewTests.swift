import Support
import Testing

@testable import Portrait

@Suite("The views of the segmentation")
struct SegmentationViewTests {
  private static func weights(middle: Double, fades: Bool) -> [Float] {
    PersonSegmenter.Grid(size: 100, scale: Point(x: 1, y: 1), middle: Point(x: middle, y: 0.5), fades: fades)
      .columns(of: 256).map(\.weight)
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

  @Test("The outermost values go on beyond the edge")
  func values() {
    let lines = PersonSegmenter.Grid(size: 100, scale: Point(x: 1, y: 1), middle: Point(x: 0.4, y: 0.5), fades: true)
      .columns(of: 256).map(\.line)
    #expect(lines[8].first == 0 && lines[8].second == 0)
  }

  @Test("An upright view is narrowed to the photo's width and lies inside it as far as it can",
    arguments: 0..<60 as Range<UInt64>)
  func inside(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (width, height) = (Double.random(in: 300...900, using: &random), Double.random(in: 300...900, using: &random))
    let square = CropSquare(
      centre: Point(x: .random(in: 0...width, using: &random), y: .random(in: 0...height, using: &random)),
      side: .random(in: 200...1400, using: &random), rotation: 0)
    let view = CropRectangle(square).inside(width: width, height: height)
    #expect(view.height == min(square.side, max(width, height)), "seed \(seed)")
    #expect(view.width == min(view.height, max(width, view.height / 2)), "seed \(seed)")
    if view.width <= width { #expect(view.point(0, 0).x >= -1e-6 && view.point(1, 0).x <= width + 1e-6, "seed \(seed)") }
    if view.height <= height { #expect(view.point(0, 0).y >= -1e-6 && view.point(0, 1).y <= height + 1e-6, "seed \(seed)") }
  }

  @Test("A rotated view keeps its shape")
  func rotated() {
    let square = CropSquare(centre: Point(x: 150, y: 300), side: 500, rotation: 10)
    let view = CropRectangle(square).inside(width: 300, height: 600)
    #expect(view.width == 500 && view.height == 500)
  }

  @Test("A point of a view and its position are each other's inverse")
  func inverse() {
    var view = CropRectangle(CropSquare(centre: Point(x: 40, y: 70), side: 50, rotation: 8))
    view.width = 30
    let position = view.position(of: view.point(0.2, 0.9))
    #expect(abs(position.x - 0.2) < 1e-9 && abs(position.y - 0.9) < 1e-9)
  }
}
