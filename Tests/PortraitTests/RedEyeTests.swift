import Glibc
import Testing

@testable import Portrait

@Suite("Red eyes")
struct RedEyeTests {
  private typealias Pixel = (UInt8, UInt8, UInt8)
  private static let faceWidth = 200.0
  private static let skin: Pixel = (210, 160, 140)
  private static let eye = Point(x: 60, y: 50)

  /// An eye: white, iris and a pupil of this colour and radius, beside the eye's centre.
  private static func picture(pupil: Pixel, radius: Double, offset: Double = 0) -> PixelImage {
    PixelImage(width: 120, height: 100) { x, y in
      let (across, down) = (Double(x) - eye.x, Double(y) - eye.y)
      if hypot(across - offset, down) < radius { return pupil }
      if hypot(across, down) < 9 { return (90, 80, 70) }
      return hypot(across / 20, down / 8) < 1 ? (225, 220, 215) : skin
    }
  }

  private static func corrected(_ image: PixelImage) -> PixelImage {
    var image = image
    RedEye.correct(&image, eye: eye, faceWidth: faceWidth)
    return image
  }

  @Test(
    "A red pupil becomes dark and grey",
    arguments: [(190, 40, 50), (220, 90, 90), (120, 20, 30)] as [(UInt8, UInt8, UInt8)])
  func red(red: UInt8, green: UInt8, blue: UInt8) {
    let image = Self.corrected(Self.picture(pupil: (red, green, blue), radius: 6))
    let pupil = image.colour(60, 50)
    #expect(pupil.0 <= max(green, blue) && pupil.0 < red / 2)
    #expect(image.colour(60, 70) == Self.skin && image.colour(72, 50) == (225, 220, 215))
  }

  @Test(
    "Anything else stays as it is",
    arguments: [
      // Dark, brown and blue pupils; a red one that is too small, too large, or in the corner of the eye.
      ((20, 18, 18), 6, 0), ((110, 70, 50), 6, 0), ((60, 80, 120), 6, 0), ((190, 40, 50), 1.5, 0),
      ((190, 40, 50), 14, 0), ((190, 40, 50), 4, 17),
    ] as [((UInt8, UInt8, UInt8), Double, Double)])
  func other(pupil: (UInt8, UInt8, UInt8), radius: Double, offset: Double) {
    let image = Self.picture(pupil: pupil, radius: radius, offset: offset)
    #expect(Self.corrected(image) == image)
  }

  @Test("The corner of an eye in warm light is as red as a pupil, but not crimson")
  func warmLight() {
    let image = PixelImage(width: 120, height: 100) { x, y in
      hypot(Double(x) - Self.eye.x, Double(y) - Self.eye.y) < 6 ? (120, 58, 40) : (160, 96, 70)
    }
    #expect(Self.corrected(image) == image)
  }

  @Test("A red lid is no pupil")
  func makeUp() {
    let image = PixelImage(width: 120, height: 100) { x, y in
      abs(y - 44) < 4 && abs(x - 60) < 24 ? (180, 60, 70) : Self.skin
    }
    #expect(Self.corrected(image) == image)
  }

  @Test("An eye outside the picture is left alone", arguments: [-500.0, 0, 119, 1e9, .infinity])
  func outside(x: Double) {
    var image = Self.picture(pupil: (20, 18, 18), radius: 6)
    let before = image
    RedEye.correct(&image, eye: Point(x: x, y: 3), faceWidth: Self.faceWidth)
    #expect(image == before)
  }
}
