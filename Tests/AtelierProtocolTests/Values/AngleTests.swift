import AtelierProtocol
import JSON
import Support
import Testing

@Suite("Angles and styles")
struct AngleTests {
  @Test(
    "angles are read as numbers and names, and written by name where they have one",
    arguments: [
      ("left", -0.5, "left"), ("front", 0, "front"), ("right", 0.5, "right"), (-0.5, -0.5, "left"),
      (0.25, 0.25, 0.25), (-1, -1, -1), (1.0, 1, 1),
    ] as [(JSONValue, Double, JSONValue)])
  func forms(wire: JSONValue, value: Double, again: JSONValue) throws {
    let angle = try read(Angle.self, wire)
    #expect(angle.value == value)
    #expect(try written(angle) == again)
  }

  @Test(
    "angles are refused beyond the range and by other names",
    arguments: [1.01, -1.5, 1e300, "up", "Left", "", nil, [], true] as [JSONValue])
  func refusals(wire: JSONValue) {
    #expect(expectation(Angle.self, wire) == "a number from -1 to 1, or left, front, right")
  }

  @Test(
    "angles have the nearest name, the front where two are as near",
    arguments: [
      (-1, .left), (-0.26, .left), (-0.25, .front), (0, .front), (0.25, .front), (0.251, .right), (1, .right),
    ] as [(Double, Angle.Name)])
  func names(value: Double, name: Angle.Name) throws {
    #expect(try #require(Angle(value)).nearestName == name)
  }

  @Test("angles make a style, in which no angle is another thing than the front")
  func styles() throws {
    let unnamed = try read(Style.self, [:])
    #expect(unnamed == Style())
    #expect(unnamed != Style(angle: .front) && unnamed.name == "auto")
    #expect(try written(unnamed) == [:])
    #expect(try written(Style(angle: .front, background: .casual)) == ["angle": "front", "background": "casual"])
    #expect(try read(Style.self, ["angle": "left"]) == Style(angle: .left))
    #expect(failure(Style.self, ["angle": "left", "background": "beach"])?.path == "/background")
    #expect(
      Style.named.map(\.name) == [
        "left-professional", "front-professional", "right-professional", "left-casual", "front-casual", "right-casual",
      ])
  }
}
