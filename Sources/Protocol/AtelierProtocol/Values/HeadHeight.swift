import JSON

/// From where to where a length in a photo for a passport may be: `26-30`, in millimetres unless a unit follows
/// (`1-1.375in`), or in percent of the photo's height (`70-80%`). A single number such as `30` allows no other.
public struct HeadHeight: Hashable, Sendable {
  /// As it is written on the wire.
  public let text: String
  /// In millimetres or percent.
  public let range: ClosedRange<Double>
  public let isPercent: Bool

  /// ICAO Doc 9303-3, 3.9: 70 to 80 % of the height.
  public static let icao = HeadHeight(percent: 70, 80)

  private init(percent least: Int, _ most: Int) {
    text = "\(least)-\(most)%"
    range = Double(least)...Double(most)
    isPercent = true
  }

  /// - Returns: nil for what is no such length.
  public init?(text: String) {
    let text = text.lowercased().replacing("–", with: "-")
    isPercent = text.hasSuffix("%")
    let (numbers, unit) = isPercent
      ? (text.dropLast(), LengthUnit.millimetre) : LengthUnit.split(text, usual: .millimetre)
    let ends = numbers.split(separator: "-", omittingEmptySubsequences: false).map(LengthUnit.number)
    guard (1...2).contains(ends.count), let least = ends[0], let most = ends[ends.count - 1], least <= most,
      isPercent ? least >= 10 && most <= 90 : most * unit.millimetres <= PassportSize.sides.upperBound
    else { return nil }
    range = least * unit.millimetres...most * unit.millimetres
    self.text = text
  }

  /// The same as parts of a photo's height.
  /// - Parameter height: of the photo in millimetres; nil where it has none.
  /// - Returns: nil for millimetres of a photo that has none.
  public func parts(of height: Double?) -> ClosedRange<Double>? {
    guard let whole = isPercent ? 100 : height else { return nil }
    return range.lowerBound / whole...range.upperBound / whole
  }
}

extension HeadHeight: Codable {
  public static let expected = "from the least to the most, such as 26-30 (in mm), 1-1.375in, or 70-80% of the height"

  public init(from decoder: any Decoder) throws {
    guard let text = try? decoder.singleValueContainer().decode(String.self), let height = HeadHeight(text: text) else {
      throw JSONExpectation(Self.expected)
    }
    self = height
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
