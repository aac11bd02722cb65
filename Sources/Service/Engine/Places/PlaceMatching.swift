import AtelierProtocol
import Encodings
import Glibc

extension FoundPlace {
  /// How far from the wanted position a place may be, in kilometres.
  static let farthestFromArea = 100.0
  /// How far apart two positions of one place may be, in kilometres.
  private static let farthestApart = 2.0

  /// Whether this is the claimed place: it has the same name, and it is at the same position or, where one of them has
  /// none, in the same town or at the same address.
  /// - Parameter area: where the place must be, if the request gives a position.
  func confirms(_ claim: PlaceClaim, near area: Coordinate?) -> Bool {
    if let area, let coordinate, area.kilometres(to: coordinate) > Self.farthestFromArea { return false }
    guard ComparedText(name).isSameName(as: ComparedText(claim.name)) else { return false }
    if let coordinate, let claimed = claim.coordinate {
      return coordinate.kilometres(to: claimed) <= Self.farthestApart
    }
    if let city, let claimed = claim.city, ComparedText(city).isSameName(as: ComparedText(claimed)) { return true }
    let address = ComparedText(claim.address)
    return [claim.city == nil ? city : nil, postalCode, streetAddress1].contains { part in
      part.map { address.contains(ComparedText($0)) } ?? false
    }
  }
}

extension Coordinate {
  /// The distance on a sphere of the Earth's mean radius.
  func kilometres(to other: Coordinate) -> Double {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let (dLatitude, dLongitude) = (radians(other.latitude - latitude), radians(other.longitude - longitude))
    let sines = (sin(dLatitude / 2), sin(dLongitude / 2))
    let chord = sines.0 * sines.0 + cos(radians(latitude)) * cos(radians(other.latitude)) * sines.1 * sines.1
    return 2 * 6371 * asin(min(1, sqrt(chord)))
  }
}

/// A text as names are compared: without case, accents and punctuation.
struct ComparedText: Equatable {
  /// Its words, with a space before and after each.
  private let spaced: String
  private var unspaced: [UInt8] { spaced.utf8.filter { $0 != UInt8(ascii: " ") } }
  /// The characters of its words.
  private let count: Int
  /// Whether it is in a script whose words may be written without spaces between them.
  private let mayLackSpaces: Bool

  init(_ text: String) {
    let words = FoldedText(text).text.split { !$0.isLetter && !$0.isNumber }
    spaced = " " + words.joined(separator: " ") + " "
    count = words.reduce(0) { $0 + $1.count }
    mayLackSpaces = !words.isEmpty && !words.contains { $0.utf8.contains { (0x61...0x7a).contains($0) } }
  }

  /// Whether both name the same. One may say more, such as the branch of a shop, but at most as much again.
  func isSameName(as other: ComparedText) -> Bool {
    let (short, long) = count <= other.count ? (self, other) : (other, self)
    return short.count > 0 && short.count * 2 >= long.count && long.contains(short)
  }

  /// Whether `part` occurs in whole words.
  func contains(_ part: ComparedText) -> Bool {
    guard part.count > 0 else { return false }
    if spaced.utf8.firstRange(of: Array(part.spaced.utf8)) != nil { return true }
    return part.mayLackSpaces && part.spaced.utf8.contains { $0 >= 0x80 }
      && unspaced.firstRange(of: part.unspaced) != nil
  }
}
