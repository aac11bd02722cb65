import Testing

@testable import Portrait

@Suite("Removing what is out of focus behind a sharp head")
struct DefocusedBackgroundTests {
  private static let size = 256
  private static let faces = FacesInView(wanted: Rectangle(x: 70, y: 80, width: 70, height: 90), others: [])

  /// How far a point is inside the head, negative outside: a disc of 60 pixels.
  private static func head(_ x: Int, _ y: Int) -> Float { 60 - distance(x, y, 105, 120) }
  /// The same for what stands behind it, a disc of 44 pixels to the right.
  private static func other(_ x: Int, _ y: Int) -> Float { 44 - distance(x, y, 175, 100) }

  private static func distance(_ x: Int, _ y: Int, _ centreX: Float, _ centreY: Float) -> Float {
    let (across, down) = (Float(x) - centreX, Float(y) - centreY)
    return (across * across + down * down).squareRoot()
  }

  /// A head with three lines for features, and another, darker one behind it, before a bright wall.
  /// - Parameters:
  ///   - blur: half the width in pixels of the edges of the head, of what is behind it, and the contrast of the lines.
  private static func image(head headBlur: Float, other otherBlur: Float, lines: Float = 0.3) -> Plane<Colour> {
    Plane(width: size, height: size, values: (0..<size * size).map { index in
      let (x, y) = (index % size, index / size)
      func step(_ inside: Float, _ blur: Float) -> Float { min(1, max(0, 0.5 + inside / (2 * blur))) }
      let (front, back) = (step(head(x, y), headBlur), step(other(x, y), otherBlur))
      let isLine = abs(x - 105) < 25 && [100, 101, 102, 120, 121, 122, 145, 146, 147].contains(y)
      let skin: Float = isLine ? 0.6 - lines : 0.6
      let behind = 0.9 + (0.15 - 0.9) * back
      return Colour(repeating: behind + (skin - behind) * front).replacingLast(0)
    })
  }

  private static let outline = (0..<size * size).map { head($0 % size, $0 / size) > 0 || other($0 % size, $0 / size) > 0 }

  private static func removed(from image: Plane<Colour>) -> (person: [Bool], behind: [Bool]) {
    var person = outline
    let behind = DefocusedBackground.remove(from: &person, image: image, faces: faces)
    return (person, behind)
  }

  /// The number of pixels that were removed, and those of them that belong to the head, apart from its rim.
  private static func count(_ person: [Bool]) -> (removed: Int, ofHead: Int) {
    let removed = person.indices.filter { outline[$0] && !person[$0] }
    return (removed.count, removed.filter { head($0 % size, $0 / size) > 4 }.count)
  }

  @Test("A blurred head behind a sharp one is removed up to the sharp edge, and the sharp one stays")
  func behind() {
    let (person, behind) = Self.removed(from: Self.image(head: 0.5, other: 9))
    #expect(Self.count(person).ofHead == 0)
    let left = person.indices.filter { person[$0] && Self.head($0 % Self.size, $0 / Self.size) < -6 }
    #expect(left.count == 0)
    #expect(behind[100 * Self.size + 190])
    #expect(!behind[120 * Self.size + 105])
  }

  @Test("Something sharp beside the head stays, such as a raised hand")
  func sharp() {
    #expect(Self.count(Self.removed(from: Self.image(head: 0.5, other: 0.5)).person).removed == 0)
  }

  @Test("Hair out of focus, without a sharp edge on its inner side, stays")
  func hair() {
    #expect(Self.count(Self.removed(from: Self.image(head: 4, other: 9)).person).removed == 0)
  }

  @Test("Nothing is removed from a photo whose face is out of focus itself")
  func face() {
    let (person, behind) = Self.removed(from: Self.image(head: 0.5, other: 9, lines: 0.02))
    #expect(Self.count(person).removed == 0)
    #expect(!behind.contains(true))
  }

  @Test("A step is a sharp edge and a ramp a wide one, and of a faint edge nothing can be told",
    arguments: [(0, 0.5, true, false), (4, 0.5, true, false), (16, 0.5, false, true), (0, 0.1, nil, nil)]
      as [(Int, Float, Bool?, Bool?)])
  func widths(ramp: Int, contrast: Float, isSharp: Bool?, isBlurred: Bool?) {
    let image = Plane<Colour>(width: 64, height: 64, values: (0..<64 * 64).map { index in
      let part = min(1, max(0, 0.5 + (Float(index % 64) - 31.5) / Float(max(1, ramp))))
      return Colour(repeating: 0.2 + contrast * part).replacingLast(0)
    })
    let width = EdgeWidth(image: image).width(31, 32)
    #expect(width.map { $0 < EdgeWidth.sharp } == isSharp)
    #expect(width.map { $0 > EdgeWidth.blurred } == isBlurred)
  }
}
