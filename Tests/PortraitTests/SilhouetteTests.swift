import Testing

@testable import Portrait

@Suite("The person's outline")
struct SilhouetteTests {
  private static let size = 160
  private static let face = PixelRectangle(x: 65, y: 60, width: 30, height: 20)

  /// A body 80 wide from row 40 down; what is drawn on it has its own probability and its own word of the networks.
  private struct Scene {
    var probability = Plane<Float>(width: size, height: size, repeating: 0)
    var networks = Plane<Float>(width: size, height: size, repeating: 0)

    init() { draw(40..<120, 40..<160, probability: 1, networks: 0.99) }

    mutating func draw(_ columns: Range<Int>, _ rows: Range<Int>, probability: Float, networks: Float) {
      for y in rows {
        for x in columns {
          self.probability[x, y] = probability
          self.networks[x, y] = networks
        }
      }
    }

    func person() -> Plane<Bool> {
      let person = Silhouette.person(probability: probability, networks: networks, face: SilhouetteTests.face, chin: 90)
      return Plane(width: size, height: size, values: person)
    }
  }

  @Test("A sliver that the networks doubt goes; an ear and a lock of the same width that they see stay")
  func slivers() {
    var scene = Scene()
    scene.draw(60..<72, 4..<40, probability: 0.9, networks: 0.6)
    scene.draw(90..<102, 4..<40, probability: 0.9, networks: 0.95)
    scene.draw(120..<132, 80..<104, probability: 0.9, networks: 0.95)
    let person = scene.person()
    // Where it grew out of the body a gentle curve remains.
    for y in 6..<26 {
      #expect(!(60..<72).contains { person[$0, y] }, "the sliver at row \(y)")
      #expect((92..<100).allSatisfy { person[$0, y] }, "the lock at row \(y)")
    }
    for x in 120..<130 { #expect(person[x, 92], "the ear at column \(x)") }
    for (x, y) in [(80, 45), (43, 100), (117, 150), (80, 158)] { #expect(person[x, y], "the body at \(x), \(y)") }
  }

  @Test("A thread goes, however sure the networks are")
  func threads() {
    var scene = Scene()
    scene.draw(76..<80, 4..<40, probability: 1, networks: 1)
    let person = scene.person()
    #expect(!(6..<34).contains { person[78, $0] })
  }

  @Test("A notch in clothes that the networks see is filled; others, and notches beside the face, stay")
  func notches() {
    var scene = Scene()
    scene.draw(100..<120, 110..<126, probability: 0, networks: 0.95)
    scene.draw(40..<60, 110..<126, probability: 0, networks: 0.6)
    scene.draw(40..<60, 60..<76, probability: 0, networks: 0.95)
    let person = scene.person()
    #expect(person[112, 118])
    #expect(!person[46, 118] && !person[46, 68])
  }

  @Test("The dark line around a badge does not cut off what lies behind it")
  func cracks() {
    var scene = Scene()
    // A hat's rim above a line one pixel wide; the networks are not sure of either.
    scene.draw(50..<110, 20..<40, probability: 0.8, networks: 0.7)
    scene.draw(50..<110, 33..<34, probability: 0.1, networks: 0.7)
    let person = scene.person()
    for x in 60..<100 {
      #expect((23..<40).allSatisfy { person[x, $0] }, "column \(x)")
    }
    #expect(!(40..<120).contains { person[$0, 14] })
  }

  @Test("A wide shape that the networks doubt keeps its edges")
  func wide() {
    var scene = Scene()
    scene.draw(40..<120, 10..<40, probability: 0.8, networks: 0.6)
    let person = scene.person()
    for y in 25..<60 {
      #expect(person[42, y] && person[117, y] && !person[38, y] && !person[121, y], "row \(y)")
    }
    for x in 60..<100 { #expect(person[x, 12] && !person[x, 8], "column \(x)") }
  }

  @Test("A mask of nobody has no outline")
  func empty() {
    let nothing = Plane<Float>(width: 40, height: 40, repeating: 0)
    let person = Silhouette.person(probability: nothing, networks: nothing, face: Self.face, chin: 90)
    #expect(!person.contains(true))
  }
}
