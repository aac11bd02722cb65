import AtelierProtocol
import Encodings

/// A list of one's own places, in which lookups are answered instead of by a geocoder.
public struct PlaceList: Sendable {
  /// The rows that cannot be used: a sentence for each, with its line.
  public let problems: [String]
  private let entries: [Entry]
  /// All places, a line for each, if they are few enough for a model to choose from; else nil.
  public let listing: String?

  /// The number of places.
  public var count: Int { entries.count }

  private struct Entry: Sendable {
    var place: FoundPlace
    var name: PlaceWords
    var address: PlaceWords
  }

  /// The most bytes of a list that is told to the model as a whole.
  private static let longestListing = 30_000

  /// The longest text in a place, as for those of a host.
  private static let longestText = 300
  private static let texts = [
    "name", "streetAddress1", "streetAddress2", "city", "state", "postalCode", "country",
  ]

  /// What others call the columns.
  private static let otherNames = [
    "lat": "latitude", "lon": "longitude", "lng": "longitude", "long": "longitude", "street": "streetaddress1",
    "address": "streetaddress1", "zip": "postalcode", "postcode": "postalcode", "town": "city",
  ]

  /// - Parameters:
  ///   - csv: a row of names, those of the members of a place and `latitude` and `longitude`; then a row for each place.
  ///     Other columns are in ``listing`` only.
  ///   - path: for sentences.
  /// - Throws: ``PlaceListFailure``.
  public init(csv bytes: [UInt8], path: String) throws(PlaceListFailure) {
    let text: [UInt8]
    do throws(SavedText.OtherEncoding) {
      text = try SavedText.checked(bytes)
    } catch {
      throw PlaceListFailure(sentence: "“\(path.onOneLine)” \(error.problem)")
    }
    var rows = CSVText(text).rows[...]
    var columns = (rows.popFirst()?.fields ?? []).map { $0.filter { !$0.isWhitespace }.lowercased() }
    columns = columns.map { Self.otherNames[$0] ?? $0 }
    guard columns.contains("name") else {
      throw PlaceListFailure(
        sentence: "“\(path.onOneLine)” is no list of places: its first line must name the columns, such as "
          + "name,streetAddress1,city,postalCode,country,latitude,longitude.")
    }
    guard ["latitude", "streetaddress1", "city", "postalcode"].contains(where: columns.contains) else {
      throw PlaceListFailure(
        sentence: "“\(path.onOneLine)” has no column with a position or an address: name one latitude and one longitude, or "
          + "one streetAddress1, city or postalCode. It has \(columns.joined(separator: ", ").onOneLine).")
    }
    var (entries, problems): ([Entry], [String]) = ([], [])
    var lines: [String] = []
    for row in rows {
      do throws(RowProblem) {
        let place = try Self.place(row, columns)
        let told = zip(columns, row.fields).filter { !$1.isEmpty }.map { "\($0): \($1.onOneLine)" }
        lines.append(told.joined(separator: "; "))
        let address = [place.streetAddress1, place.streetAddress2, place.city, place.state, place.postalCode]
        entries.append(
          Entry(
            place: place, name: PlaceWords(place.name),
            address: PlaceWords(address.compactMap(\.self).joined(separator: " "))))
      } catch {
        problems.append("\(path.onOneLine):\(row.line): This place is left out: \(error.reason).")
      }
    }
    guard !entries.isEmpty else {
      throw PlaceListFailure(sentence: problems.first ?? "“\(path.onOneLine)” lists no place.")
    }
    (self.entries, self.problems) = (entries, problems)
    let listing = lines.joined(separator: "\n")
    self.listing = listing.utf8.count <= Self.longestListing ? listing : nil
  }

  /// Why a row cannot be used, phrased to follow a colon.
  private struct RowProblem: Error {
    var reason: String
  }

  private static func place(_ row: CSVText.Row, _ columns: [String]) throws(RowProblem) -> FoundPlace {
    guard row.fields.count <= columns.count else {
      throw RowProblem(reason: "it has \(row.fields.count) fields, and there are \(columns.count) columns")
    }
    var values: [String: String] = [:]
    for (column, field) in zip(columns, row.fields) where !field.allSatisfy(\.isWhitespace) { values[column] = field }
    var texts: [String: String] = [:]
    for member in Self.texts {
      guard let text = values[member.lowercased()].map(plain) else { continue }
      guard text.unicodeScalars.count <= longestText,
        text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
      else { throw RowProblem(reason: "its \(member) has more than \(longestText) characters, or control characters") }
      texts[member] = text
    }
    guard let name = texts["name"] else { throw RowProblem(reason: "it has no name") }
    let coordinate = try coordinate(values["latitude"], values["longitude"])
    guard coordinate != nil || ["streetAddress1", "city", "postalCode"].contains(where: { texts[$0] != nil }) else {
      throw RowProblem(reason: "it has neither a position nor a street, a city or a postal code")
    }
    return FoundPlace(
      name: name, streetAddress1: texts["streetAddress1"], streetAddress2: texts["streetAddress2"], city: texts["city"],
      state: texts["state"], postalCode: texts["postalCode"], country: texts["country"], coordinate: coordinate)
  }

  private static func coordinate(_ latitude: String?, _ longitude: String?) throws(RowProblem) -> Coordinate? {
    if latitude == nil, longitude == nil { return nil }
    guard let latitude = latitude.flatMap(number), let longitude = longitude.flatMap(number),
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { throw RowProblem(reason: "its latitude and longitude are no position in degrees") }
    return coordinate
  }

  private static func number(_ text: String) -> Double? {
    Double(text.filter { !$0.isWhitespace })
  }

  /// The text without the apostrophe that keeps a spreadsheet from taking it for a formula, and the spaces round it.
  private static func plain(_ text: String) -> String {
    var text = text[...]
    text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    if text.first == "'", text.dropFirst().first.map({ "=+-@".contains($0) }) == true { text.removeFirst() }
    return String(text)
  }
}

/// Why a file is no list of places, as a sentence.
public struct PlaceListFailure: Error, Equatable {
  public var sentence: String
}

extension PlaceList {
  /// The places whose name the question contains, or most of it; those first that agree most, also in their address.
  public func places(for text: String) -> [FoundPlace] {
    let question = PlaceWords(text)
    let ranked = entries.compactMap { entry -> (place: FoundPlace, agreement: Double)? in
      let share = entry.name.share(in: question)
      // Whether it is the place that was meant is decided by the service.
      return share > 0.5 ? (entry.place, share + entry.address.share(in: question)) : nil
    }
    return ranked.sorted { $0.agreement > $1.agreement }.prefix(LocationSearch.mostPlaces).map(\.place)
  }
}

/// The words of a name or an address, as they are compared.
private struct PlaceWords: Sendable {
  private let words: Set<Substring>
  /// Without spaces: some scripts write none between words.
  private let letters: String

  init(_ text: String) {
    let split = FoldedText(text).text.split { !$0.isLetter && !$0.isNumber }
    words = Set(split)
    letters = split.joined()
  }

  /// How much of it is in another text, from 0 to 1.
  func share(in other: PlaceWords) -> Double {
    if words.isEmpty { return 0 }
    if letters.utf8.contains(where: { $0 >= 0x80 }), other.letters.utf8.contains(letters.utf8) { return 1 }
    return Double(words.count { other.words.contains($0) }) / Double(words.count)
  }
}

extension String {
  /// The text without what would move a terminal's cursor.
  fileprivate var onOneLine: String {
    String(UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}
