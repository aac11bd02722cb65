import Testing

@testable import Portrait

@Suite("The tint of the background in the person's rim")
struct SpillSuppressorTests {
  private static let size = 128
  private static let edge = 64
  /// A face inside the person: what is around it may be hair.
  private static let head = Rectangle(x: 8, y: 40, width: 40, height: 60)

  /// A person on the left, a wall on the right; the last 6 pixels before the wall are tinted by `tint` of its colour.
  private static func suppressor(person: Colour, wall: Colour, tint: Float, isHead: Bool = true) -> SpillSuppressor? {
    let values = (0..<size * size).map { index -> Colour in
      let x = index % size
      if x >= edge { return wall }
      return x < edge - 6 ? person : person * (1 - tint) + wall * tint
    }
    let image = Plane(width: size, height: size, values: values)
    return SpillSuppressor(
      image: image, quarter: image.halved().halved(),
      opacity: Plane(width: size, height: size, values: (0..<size * size).map { $0 % size < edge ? 1 : 0 }),
      faces: FacesInView(wanted: isHead ? head : head.above, others: []), valid: [Bool](repeating: true, count: size * size))
  }

  private static func corrected(_ colour: Colour, by suppressor: SpillSuppressor, at x: Int) -> Colour {
    suppressor.corrected(
      colour, Interpolation(first: 64, second: 65, fraction: 0), Interpolation(first: x, second: x + 1, fraction: 0))
  }

  private static let hair = Colour(0.12, 0.1, 0.09, 0)
  private static let walls = [Colour(1, 0.3, 0.55, 0), Colour(0.2, 0.7, 0.25, 0), Colour(0.2, 0.35, 0.9, 0)]

  @Test("A tinted rim gets the hue that the hair has inside, and keeps its brightness", arguments: walls)
  func rim(wall: Colour) throws {
    let suppressor = try #require(Self.suppressor(person: Self.hair, wall: wall, tint: 0.25))
    let tinted = (Self.hair * 0.75 + wall * 0.25).replacingLast(0)
    let found = Self.corrected(tinted, by: suppressor, at: Self.edge - 2)
    func hue(_ colour: Colour) -> Float {
      let difference = (colour - colour.luma) - (Self.hair - Self.hair.luma)
      return (difference * difference).replacingLast(0).sum().squareRoot()
    }
    #expect(hue(found) < hue(tinted) / 2)
    #expect(abs(found.luma - tinted.luma) < 0.02)
  }

  @Test("Nothing changes further inside, and beyond the outline")
  func inside() throws {
    let wall = Self.walls[0]
    let suppressor = try #require(Self.suppressor(person: Self.hair, wall: wall, tint: 0.25))
    let tinted = (Self.hair * 0.5 + wall * 0.5).replacingLast(0)
    for x in [5, 40, Self.edge - 12, Self.edge + 20] {
      #expect(Self.corrected(tinted, by: suppressor, at: x) == tinted, "column \(x)")
    }
    let solid = try #require(Self.suppressor(person: Self.hair, wall: wall, tint: 0.25, isHead: false))
    #expect(Self.corrected(tinted, by: solid, at: Self.edge - 5) == tinted)
  }

  @Test("A person of the wall's hue keeps it")
  func ownHue() throws {
    let shirt = Colour(0.25, 0.35, 0.8, 0)
    let suppressor = try #require(Self.suppressor(person: shirt, wall: Self.walls[2], tint: 0))
    let found = Self.corrected(shirt, by: suppressor, at: Self.edge - 2)
    let difference = (found - shirt).replacingLast(0)
    #expect((difference * difference).sum() < 1e-4)
  }

  /// A head of hair around a face, whose outermost pixels are an ear's, before a wall in a warm colour.
  private static func withEar(_ ear: Colour, skin: Colour, wall: Colour) -> SpillSuppressor? {
    let faces = FacesInView(wanted: head, others: [])
    let face = faces.hull(width: size, height: size)
    let values = (0..<size * size).map { index -> Colour in
      let x = index % size
      if x >= edge { return wall }
      return x >= edge - 6 ? ear : face[index] ? skin : hair
    }
    let image = Plane(width: size, height: size, values: values)
    return SpillSuppressor(
      image: image, quarter: image.halved().halved(),
      opacity: Plane(width: size, height: size, values: (0..<size * size).map { $0 % size < edge ? 1 : 0 }), faces: faces,
      valid: [Bool](repeating: true, count: size * size))
  }

  @Test(
    "The rim of an ear keeps the colour of the face, and what light through it adds, though there is hair further inside")
  func ears() throws {
    let skin = Colour(0.8, 0.58, 0.48, 0)
    for wall in [Colour(0.9, 0.45, 0.3, 0), Colour(0.85, 0.6, 0.25, 0)] {
      for ear in [skin, (skin * 0.6).replacingLast(0), Colour(0.62, 0.38, 0.29, 0)] {
        let suppressor = try #require(Self.withEar(ear, skin: skin, wall: wall))
        let found = Self.corrected(ear, by: suppressor, at: Self.edge - 2)
        let difference = (found - ear).replacingLast(0)
        #expect((difference * difference).sum().squareRoot() < 0.01, "\(ear) before \(wall)")
      }
      // More than that is the wall's.
      let suppressor = try #require(Self.withEar(skin, skin: skin, wall: wall))
      #expect(Self.corrected(wall, by: suppressor, at: Self.edge - 2) != wall)
    }
  }

  @Test("A grey wall tints nothing")
  func grey() {
    for wall in [Colour(0.9, 0.9, 0.9, 0), Colour(0.5, 0.48, 0.46, 0), Colour(0.05, 0.05, 0.06, 0)] {
      #expect(Self.suppressor(person: Self.hair, wall: wall, tint: 0.3) == nil)
    }
  }
}

extension Rectangle {
  /// The same face far above the picture.
  fileprivate var above: Rectangle { Rectangle(x: x, y: y - 400, width: width, height: height) }
}
