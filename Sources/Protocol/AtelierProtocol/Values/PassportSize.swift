/// The width and height of a printed photo for a passport or a visa, in millimetres.
public enum PassportSize: String, Codable, Sendable, CaseIterable {
  /// ICAO 9303, as in most countries: the head is 70 to 80 % of the height from chin to crown, and the eyes are at 50 to
  /// 70 % of the height.
  case mm35x45 = "35x45"
  /// 2 × 2 inches, as in the United States and for visas and cards of India: the head is 25 to 35 mm high, and the eyes are
  /// 28 to 35 mm above the lower edge.
  case mm51x51 = "51x51"
  /// Canada: the face is 31 to 36 mm high from chin to crown.
  case mm50x70 = "50x70"
  /// China: the head is 28 to 33 mm high, 3 to 5 mm below the upper edge and at least 7 mm above the lower one.
  case mm33x48 = "33x48"

  public static let standard = PassportSize.mm35x45

  /// In millimetres, exactly: two inches are 50.8.
  public var printed: (width: Double, height: Double) {
    switch self {
    case .mm35x45: (35, 45)
    case .mm51x51: (50.8, 50.8)
    case .mm50x70: (50, 70)
    case .mm33x48: (33, 48)
    }
  }

  /// The sides of the picture's shape.
  public var parts: (width: Int, height: Int) {
    switch self {
    case .mm35x45: (35, 45)
    case .mm51x51: (1, 1)
    case .mm50x70: (5, 7)
    case .mm33x48: (33, 48)
    }
  }
}
