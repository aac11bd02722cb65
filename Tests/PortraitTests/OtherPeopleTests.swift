import Testing

@testable import Portrait

@Suite("Other people who are close")
struct OtherPeopleTests {
  private static let size = 200
  private static let own = Rectangle(x: 60, y: 60, width: 30, height: 40)

  /// What is inside one of the boxes.
  private static func plane(_ boxes: Rectangle...) -> Plane<Float> {
    let values = (0..<size * size).map { index -> Float in
      let point = Point(x: Double(index % size) + 0.5, y: Double(index / size) + 0.5)
      return boxes.contains { $0.contains(point) } ? 1 : 0
    }
    return Plane(width: size, height: size, values: values)
  }

  private static let body = Rectangle(x: 50, y: 50, width: 50, height: 150)

  @Test("Somebody apart who was removed is not told of; somebody who touches the person is")
  func touching() {
    let apart = Rectangle(x: 150, y: 60, width: 30, height: 40)
    let faces = FacesInView(wanted: Self.own, others: [apart])
    let both = Self.plane(Self.body, Rectangle(x: 140, y: 50, width: 50, height: 150))
    #expect(!faces.meetOthers(networks: both, opacity: Self.plane(Self.body)))
    let joined = Self.plane(Self.body, Rectangle(x: 100, y: 110, width: 90, height: 90))
    #expect(faces.meetOthers(networks: joined, opacity: Self.plane(Self.body)))
  }

  @Test("Somebody whose face stays in the picture is told of")
  func shown() {
    let other = Rectangle(x: 130, y: 60, width: 30, height: 40)
    let faces = FacesInView(wanted: Self.own, others: [other])
    let opacity = Self.plane(Self.body, Rectangle(x: 130, y: 60, width: 15, height: 40))
    #expect(faces.meetOthers(networks: Self.plane(Self.body), opacity: opacity))
    #expect(!FacesInView(wanted: Self.own, others: []).meetOthers(networks: opacity, opacity: opacity))
  }

  @Test("Somebody beyond the picture is not told of", arguments: [-300.0, 500])
  func beyond(x: Double) {
    let faces = FacesInView(wanted: Self.own, others: [Rectangle(x: x, y: 60, width: 30, height: 40)])
    #expect(!faces.meetOthers(networks: Self.plane(Self.body), opacity: Self.plane(Self.body)))
  }
}
