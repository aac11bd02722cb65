import Testing

@testable import Portrait

@Suite("Clothes before the background")
struct ClothesContrastTests {
  private static let size = 256
  private static let chin = 120

  /// A head of a colour of its own on shoulders of `clothes`.
  private static func isLow(
    clothes: Float, behind: Float, shoulders: Int = 96, tone: ToneCurve = ToneCurve(for: .neutral)
  ) -> Bool {
    var image = Plane<Colour>(width: size, height: size, repeating: Colour(0.3, 0.5, 0.2, 0))
    var opacity = Plane<Float>(width: size, height: size, repeating: 0)
    for y in 0..<size {
      for x in 0..<size {
        let (across, down) = (abs(x - size / 2), y - 80)
        let isHead = across * across + down * down < 40 * 40
        guard isHead || y > 150 && across < shoulders else { continue }
        opacity[x, y] = 1
        image[x, y] = isHead ? Colour(0.8, 0.6, 0.5, 0) : Colour(clothes, clothes, clothes, 0)
      }
    }
    let background = Plane<Colour>(width: 1, height: 1, repeating: Colour(behind, behind, behind, 0))
    return ClothesContrast(of: image, opacity: opacity, before: background, tone: tone, chin: chin).isLow
  }

  @Test(
    "Clothes of the colour of the background are told of, others are not",
    arguments: [
      (0.97, 1, true), (0.5, 0.53, true), (0.1, 0.1, true), (0.85, 1, false), (0.1, 0.16, false), (0.1, 1, false),
      (0.95, 0.6, false),
    ] as [(Float, Float, Bool)])
  func colours(clothes: Float, behind: Float, expected: Bool) {
    #expect(Self.isLow(clothes: clothes, behind: behind) == expected)
  }

  @Test("The corrected colours of the clothes count, which are those of the picture")
  func corrected() {
    let lighter = ToneCurve(for: PhotoLight(median: 0.3, bright: 0.5, cast: SIMD3(1, 1, 1)))
    #expect(!Self.isLow(clothes: 0.5, behind: 0.6))
    #expect(Self.isLow(clothes: 0.5, behind: 0.6, tone: lighter))
  }

  @Test("Hardly any clothes are told of nothing")
  func few() {
    #expect(!Self.isLow(clothes: 1, behind: 1, shoulders: 0))
  }

  @Test("White clothes before white are told of in a photo, and before grey they are not")
  func photo() throws {
    // The navy of the uniform becomes white; the face keeps its colours.
    let photo = try Fixtures.portrait("grace_hopper")
    let white = PixelImage(width: photo.width, height: photo.height) { x, y in
      let colour = photo.colour(x, y)
      return y > 230 && max(colour.0, colour.1, colour.2) < 90 ? (250, 250, 250) : colour
    }
    let studio = try Studio()
    func warnings(_ photo: PixelImage, _ level: UInt8) throws -> [PortraitWarning.Kind] {
      let options = HeadshotOptions(background: .colour(red: level, green: level, blue: level))
      return try studio.headshot(of: photo, options: options).warnings.map(\.kind)
    }
    #expect(try warnings(white, 255).contains(.clothesLikeBackground))
    #expect(try !warnings(white, 120).contains(.clothesLikeBackground))
    #expect(try !warnings(photo, 255).contains(.clothesLikeBackground))
  }
}
