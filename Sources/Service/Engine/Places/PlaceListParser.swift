import AtelierProtocol
import JSON

/// Reads the list with which a model ends its conversation. Models put it between other words or fences, and leave
/// commas where JSON has none.
enum PlaceListParser {
  /// The most places of a list that are looked at.
  private static let mostClaims = 200
  /// The most brackets at which a list may be looked for.
  private static let mostBeginnings = 64
  private static let mostBytes = 1 << 20

  /// The places of the first list in a text.
  /// - Returns: nil when there is no list; empty for an empty one.
  static func claims(in text: String) -> [PlaceClaim]? {
    let bytes = Array(text.utf8.prefix(mostBytes))
    var isEmptyList = false
    for start in bytes.indices.lazy.filter({ bytes[$0] == UInt8(ascii: "[") }).prefix(mostBeginnings) {
      guard let candidate = withoutStrayCommas(bytes[start...]),
        let list = (try? JSONValue(parsing: candidate.span, maximumValues: 20_000))?.array
      else { continue }
      if list.isEmpty { isEmptyList = true }
      let claims = list.prefix(mostClaims).compactMap { $0.object.flatMap(PlaceClaim.init) }
      if !claims.isEmpty { return claims }
    }
    return isEmptyList ? [] : nil
  }

  /// The array at the beginning of `bytes`, without the commas that end an array or an object.
  /// - Returns: nil when it does not end.
  private static func withoutStrayCommas(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var depth = 0
    var isInText = false
    var isEscaped = false
    for byte in bytes {
      if isInText {
        isInText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        result.append(byte)
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        let last = result.lastIndex { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
        if let last, result[last] == UInt8(ascii: ",") { result.remove(at: last) }
      default: break
      }
      result.append(byte)
      if depth == 0 { return result }
    }
    return nil
  }
}

extension PlaceClaim {
  /// The longest name that is taken for one, in Unicode code points.
  private static let longestName = 200

  /// - Returns: nil for an object without a name.
  fileprivate init?(_ json: JSONObject) {
    guard let name = json["name"]?.string, name.contains(where: { !$0.isWhitespace }),
      name.unicodeScalars.count <= Self.longestName
    else { return nil }
    self.name = name
    city = json["city"]?.string
    address = ["streetAddress1", "streetAddress2", "city", "state", "postalCode", "country", "address"]
      .compactMap { member in json[member]?.string ?? json[member]?.number?.text }.joined(separator: ", ")
    let position = json["coordinate"]?.object ?? json
    guard let latitude = position["latitude"]?.double, let longitude = position["longitude"]?.double else { return }
    coordinate = Coordinate(latitude: latitude, longitude: longitude)
  }
}
