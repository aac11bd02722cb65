import JSON

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
