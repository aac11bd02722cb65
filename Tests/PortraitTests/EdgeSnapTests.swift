import Testing

@testable import Portrait

@Suite("Moving the square to the photo's edge")
struct EdgeSnapTests {
  struct Row: Sendable {
    var centre: (x: Double, y: Double)
    var side = 400.0
    var rotation = 0.0
    var expected: (x: Double, y: Double, side: Double)
  }

  /// In a photo of 500 × 600; up to 4.8 are snapped.
  static let rows = [
    Row(centre: (250, 300), expected: (250, 300, 400)),
    // Just beyond the left edge, the right one, the upper one, the lower one.
    Row(centre: (197, 300), expected: (200, 300, 400)),
    Row(centre: (304, 300), expected: (300, 300, 400)),
    Row(centre: (250, 199.5), expected: (250, 200, 400)),
    Row(centre: (250, 402), expected: (250, 400, 400)),
    // In a corner.
    Row(centre: (198, 403), expected: (200, 400, 400)),
    // Far beyond: there the backdrop is meant to go on.
    Row(centre: (190, 300), expected: (190, 300, 400)),
    Row(centre: (250, 190), expected: (250, 190, 400)),
    // As wide as the photo, a little more.
    Row(centre: (251, 300), side: 504, expected: (250, 300, 500)),
    Row(centre: (251, 250), side: 504, expected: (250, 250, 500)),
    // Moving away from one edge must not go beyond the other.
    Row(centre: (247, 300), side: 499, expected: (249.5, 300, 499)),
    Row(centre: (240, 300), side: 510, expected: (240, 300, 510)),
    // Turned.
    Row(centre: (198, 300), rotation: 9, expected: (198, 300, 400)),
  ]

  @Test("A level square whose edge lies just beyond the photo's is moved or shrunk to it", arguments: rows.indices)
  func snap(index: Int) {
    let row = Self.rows[index]
    let square = CropSquare(
      centre: Point(x: row.centre.x, y: row.centre.y), side: row.side, rotation: row.rotation
    ).snapped(toPhotoOf: 500, 600)
    #expect(abs(square.centre.x - row.expected.x) < 1e-9 && abs(square.centre.y - row.expected.y) < 1e-9)
    #expect(abs(square.side - row.expected.side) < 1e-9)
  }
}
