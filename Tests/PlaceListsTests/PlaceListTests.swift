import AtelierProtocol
import Testing

@testable import PlaceLists

@Suite("A list of one's own places")
struct PlaceListTests {
  private func list(_ text: String) throws -> PlaceList { try PlaceList(csv: Array(text.utf8), path: "list.csv") }

  private func found(_ words: String, in list: PlaceList) -> [String] { list.places(for: words).map(\.name) }

  @Test("a CSV file is read with quotes, line breaks in fields, and the separators of spreadsheets", arguments: [
    ("a,b\r\n1,\"x \"\"y\"\", z\"\r\n", [[1: ["a", "b"]], [2: ["1", "x \"y\", z"]]]),
    ("a;b;c,d\n1;\"two\nlines\"\n3;4", [[1: ["a", "b", "c,d"]], [2: ["1", "two\nlines"]], [4: ["3", "4"]]]),
    ("sep=;\r\na;b,c\r\n1;2\r\n", [[2: ["a", "b,c"]], [3: ["1", "2"]]]), ("SEP=,\na;;,b\n", [[2: ["a;;", "b"]]]),
    ("sep=\t\na,,\tb\n", [[2: ["a,,", "b"]]]), ("sep=;", []), ("sep=,,\n", [[1: ["sep=", "", ""]]]),
    ("a\tb\n\n,\t2\n", [[1: ["a", "b"]], [3: [",", "2"]]]), ("", []), ("a\n\"unfinished", [[1: ["a"]], [2: ["unfinished"]]]),
  ] as [(String, [[Int: [String]]])])
  func rows(text: String, expected: [[Int: [String]]]) {
    #expect(CSVText(Array(text.utf8)).rows.map { [$0.line: $0.fields] } == expected)
  }

  @Test("a lookup finds the places of that name, those that agree in their address first")
  func lookup() async throws {
    let list = try list("""
      Name,streetAddress1,city,postalCode,latitude,longitude,owner
      Houndstooth Coffee,401 Congress Ave,Austin,78701,30.2667,-97.7428,x
      Houndstooth Coffee,1 Main St,Dallas,75201,,,x
      Café Réunion,2 Rue X,Paris,75001,,,x
      茶亭 羽當,渋谷1-15-19,渋谷区,150-0002,,,x
      """)
    #expect(list.count == 4 && list.problems.isEmpty)
    #expect(found("Houndstooth Coffee, Dallas", in: list) == ["Houndstooth Coffee", "Houndstooth Coffee"])
    #expect(list.places(for: "Houndstooth Coffee, Dallas").first?.city == "Dallas")
    #expect(found("Cafe Reunion, Paris", in: list) == ["Café Réunion"])
    #expect(found("茶亭羽當、渋谷区", in: list) == ["茶亭 羽當"])
    #expect(found("The Imaginary Bean, Austin", in: list).isEmpty)
  }

  @Test("a row that cannot be used is left out and named with its line", arguments: [
    ("Nothing,,,", "2: This place is left out: it has neither a position nor a street, a city or a postal code."),
    (",Austin,,", "2: This place is left out: it has no name."),
    ("A,Austin,91,0", "2: This place is left out: its latitude and longitude are no position in degrees."),
    ("A,Austin,1,", "2: This place is left out: its latitude and longitude are no position in degrees."),
    ("A,Austin,,,,x", "2: This place is left out: it has 6 fields, and there are 4 columns."),
    ("A\u{7},Austin,,", "2: This place is left out: its name has more than 300 characters, or control characters."),
  ])
  func unusable(row: String, problem: String) throws {
    let list = try list("name,city,latitude,longitude\n\(row)\nGood,Austin,,\n")
    #expect(list.problems == ["list.csv:\(problem)"])
    #expect(list.count == 1)
  }

  @Test("a column that others call otherwise is read as well")
  func otherNames() async throws {
    let list = try list("name,street,zip,lat,lng\nHush,1 Main St,75201,30.5,-97.5\n")
    let place = list.places(for: "Hush").first
    #expect(place?.streetAddress1 == "1 Main St" && place?.postalCode == "75201")
    #expect(place?.coordinate == Coordinate(latitude: 30.5, longitude: -97.5))
  }

  @Test("a list is told to the model with all its columns, unless it is long")
  func listing() throws {
    let list = try list("name,city,parking\nHush,Austin,yes\nBad,,\n\"Two, Cups\",Dallas,\n")
    #expect(list.listing == "name: Hush; city: Austin; parking: yes\nname: Two, Cups; city: Dallas")
    let long = (0..<2000).map { "Shop \($0),Austin,no" }.joined(separator: "\n")
    #expect(try self.list("name,city,parking\n\(long)\n").listing == nil)
  }

  @Test("a lookup does not take a place that shares a common word for the one that was meant")
  func commonWord() async throws {
    let list = try list("name,city\n\"Hush, Coffee\",Munich\n")
    #expect(found("Houndstooth Coffee, Austin", in: list).isEmpty)
    #expect(found("Hush Coffee, Munich", in: list) == ["Hush, Coffee"])
  }

  @Test("a file that lists no place is refused", arguments: [
    ("", "is no list of places"), ("city,state\nx,y\n", "is no list of places"), ("name,city\n", "lists no place"),
    ("name,city\n,x\n", "list.csv:2: This place is left out"),
    ("name,latitude_deg\nx,1\n", "has no column with a position or an address"),
  ])
  func refused(text: String, reason: String) throws {
    let failure = try #require(throws: PlaceListFailure.self) { try list(text) }
    #expect(failure.sentence.contains(reason))
  }

  @Test("a file in another encoding than UTF-8 is refused as a whole, with its first such line", arguments: [
    ("name,city\nHush,M\u{FC}nchen\nGood,Austin\n", 2), ("name,city\n\"Two\nlines\",Austin\nCaf\u{E9},Paris\n", 4),
    ("name,city,gr\u{F6}\u{DF}e\nGood,Austin,1\n", 1),
  ])
  func otherEncoding(text: String, line: Int) throws {
    let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    let failure = try #require(throws: PlaceListFailure.self) { try PlaceList(csv: bytes, path: "list.csv") }
    #expect(failure.sentence == "“list.csv” is not UTF-8 in line \(line): save it as UTF-8 and try again.")
  }
}
