import JSON

/// The size of a printed photo for a passport or a visa: a width and a height such as `35x45`, in millimetres unless a unit
/// follows (`3.5x4.5cm`, `2x2in`), or the name of a preset such as `us`, as `styles/list` lists them.
///
/// Some sizes come with the rule of those who ask for them, unless `headHeight` names another: `35x45`, that of ICAO 9303,
/// as in most countries; `2x2in` and `51x51`, that of the United States; `50x70`, Canada's; and `33x48`, China's. In any
/// other size, the head is as high as ICAO 9303 prescribes, and in one that is nearly a square as the United States do.
public struct PassportSize: Hashable, Sendable {
  /// As it is written on the wire, in lowercase.
  public let text: String
  /// Exactly; nil for the name of a preset.
  public let printed: PrintSize?

  public static let mm35x45 = PassportSize(35, 45)
  public static let mm51x51 = PassportSize(51, 51)
  public static let mm50x70 = PassportSize(50, 70)
  public static let mm33x48 = PassportSize(33, 48)
  public static let standard = mm35x45
  /// Those that come with a rule, the usual one first.
  public static let common = [mm35x45, mm51x51, mm50x70, mm33x48]

  /// The sides that a photo may have, in millimetres.
  public static let sides = 15.0...150.0
  /// The parts of its width that the height of a photo may be.
  public static let heights = 1.0...2.0

  private init(_ width: Int, _ height: Int) {
    text = "\(width)x\(height)"
    printed = PrintSize(width: Double(width), height: Double(height))
  }

  /// - Parameter text: of either case; `×` stands for `x`.
  /// - Returns: nil for what is no size of a photo and can be no preset's name.
  public init?(text: String) {
    let text = text.lowercased().replacing("×", with: "x")
    if let printed = PrintSize(text: text, unit: .millimetre) {
      guard Self.sides.contains(printed.width), Self.sides.contains(printed.height),
        Self.heights.contains(printed.height / printed.width)
      else { return nil }
      self.printed = printed
    } else {
      guard Self.isName(text) else { return nil }
      printed = nil
    }
    self.text = text
  }

  /// Whether a preset can have this name: two letters and more, digits and dashes.
  private static func isName(_ text: String) -> Bool {
    let letters = Array(text.utf8)
    let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    return (2...32).contains(letters.count) && letters.prefix(2).allSatisfy(isLetter)
      && letters.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
  }
}

extension PassportSize: Codable {
  public static let expected =
    "the name of a preset such as us, or a width and a height from 15 to 150 mm such as 35x45, 3.5x4.5cm or 2x2in, "
    + "at least as high as wide and at most twice as high"

  public init(from decoder: any Decoder) throws {
    guard let text = try? decoder.singleValueContainer().decode(String.self), let size = PassportSize(text: text) else {
      throw JSONExpectation(Self.expected)
    }
    self = size
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
