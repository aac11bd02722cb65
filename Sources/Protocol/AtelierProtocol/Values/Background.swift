import JSON

/// The background of a headshot.
///
/// A flat background, which is `white`, `transparent` or a colour, is the same everywhere.
public enum Background: Hashable, Sendable {
  /// A plain studio backdrop, unless a headshot made on this machine cannot be cut out well enough for one; then the photo's
  /// own, out of focus.
  case auto
  /// A plain studio backdrop.
  case professional
  /// An everyday place, out of focus.
  case casual
  /// White without any shade.
  case white
  /// None: the picture is opaque where the person is, and only there.
  case transparent
  /// The photo's own, as it is.
  case keep
  /// A colour without any shade.
  case colour(FlatColour)

  /// The backgrounds that have a name; any other one is a colour, written `#rrggbb`.
  public static let named: [Background] = [.auto, .professional, .casual, .white, .transparent, .keep]

  /// The background of a headshot that names none.
  public static let usual = Background.auto

  /// - Parameter text: as ``text``; letters of a colour may be of either case.
  /// - Returns: nil for anything else.
  public init?(text: String) {
    if let named = Self.named.first(where: { $0.text == text }) {
      self = named
    } else if let colour = FlatColour(text: text) {
      self = .colour(colour)
    } else {
      return nil
    }
  }

  /// The name, or the colour as `#rrggbb` in lowercase.
  public var text: String {
    switch self {
    case .auto: "auto"
    case .professional: "professional"
    case .casual: "casual"
    case .white: "white"
    case .transparent: "transparent"
    case .keep: "keep"
    case .colour(let colour): colour.text
    }
  }

  /// The colour of a flat background; nil for one that is not flat or has no colour.
  public var flatColour: FlatColour? {
    switch self {
    case .white: FlatColour(red: 255, green: 255, blue: 255)
    case .colour(let colour): colour
    case .auto, .professional, .casual, .transparent, .keep: nil
    }
  }

  /// Whether the background is the same everywhere, so that there is only one of its kind.
  public var isFlat: Bool { self == .transparent || flatColour != nil }
}

extension Background: Codable {
  public init(from decoder: any Decoder) throws {
    guard let text = try? decoder.singleValueContainer().decode(String.self), let background = Background(text: text)
    else {
      throw JSONExpectation("\(Self.named.map(\.text).joined(separator: ", ")), or a colour such as #1e90ff")
    }
    self = background
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// A colour in sRGB.
public struct FlatColour: Hashable, Sendable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// - Parameter text: `#rrggbb`, in hexadecimal digits of either case.
  /// - Returns: nil for anything else.
  public init?(text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 7, digits[0] == UInt8(ascii: "#") else { return nil }
    let numbers = digits.dropFirst().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard numbers.count == 6 else { return nil }
    self.init(
      red: UInt8(numbers[0] * 16 + numbers[1]), green: UInt8(numbers[2] * 16 + numbers[3]),
      blue: UInt8(numbers[4] * 16 + numbers[5]))
  }

  /// `#rrggbb` in lowercase.
  public var text: String {
    "#" + [red, green, blue].map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
