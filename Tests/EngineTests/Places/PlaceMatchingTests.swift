import AtelierProtocol
import Testing

@testable import Engine

@Suite("A found place")
struct PlaceMatchingTests {
  private static let here = Coordinate(latitude: 30.2667, longitude: -97.7428)
  private static let found = FoundPlace(
    name: "Café Medici", streetAddress1: "1101 W Lynn St", city: "Austin", postalCode: "78703", coordinate: here)

  private static func claim(
    _ name: String = "Cafe Medici", city: String? = "Austin", address: String = "", at coordinate: Coordinate? = nil
  ) -> PlaceClaim { PlaceClaim(name: name, city: city, address: address, coordinate: coordinate) }

  @Test("a found place confirms a claim of its name in its town, street, postal code or position")
  func confirms() {
    for claim in [
      Self.claim(), Self.claim("CAFÉ MEDICI, W Lynn"), Self.claim(city: nil, address: "1101 W. Lynn St., Texas"),
      Self.claim(city: "AUSTIN"), Self.claim(city: "West End", address: "TX 78703"),
      Self.claim(city: "Somewhere", at: Coordinate(latitude: 30.27, longitude: -97.74)),
      Self.claim(city: nil, address: "W Lynn, Austin"),
    ] {
      #expect(Self.found.confirms(claim, near: nil), "\(claim)")
    }
  }

  @Test("a found place does not confirm another name, another town, or a name alone")
  func refuses() {
    for claim in [
      Self.claim("Houndstooth"), Self.claim("Café"), Self.claim(""), Self.claim("!!!"),
      Self.claim("Café Medici and the whole of the neighbourhood around it"),
      Self.claim(city: "Dallas"), Self.claim(city: nil), Self.claim(city: nil, address: "Austintown"),
      Self.claim(at: Coordinate(latitude: 30.2667, longitude: -97.70)),
    ] {
      #expect(!Self.found.confirms(claim, near: nil), "\(claim)")
    }
  }

  @Test("a found place counts only within 100 km of a position that the request gives")
  func area() {
    #expect(Self.found.confirms(Self.claim(), near: Coordinate(latitude: 30.9, longitude: -97.7)))
    #expect(!Self.found.confirms(Self.claim(), near: Coordinate(latitude: 31.9, longitude: -97.7)))
  }

  @Test("a found place is the same in scripts without spaces, but not for a part of the name")
  func scripts() {
    let tea = FoundPlace(name: "茶亭 羽當", city: "渋谷区", postalCode: "150-0002")
    #expect(tea.confirms(Self.claim("茶亭羽當", city: "渋谷区"), near: nil))
    #expect(tea.confirms(Self.claim("茶亭 羽當", city: nil, address: "東京都渋谷区渋谷1-15-19"), near: nil))
    #expect(!tea.confirms(Self.claim("茶", city: "渋谷区"), near: nil))
    let coffee = FoundPlace(name: "इंडियन कॉफ़ी हाउस", city: "नई दिल्ली")
    #expect(coffee.confirms(Self.claim("इंडियन कॉफ़ी हाउस", city: "नई दिल्ली"), near: nil))
    #expect(!coffee.confirms(Self.claim("इंडियन कॉफ़ी हाउस", city: "मुंबई"), near: nil))
  }

  @Test("a found place is as far from another as the globe says")
  func distance() throws {
    let mexico = try #require(Coordinate(latitude: 19.4326, longitude: -99.1332))
    let tokyo = try #require(Coordinate(latitude: 35.6762, longitude: 139.6503))
    #expect(abs(mexico.kilometres(to: tokyo) - 11_318) < 30)
    let antipode = try #require(Coordinate(latitude: -19.4326, longitude: 80.8668))
    #expect(abs(mexico.kilometres(to: antipode) - 20_015) < 1)
    #expect(mexico.kilometres(to: mexico) == 0)
  }
}

extension PlaceMatchingTests {
  private static let bar = PlaceClaim(name: "Bar", city: "Rome", address: "Street 1, Rome")

  @Test("a list of places is read from what models put around it", arguments: [
    #"[{"name":"Bar","streetAddress1":"Street 1","city":"Rome"}]"#,
    """
    Here [1] you are:\n```json\n[{"name":"Bar","streetAddress1":"Street 1","city":"Rome",},\n]\n```\nEnjoy [2].
    """,
    #"{"places":[{"name":"Bar","streetAddress1":"Street 1","city":"Rome"}]}"#,
    #"[] no, [{"name":"Bar","streetAddress1":"Street 1","city":"Rome"}, {"city":"no name"}, 7, {"name":" "}]"#,
  ])
  func reads(text: String) {
    #expect(PlaceListParser.claims(in: text) == [Self.bar])
  }

  @Test("a text without a list is told from an empty list")
  func empty() {
    for text in [
      "", "There are many.", "[", "[[[[[", "[1, 2]", #"[{"nombre":"Bar"}]"#, #"[{"name":"Bar""#, "[\"]\"", "[\"\\",
    ] {
      #expect(PlaceListParser.claims(in: text) == nil, "\(text)")
    }
    #expect(PlaceListParser.claims(in: "Nothing: []") == [])
    #expect(PlaceListParser.claims(in: String(repeating: "[", count: 100_000)) == nil)
  }

  @Test("brackets, commas and quotes in names are not those of the list")
  func punctuation() {
    let text = #"[{"name":"A \"b\",] c","city":"Rome","latitude":41.9,"longitude":12.5,"postalCode":185,}]"#
    let claim = PlaceListParser.claims(in: text)?.first
    #expect(claim?.name == #"A "b",] c"#)
    #expect(claim?.address == "Rome, 185")
    #expect(claim?.coordinate == Coordinate(latitude: 41.9, longitude: 12.5))
    #expect(PlaceListParser.claims(in: #"[{"name":"X","latitude":910,"longitude":12.5}]"#)?.first?.coordinate == nil)
  }
}
