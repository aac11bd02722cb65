import AtelierProtocol
import JSON
import Support
import Testing

@Suite("Backgrounds")
struct BackgroundTests {
  @Test(
    "backgrounds are names and colours, and colours are written in lowercase",
    arguments: [
      ("auto", .auto, "auto"), ("professional", .professional, "professional"), ("casual", .casual, "casual"),
      ("white", .white, "white"),
      ("transparent", .transparent, "transparent"),
      ("#1E90fF", .colour(FlatColour(red: 30, green: 144, blue: 255)), "#1e90ff"),
      ("#000000", .colour(FlatColour(red: 0, green: 0, blue: 0)), "#000000"),
      ("#ffffff", .colour(FlatColour(red: 255, green: 255, blue: 255)), "#ffffff"),
    ] as [(JSONValue, Background, JSONValue)])
  func forms(wire: JSONValue, background: Background, again: JSONValue) throws {
    #expect(try read(Background.self, wire) == background)
    #expect(try written(background) == again)
  }

  @Test(
    "backgrounds in any other form are refused, with those there are",
    arguments: [
      "beach", "White", "", "#fff", "#1e90f", "#1e90ff0", "1e90ff", "#1e90fg", "#+12345", "# 12345", "＃1e90ff", "#１１1111",
      nil, [], 0xffffff, true,
    ] as [JSONValue])
  func refusals(wire: JSONValue) {
    #expect(
      expectation(Background.self, wire)
        == "auto, professional, casual, white, transparent, keep, or a colour such as #1e90ff")
  }

  @Test("backgrounds are flat where they are the same everywhere")
  func flat() {
    let colour = FlatColour(red: 1, green: 2, blue: 3)
    #expect(!Background.auto.isFlat && !Background.professional.isFlat && !Background.casual.isFlat)
    #expect(Background.white.isFlat && Background.transparent.isFlat && Background.colour(colour).isFlat)
    #expect(Background.white.flatColour?.text == "#ffffff" && Background.transparent.flatColour == nil)
    #expect(Background.colour(colour).flatColour == colour)
  }
}
