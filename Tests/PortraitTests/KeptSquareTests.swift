import Testing

@testable import Portrait

@Suite("Squares inside a photo")
struct KeptSquareTests {
  @Test("A square is moved inside the photo, and made smaller only where it is larger", arguments: [
    (Point(x: 50, y: 50), 80.0, 1.0, 80.0), (Point(x: 10, y: 95), 80, 1, 80), (Point(x: 50, y: 50), 300, 1, 100),
    (Point(x: 0, y: 0), 300, 0.5, 120), (Point(x: 199, y: 119), 100, 0.8, 100),
  ])
  func inside(centre: Point, side: Double, aspect: Double, kept: Double) {
    let (width, height) = aspect == 1 ? (150.0, 100.0) : (200, 120)
    let square = CropSquare(centre: centre, side: side, rotation: 0)
      .movedInside(width: width, height: height, aspect: aspect)
    #expect(square.side == kept)
    #expect(square.centre.y - square.side / 2 >= -1e-9 && square.centre.y + square.side / 2 <= height + 1e-9)
    let half = square.side * aspect / 2
    #expect(square.centre.x - half >= -1e-9 && square.centre.x + half <= width + 1e-9)
  }

  @Test("A levelled square stays as it is")
  func levelled() {
    let square = CropSquare(centre: Point(x: 0, y: 0), side: 500, rotation: 4)
    #expect(square.movedInside(width: 100, height: 100, aspect: 1) == square)
  }
}
