import AtelierProtocol
import JSON

/// Places as a file of records: how each format begins, writes a place and ends.
public enum PlacesFormat: Sendable {
  case geoJSON
  case csv

  /// The bytes with which a file begins; a file that begins otherwise is not of an export.
  var beginning: String {
    switch self {
    case .geoJSON: #"{"type":"FeatureCollection","features":["#
    case .csv: Self.columns.map(\.name).joined(separator: ",") + "\r\n"
    }
  }

  var fileExtension: String { self == .geoJSON ? "geojson" : "csv" }

  var end: String { self == .geoJSON ? "\n]}\n" : "" }

  /// - Parameters:
  ///   - generation: the one that found the place.
  ///   - isFirst: whether no place is in the file yet.
  func record(_ place: Place, of generation: GenerationID, isFirst: Bool) throws -> String {
    switch self {
    case .geoJSON: (isFirst ? "\n" : ",\n") + (try Self.feature(place, of: generation)).serializedText
    case .csv: Self.columns.map { Self.field($0.value(place, generation)) }.joined(separator: ",") + "\r\n"
    }
  }

  /// A place without a position has no geometry (RFC 7946, 3.2).
  private static func feature(_ place: Place, of generation: GenerationID) throws -> JSONValue {
    var properties = try JSONValueEncoder().encode(place).object ?? [:]
    properties["coordinate"] = nil
    properties["generationId"] = .string(generation.rawValue)
    let geometry: JSONValue? = place.coordinate.map { position in
      let numbers = [position.longitude, position.latitude].map { JSONNumber($0).map(JSONValue.number) ?? .null }
      return ["type": "Point", "coordinates": .array(numbers)]
    }
    return ["type": "Feature", "geometry": geometry ?? .null, "properties": .object(properties)]
  }

  private typealias Column = (name: String, value: @Sendable (Place, GenerationID) -> String?)

  private static let columns: [Column] = [
    ("name", { place, _ in place.name }), ("streetAddress1", { place, _ in place.streetAddress1 }),
    ("streetAddress2", { place, _ in place.streetAddress2 }), ("city", { place, _ in place.city }),
    ("state", { place, _ in place.state }), ("postalCode", { place, _ in place.postalCode }),
    ("country", { place, _ in place.country }),
    ("latitude", { place, _ in place.coordinate.flatMap { JSONNumber($0.latitude)?.text } }),
    ("longitude", { place, _ in place.coordinate.flatMap { JSONNumber($0.longitude)?.text } }),
    ("source", { place, _ in place.source.rawValue }), ("verifiedAt", { place, _ in place.verifiedAt.text }),
    ("generationId", { _, generation in generation.rawValue }),
  ]

  /// A spreadsheet carries out a text that begins like a formula, so an apostrophe goes before it.
  private static func field(_ text: String?) -> String {
    guard let text else { return "" }
    let isNumber = JSONNumber(text: text) != nil
    let safe = !isNumber && "=+-@\t\r".contains(text.first ?? " ") ? "'" + text : text
    guard safe.contains(where: { "\",\r\n".contains($0) || $0.isNewline }) else { return safe }
    return "\"" + safe.replacing("\"", with: "\"\"") + "\""
  }
}

extension [Place] {
  /// All of them in a format, as one text.
  public func text(as format: PlacesFormat, of generation: GenerationID) throws -> String {
    var text = format.beginning
    for (index, place) in enumerated() {
      text += try format.record(place, of: generation, isFirst: index == 0)
    }
    return text + format.end
  }
}

extension HistoryExport.Format {
  /// Nil for the format that has whole generations.
  var ofPlaces: PlacesFormat? {
    switch self {
    case .jsonl: nil
    case .geojson: .geoJSON
    case .csv: .csv
    }
  }
}
