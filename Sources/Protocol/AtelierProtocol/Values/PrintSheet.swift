import JSON

/// A sheet of paper with copies of one picture in its exact size, with 300 pixels in an inch, to be printed and cut.
///
/// A photo for a passport has the size that was asked for; any other picture has 300 pixels in an inch.
public struct PrintSheet: Codable, Sendable, Equatable {
  /// The paper: `a4`, `a5`, `a6` or `letter`, or a width and a height in centimetres such as `10x15`, unless a unit follows
  /// (`100x150mm`, `4x6in`). It is turned if more copies fit so.
  public var paper: PaperSize
  /// How many copies. Default: as many as fit.
  @Limited<SheetCopies> public var copies: Int?
  /// The format of the file. Default `pdf`.
  public var format: SheetFormat?
  /// Whether lines show where to cut. Default true.
  public var cuttingLines: Bool?

  public init(paper: PaperSize, copies: Int? = nil, format: SheetFormat? = nil, cuttingLines: Bool? = nil) {
    self.paper = paper
    self.copies = copies
    self.format = format
    self.cuttingLines = cuttingLines
  }
}

/// The format of a sheet's file.
public enum SheetFormat: String, Codable, Sendable, CaseIterable {
  /// With the size of the paper, which programs print as it is; a JPEG is in it byte for byte.
  case pdf
  /// For shops that print pictures.
  case jpeg
}

/// How many copies are on a sheet.
public enum SheetCopies: IntegerRange { public static let range = 1...100 }

/// The size of a sheet of paper.
public struct PaperSize: Hashable, Sendable {
  /// As it is written on the wire, in lowercase.
  public let text: String
  public let printed: PrintSize

  public static let a4 = PaperSize(name: "a4", PrintSize(width: 210, height: 297))
  public static let a5 = PaperSize(name: "a5", PrintSize(width: 148, height: 210))
  public static let a6 = PaperSize(name: "a6", PrintSize(width: 105, height: 148))
  public static let letter = PaperSize(name: "letter", PrintSize(width: 215.9, height: 279.4))
  public static let named = [a4, a5, a6, letter]

  /// The sides that paper may have, in millimetres.
  public static let sides = 50.0...450.0

  private init(name: String, _ printed: PrintSize) { (text, self.printed) = (name, printed) }

  /// - Parameter text: of either case; `×` stands for `x`.
  /// - Returns: nil for what is no size of paper.
  public init?(text: String) {
    let text = text.lowercased().replacing("×", with: "x")
    let named = Self.named.first { $0.text == text }?.printed
    guard let printed = named ?? PrintSize(text: text, unit: .centimetre), Self.sides.contains(printed.width),
      Self.sides.contains(printed.height)
    else { return nil }
    self.text = text
    self.printed = printed
  }
}

extension PaperSize: Codable {
  public static let expected =
    "a4, a5, a6, letter, or a width and a height from 5 to 45 cm such as 10x15, 100x150mm or 4x6in"

  public init(from decoder: any Decoder) throws {
    guard let text = try? decoder.singleValueContainer().decode(String.self), let paper = PaperSize(text: text) else {
      throw JSONExpectation(Self.expected)
    }
    self = paper
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
