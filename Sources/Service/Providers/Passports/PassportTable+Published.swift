import AtelierProtocol

/// Photos of identity documents by country. Operators correct the list and add to it with `pictures.passportSizes`.
extension PassportTable {
  typealias Rule = (size: PrintSize, head: HeadHeight, eyes: HeadHeight?)

  /// The rules that come with a size, whoever asks for it.
  static let rules: [Rule] = [
    (PrintSize(width: 35, height: 45), .icao, HeadHeight(text: "50-70%")),
    (PrintSize(width: 50.8, height: 50.8), .square, HeadHeight(text: "56.25-68.75%")),
    (PrintSize(width: 50, height: 70), .canada, nil),
    (PrintSize(width: 33, height: 48), .china, nil),
  ]

  /// As far as they are known here. Authorities change their rules: what they say today counts.
  static let published: [PassportPreset] = rows.compactMap { row in
    guard let size = PassportSize(text: row.size) else { return nil }
    return PassportPreset(
      id: row.id, title: row.title, size: size, headHeight: row.head.flatMap { HeadHeight(text: $0) },
      eyeHeight: row.eyes.flatMap { HeadHeight(text: $0) }, pixels: row.pixels, minBytes: row.bytes?.lowerBound,
      maxBytes: row.bytes?.upperBound)
  }

  /// One row of the list; lengths as an operator would write them.
  struct Row {
    var id: String
    var title: String
    var size: String
    var head: String?
    var eyes: String?
    var pixels: String?
    var bytes: ClosedRange<Int>?

    init(
      _ id: String, _ title: String, _ size: String, head: String? = nil, eyes: String? = nil, pixels: String? = nil,
      bytes: ClosedRange<Int>? = nil
    ) {
      (self.id, self.title, self.size, self.head) = (id, title, size, head)
      (self.eyes, self.pixels, self.bytes) = (eyes, pixels, bytes)
    }
  }

  static let rows: [Row] = [
    Row("ae", "United Arab Emirates", "35x40"),
    Row("ar", "Argentina", "40x40"),
    Row("at", "Austria", "35x45", head: "32-36"),
    Row("au", "Australia", "35x45", head: "32-36"),
    Row("be", "Belgium", "35x45", head: "31-36"),
    Row("br", "Brazil", "50x70", head: "31-36"),
    Row("ca", "Canada", "50x70", head: "31-36"),
    Row("ca-visa", "Canada, visa", "35x45", head: "31-36"),
    Row("ch", "Switzerland", "35x45", head: "29-34"),
    Row("cn", "China", "33x48", head: "28-33"),
    Row("co", "Colombia", "40x50"),
    Row("cy", "Cyprus", "40x50"),
    Row("cz", "Czech Republic", "35x45"),
    Row("de", "Germany", "35x45", head: "32-36"),
    Row("dk", "Denmark", "35x45", head: "30-36"),
    Row("ee", "Estonia", "40x50", head: "70-80%"),
    Row("es", "Spain", "26x32"),
    Row("eu-visa", "Schengen visa", "35x45", head: "32-36"),
    // 32 to 36 mm, of which the smallest would leave more than the 6 mm above the head that the rule allows.
    Row("fi", "Finland", "36x47", head: "33.2-36"),
    Row(
      "fi-online", "Finland, photo sent by the photographer", "36x47", head: "33.2-36", pixels: "500x653",
      bytes: 1_000...250_000),
    Row("fr", "France", "35x45", head: "32-36"),
    Row("gb", "United Kingdom", "35x45", head: "29-34"),
    Row("gr", "Greece", "40x60", head: "32-36"),
    Row("hk", "Hong Kong", "40x50", head: "32-36"),
    Row("ie", "Ireland", "35x45", head: "70-80%"),
    Row("in", "India", "35x45", head: "80-85%", pixels: "630x810"),
    Row("in-visa", "India, visa", "2x2in", head: "25.4-34.9"),
    Row("it", "Italy", "35x45", head: "32-36"),
    Row("jp", "Japan", "35x45", head: "32-36"),
    Row("kr", "South Korea", "35x45", head: "32-36"),
    Row("lb", "Lebanon", "35x45", head: "25-35", eyes: "29-35"),
    Row("my", "Malaysia", "35x50", head: "25-35"),
    Row("nl", "Netherlands", "35x45", head: "26-30"),
    Row("nz", "New Zealand", "35x45", head: "70-80%"),
    Row("pl", "Poland", "35x45", head: "70-80%"),
    Row("pt", "Portugal", "35x45", head: "32-36"),
    Row("ru", "Russia", "35x45", head: "32-36"),
    Row("sg", "Singapore", "35x45", head: "25-35"),
    Row("tr", "Turkey", "50x60", head: "32-36"),
    Row("tw", "Taiwan", "35x45", head: "32-36"),
    Row("ua", "Ukraine", "35x45", head: "70-80%"),
    Row("us", "United States", "2x2in", head: "25.4-34.925", eyes: "28.575-34.925"),
    Row(
      "us-visa", "United States, visa sent online", "2x2in", head: "50-69%", eyes: "56-69%", pixels: "600x600",
      bytes: 10_000...240_000),
    Row("vn", "Vietnam", "40x60"),
    Row("za", "South Africa", "35x45", head: "32-36"),
  ]
}

extension HeadHeight {
  /// U.S. Department of State, “Photo Requirements”: 1 to 1⅜ of 2 inches.
  static let square = HeadHeight(text: "50-68.75%") ?? .icao
  /// Immigration, Refugees and Citizenship Canada, “Passport photo specifications”: 31 to 36 of 70 mm.
  static let canada = HeadHeight(text: "31-36") ?? .icao
  /// GA/T 1180: 28 to 33 of 48 mm.
  static let china = HeadHeight(text: "28-33") ?? .icao
}
