import Support
import Testing

@testable import Portrait

@Suite("Hair at the edge")
struct HairZoneTests {
  private static let size = 256
  /// A head in the upper half: the hair may reach everywhere above its chin and around it.
  private static let faces = FacesInView(wanted: Rectangle(x: 98, y: 80, width: 60, height: 80), others: [])

  private static func isHead(_ x: Int, _ y: Int) -> Bool {
    let (dx, dy) = (Double(x) - 128, Double(y) - 115)
    return dx * dx / (50 * 50) + dy * dy / (64 * 64) < 1 || y > 170 && abs(x - 128) < 30 + y - 170
  }

  private static let person = (0..<size * size).map { isHead($0 % size, $0 / size) }
  private static let valid = [Bool](repeating: true, count: size * size)

  /// Dark hair before a wall that gets brighter downwards, the right half of which has stripes.
  private static func image(stripes: Float, hairs: (Int, Int) -> Bool = { _, _ in false }) -> Plane<Colour> {
    Plane(width: size, height: size, values: (0..<size * size).map { index in
      let (x, y) = (index % size, index / size)
      if isHead(x, y) || hairs(x, y) { return Colour(0.1, 0.08, 0.07, 0) }
      let light = 0.7 + Float(y) / 2560 + (x > 128 && (x / 6) % 2 == 0 ? stripes : 0)
      return Colour(light, light, light, 0)
    })
  }

  /// The networks see the person and nothing else.
  private static let mask = Plane<Float>(width: size, height: size, values: person.map { $0 ? 1 : 0 })

  private static func zone(in image: Plane<Colour>, valid: [Bool]) -> HairZone {
    HairZone(
      image: image, quarter: image.halved().halved(), person: person, networks: mask, valid: valid, faces: faces)
  }

  @Test("Single hairs can be told from an even wall, not from a striped one, and there are none at the shoulders")
  func even() {
    let zone = Self.zone(in: Self.image(stripes: 0.25), valid: Self.valid)
    #expect(zone.isEven[100 * Self.size + 70])
    #expect(!zone.isEven[100 * Self.size + 190] && zone.mayBeHair[100 * Self.size + 190])
    #expect(!zone.isEven[240 * Self.size + 40] && !zone.mayBeHair[240 * Self.size + 40])
    // Beside the chin there may be hair, but single hairs are not told from shadows and window sills.
    #expect(!zone.isEven[150 * Self.size + 80] && zone.mayBeHair[150 * Self.size + 80])
  }

  @Test("Nothing is even where the photo has no background")
  func noPhoto() {
    let zone = Self.zone(in: Self.image(stripes: 0), valid: Self.person)
    #expect(!zone.isEven.contains(true))
  }

  @Test("A lock or an earring beside the neck is in the matte if the networks see it, however faintly",
    arguments: [(0, false), (0.2, true)] as [(Float, Bool)])
  func lock(confidence: Float, isFound: Bool) {
    // Four pixels wide, from the ear down to the shoulder.
    func isLock(_ x: Int, _ y: Int) -> Bool { (76..<80).contains(x) && (110..<180).contains(y) }
    let mask = Plane<Float>(
      width: Self.size, height: Self.size,
      values: (0..<Self.size * Self.size).map { index in
        Self.person[index] ? 1 : isLock(index % Self.size, index / Self.size) ? confidence : 0
      })
    let matte = MatteBuilder.matte(
      image: Self.image(stripes: 0, hairs: isLock), mask: mask, valid: Self.valid, faces: Self.faces)
    for y in [150, 155, 160] { #expect((matte.opacity[77, y] > 0.4) == isFound, "row \(y)") }
    for y in [150, 155, 160] { #expect(matte.opacity[66, y] < 0.1, "row \(y)") }
  }

  @Test("Hairs that leave an outline without them are in the matte, and the wall between them is not")
  func flyaways() {
    // Three hairs, two pixels wide and 14 long, that leave the top of the head.
    func isHair(_ x: Int, _ y: Int) -> Bool {
      (40..<60).contains(y) && [120, 128, 136].contains { (0...1).contains(x - $0) }
    }
    let matte = MatteBuilder.matte(
      image: Self.image(stripes: 0, hairs: isHair), mask: Self.mask, valid: Self.valid, faces: Self.faces)
    for x in [121, 129, 137] { #expect(matte.opacity[x, 44] > 0.4, "column \(x)") }
    for x in [110, 125, 133, 146] { #expect(matte.opacity[x, 44] < 0.1, "column \(x)") }
  }

  @Test("The edge is soft rather than a step where hair and background are equal")
  func feather() {
    let image = Plane<Colour>(width: Self.size, height: Self.size, repeating: Colour(0.1, 0.1, 0.1, 0))
    let matte = MatteBuilder.matte(image: image, mask: Self.mask, valid: Self.valid, faces: Self.faces)
    let column = (30..<70).map { matte.opacity[128, $0] }
    #expect(column.filter { $0 > 0.03 && $0 < 0.97 }.count >= 3)
    #expect(zip(column, column.dropFirst()).allSatisfy { $0 <= $1 + 0.01 })
  }

  @Test("The curve of every edge is monotonic from 0 to 1", arguments: [0, 0.25, 0.5, 0.8, 1] as [Float])
  func curve(looseness: Float) {
    let values = stride(from: Float(-0.5), through: 1.5, by: 0.01).map { EdgeCurve.opacity($0, looseness: looseness) }
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(values.first == 0 && values.last == 1)
  }

  @Test("A solid edge is narrower than one of hair, and faint hairs stay before an even background")
  func looseness() {
    let faint = [0, EdgeCurve.usual, 1].map { EdgeCurve.opacity(0.25, looseness: $0) }
    #expect(faint[0] < faint[1] && faint[1] < faint[2])
    #expect(faint[0] < 0.05 && faint[2] > 0.2)
  }
}
