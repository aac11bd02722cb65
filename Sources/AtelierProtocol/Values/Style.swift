import JSON

/// The look of a headshot: the direction in which the person looks, and the background.
public struct Style: Hashable, Sendable, Codable {
  /// The direction in which the person looks. Default: to the front; a provider on this machine, which cannot turn a
  /// head, then keeps the direction of the photo.
  public var angle: Angle?
  /// The background: `professional`, a plain studio backdrop; `casual`, an everyday place, out of focus; `white`,
  /// `transparent`, or a colour such as `#1e90ff`. Default: `professional`, for a passport `white`.
  public var background: Background?

  public init(angle: Angle? = nil, background: Background? = nil) {
    self.angle = angle
    self.background = background
  }
}

extension Style {
  /// The six styles that have a name: three angles with two backgrounds, the professional ones first.
  public static let named: [Style] = [Background.professional, .casual].flatMap { background in
    Angle.Name.allCases.map { Style(angle: $0.angle, background: background) }
  }

  /// The name of the style nearest to this one: `left-professional`, or `professional` if it names no angle.
  public var name: String { (angle.map { "\($0.nearestName.rawValue)-" } ?? "") + (background ?? .professional).text }

  /// The name of the nearest angle; the front if the style names no angle.
  public var nearestAngleName: Angle.Name { angle?.nearestName ?? .front }
}

/// The direction in which the person looks in a headshot: from −1, the far left, through 0, the front, to 1, the far
/// right. Left and right are the viewer's.
///
/// The three usual angles also have names.
public struct Angle: Hashable, Sendable {
  /// The angles that have a name and an engineered prompt.
  public enum Name: String, Codable, Sendable, CaseIterable {
    case left, front, right

    public var angle: Angle {
      switch self {
      case .left: .left
      case .front: .front
      case .right: .right
      }
    }
  }

  public static let range = -1.0...1.0
  public static let left = Angle(uncheckedValue: -0.5)
  public static let front = Angle(uncheckedValue: 0)
  public static let right = Angle(uncheckedValue: 0.5)

  /// −1…1.
  public let value: Double

  /// - Returns: nil outside −1…1.
  public init?(_ value: Double) {
    guard Self.range.contains(value) else { return nil }
    self.init(uncheckedValue: value)
  }

  private init(uncheckedValue value: Double) { self.value = value }

  /// The nearest of the three names; the front if two are equally near.
  public var nearestName: Name {
    if value < -0.25 { .left } else if value > 0.25 { .right } else { .front }
  }
}

extension Angle: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let name = try? container.decode(String.self), let name = Name(rawValue: name) {
      self = name.angle
    } else if let number = try? container.decode(Double.self), let angle = Angle(number) {
      self = angle
    } else {
      throw JSONExpectation("a number from -1 to 1, or left, front, right")
    }
  }

  /// Angles that have a name are written by name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if nearestName.angle == self { try container.encode(nearestName.rawValue) } else { try container.encode(value) }
  }
}

/// A side of the head that one picture of a multi-angle generation shows. Left and right are the
/// viewer's, as in headshots: in `left` the nose points at the left edge of the picture.
public enum View: String, Codable, Sendable, CaseIterable {
  case front, left, right, back
}

/// The kind of picture to make.
public enum Recipe: String, Codable, Sendable, CaseIterable {
  /// A portrait from a photo, in one of six styles.
  case headshot
  /// Another haircut in a photo.
  case hairstyle
  /// Any other change to a photo.
  case edit
  /// A picture from a prompt.
  case create
  /// A list of verified places from a prompt.
  case places
}
