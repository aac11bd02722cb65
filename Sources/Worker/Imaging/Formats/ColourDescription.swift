import Glibc

/// The colours that a picture's numbers stand for, where a file names them by numbers instead of a profile.
///
/// HEIC, AVIF and PNG have the code points of ITU-T H.273; PNG also has chromaticities and an exponent, and JPEG from
/// cameras the name of Adobe RGB.
public struct ColourDescription: Sendable, Equatable {
  public var primaries: Primaries
  public var transfer: TransferFunction
  /// Whether black is 0 and white the largest number, and not 16 and 235 of 255. Decoders of YCbCr have seen to it.
  public var isFullRange: Bool

  public init(primaries: Primaries, transfer: TransferFunction, isFullRange: Bool = true) {
    self.primaries = primaries
    self.transfer = transfer
    self.isFullRange = isFullRange
  }

  public static let sRGB = ColourDescription(primaries: .sRGB, transfer: .sRGB)
  /// Adobe RGB (1998), section 4.3.
  public static let adobeRGB = ColourDescription(
    primaries: Primaries(
      red: Chromaticity(0.64, 0.33), green: Chromaticity(0.21, 0.71), blue: Chromaticity(0.15, 0.06), white: .d65),
    transfer: .power(563.0 / 256))

  /// - Returns: nil where the code points name no colours: they are unspecified, or unknown.
  public init?(_ codePoints: ColourCodePoints) {
    let primaries = Primaries(codePoint: codePoints.primaries)
    let transfer = TransferFunction(codePoint: codePoints.transfer)
    guard primaries != nil || transfer != nil else { return nil }
    self.init(
      primaries: primaries ?? .sRGB, transfer: transfer ?? .sRGB, isFullRange: codePoints.isFullRange)
  }
}

/// The code points of ITU-T H.273 (also ISO/IEC 23091-2), as files have them.
public struct ColourCodePoints: Sendable, Equatable {
  public var primaries: Int
  public var transfer: Int
  public var matrix: Int
  public var isFullRange: Bool

  public init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.isFullRange = isFullRange
  }

  /// Whether the decoders turn a picture with this matrix into RGB (H.273, table 4). Those with a constant luminance, and
  /// ICtCp, are not linear in RGB: libheif takes them for another matrix, and Chromium shows nothing.
  public var hasUsualMatrix: Bool { ![10, 11, 13, 14].contains(matrix) }
}

/// A colour without its brightness, in the coordinates of CIE 1931.
public struct Chromaticity: Sendable, Equatable {
  public var x: Double
  public var y: Double

  public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

  static let d65 = Chromaticity(0.3127, 0.3290)
  static let c = Chromaticity(0.310, 0.316)
}

/// The colours of pure red, green and blue, and of white.
public struct Primaries: Sendable, Equatable {
  public var red: Chromaticity
  public var green: Chromaticity
  public var blue: Chromaticity
  public var white: Chromaticity

  public init(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
  }

  private init(_ numbers: [(Double, Double)], white: Chromaticity) {
    let all = numbers.map { Chromaticity($0.0, $0.1) }
    self.init(red: all[0], green: all[1], blue: all[2], white: white)
  }

  public static let sRGB = Primaries([(0.640, 0.330), (0.300, 0.600), (0.150, 0.060)], white: .d65)

  /// H.273, table 2.
  /// - Returns: nil for unspecified or unknown primaries.
  init?(codePoint: Int) {
    switch codePoint {
    case 1: self = .sRGB
    case 4: self.init([(0.67, 0.33), (0.21, 0.71), (0.14, 0.08)], white: .c)
    case 5: self.init([(0.64, 0.33), (0.29, 0.60), (0.15, 0.06)], white: .d65)
    case 6, 7: self.init([(0.630, 0.340), (0.310, 0.595), (0.155, 0.070)], white: .d65)
    case 8: self.init([(0.681, 0.319), (0.243, 0.692), (0.145, 0.049)], white: .c)
    case 9: self.init([(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)], white: .d65)
    case 10: self.init([(1, 0), (0, 1), (0, 0)], white: Chromaticity(1.0 / 3, 1.0 / 3))
    case 11: self.init([(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)], white: Chromaticity(0.314, 0.351))
    case 12: self.init([(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)], white: .d65)
    case 22: self.init([(0.630, 0.340), (0.295, 0.605), (0.155, 0.077)], white: .d65)
    default: return nil
    }
  }

  /// Whether nobody sees the difference: what a file rounds, or another standard's last digit.
  func isNear(_ other: Primaries) -> Bool {
    zip([red, green, blue, white], [other.red, other.green, other.blue, other.white]).allSatisfy {
      abs($0.x - $1.x) <= 0.005 && abs($0.y - $1.y) <= 0.005
    }
  }
}

/// How much light each number of a picture stands for.
public enum TransferFunction: Sendable, Equatable {
  case sRGB
  /// SMPTE ST 240.
  case smpte240
  /// The number to the power of this.
  case power(Double)
  /// SMPTE ST 428-1, of digital cinema.
  case cinema
  /// SMPTE ST 2084, “PQ”: a number for each brightness up to 10,000 cd/m².
  case perceptualQuantizer
  /// ARIB STD-B67, “HLG”: the light of the scene, which a screen of 1000 cd/m² shows with more contrast.
  case hybridLogGamma

  /// H.273, table 3, as readers take it: Tests/Fixtures/colours/readers.json has what Chromium, libvips and Pillow show for
  /// each number. The last two convert none.
  ///
  /// - Returns: nil for an unspecified or unknown function, which stands for that of sRGB.
  init?(codePoint: Int) {
    switch codePoint {
    // BT.709, BT.601, IEC 61966-2-4, BT.1361 and BT.2020: what a camera for television does to light. A screen undoes
    // another function, and pictures with these numbers are made for screens. Chromium takes AVIF so; PNG it darkens a
    // little, by 2.4 (BT.1886).
    case 1, 6, 11, 12, 14, 15: self = .sRGB
    case 4: self = .power(2.2)  // BT.470 System M
    case 5: self = .power(2.8)  // BT.470 System B, G
    case 7: self = .smpte240
    case 8: self = .power(1)
    // Logarithmic: no reader converts them.
    case 9, 10: return nil
    case 13: self = .sRGB
    case 16: self = .perceptualQuantizer
    case 17: self = .cinema
    case 18: self = .hybridLogGamma
    default: return nil
    }
  }

  /// Whether the numbers reach beyond the white of paper.
  public var isHDR: Bool { self == .perceptualQuantizer || self == .hybridLogGamma }

  /// The light of a number, 0…1 of the largest; that of a screen, or of the scene for ``hybridLogGamma``.
  public func light(_ number: Double) -> Double {
    let value = max(0, min(1, number))
    switch self {
    case .sRGB: return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    case .smpte240: return value < 0.0913 ? value / 4 : pow((value + 0.1115) / 1.1115, 1 / 0.45)
    case .power(let exponent): return pow(value, exponent)
    case .cinema: return min(1, 52.37 / 48 * pow(value, 2.6))
    case .perceptualQuantizer:
      let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
      let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
      let root = pow(value, 1 / m2)
      return pow(max(0, root - c1) / (c2 - c3 * root), 1 / m1)
    case .hybridLogGamma:
      let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
      return value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
    }
  }
}
