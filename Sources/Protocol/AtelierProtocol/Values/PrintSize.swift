/// A width and a height on paper, in millimetres.
public struct PrintSize: Hashable, Codable, Sendable {
  public var width: Double
  public var height: Double

  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// - Parameters:
  ///   - text: two numbers with `x` between them and perhaps a unit behind: `35x45`, `3.5x4.5cm`, `2x2in`.
  ///   - unit: the one of a text that names none.
  /// - Returns: nil for anything else.
  public init?(text: String, unit: LengthUnit) {
    let (numbers, unit) = LengthUnit.split(text, usual: unit)
    let sides = numbers.split(separator: "x", omittingEmptySubsequences: false).map(LengthUnit.number)
    guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
    self.init(width: width * unit.millimetres, height: height * unit.millimetres)
  }

  /// The other way round.
  public var turned: PrintSize { PrintSize(width: height, height: width) }
}

/// A unit in which people give lengths on paper.
public enum LengthUnit: String, CaseIterable, Sendable {
  // The first that a text ends in is its unit.
  case millimetre = "mm"
  case centimetre = "cm"
  case inch = "in"

  public var millimetres: Double {
    switch self {
    case .millimetre: 1
    case .centimetre: 10
    case .inch: 25.4
    }
  }

  /// A text without its unit, and the unit.
  static func split(_ text: String, usual: LengthUnit) -> (numbers: Substring, unit: LengthUnit) {
    guard let unit = allCases.first(where: { text.hasSuffix($0.rawValue) }) else { return (text[...], usual) }
    return (text.dropLast(unit.rawValue.count), unit)
  }

  /// A number above 0 in decimal digits, at most three behind the point.
  static func number(_ text: Substring) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let lengths = parts.map(\.utf8.count)
    guard parts.count <= 2, (1...4).contains(lengths[0]), parts.count == 1 || (1...3).contains(lengths[1]),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let number = Double(text), number > 0
    else { return nil }
    return number
  }
}
