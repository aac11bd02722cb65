import Testing

@testable import Portrait

@Suite("Flat and transparent backgrounds")
struct PlainBackgroundTests {
  private static let side = 64
  private static let red = Colour(0.8, 0.1, 0.1, 0)
  private static let green = Colour(0.1, 0.7, 0.2, 0)

  /// A red person on the left before a green wall, with 8 columns that show both.
  private static func compositor(before background: Plane<Colour>?) -> Compositor {
    var coefficients = Plane<Colour>(width: side, height: side, repeating: .zero)
    var opacity = Plane<Float>(width: side, height: side, repeating: 0)
    var crop: [UInt8] = []
    for index in 0..<side * side {
      let raw = max(0, min(1, (Float(36) - Float(index % side) - 0.5) / 8))
      let alpha = raw * raw * (3 - 2 * raw)
      coefficients.values[index] = Colour(0, 0, 0, EdgeCurve.value(ofProportional: alpha))
      opacity.values[index] = alpha
      let mixed = (red * alpha + green * (1 - alpha)) * 255
      crop += [mixed.x, mixed.y, mixed.z].map { UInt8($0.rounded()) }
    }
    let image = PixelImage(width: side, height: side, pixels: crop)
    let colours = Plane(width: side, height: side, values: (0..<side * side).map { index in
      Colour(Float(crop[index * 3]), Float(crop[index * 3 + 1]), Float(crop[index * 3 + 2]), 0) / 255
    })
    let layers = LayerEstimator.layers(of: colours, quarter: colours.halved().halved(), opacity: opacity)
    return Compositor(
      crop: image,
      matte: Matte(
        coefficients: coefficients, looseness: Plane(width: side, height: side, repeating: EdgeCurve.proportional),
        opacity: opacity, layers: layers),
      background: background, tone: ToneCurve(for: .neutral))
  }

  @Test("A flat background is exactly its colour, without grain and without a rim from sharpening")
  func flat() {
    let blue = Colour(30, 144, 255, 0) / 255
    let picture = Sharpener(behind: .flat).finished(
      Self.compositor(before: Plane(width: 1, height: 1, repeating: blue)))
    let behind = picture.opacity.indices.filter { picture.opacity[$0] == 0 }
    #expect(behind.count > Self.side * 20)
    for index in behind { #expect(Array(picture.image.pixels[index * 3..<index * 3 + 3]) == [30, 144, 255]) }
  }

  @Test("A picture without a background has the person's own colours up to the last trace of opacity, then white")
  func transparent() {
    let picture = Sharpener(behind: .nothing).finished(Self.compositor(before: nil))
    var half = 0
    for (index, opacity) in picture.opacity.enumerated() {
      let (red, green, blue) = picture.image.colour(index % Self.side, index / Self.side)
      if opacity == 0 {
        #expect((red, green, blue) == (255, 255, 255))
      } else {
        // The person's red; the wall's green would show as green above red.
        #expect(abs(Int(red) - 204) < 26 && green < 60 && blue < 60, "opacity \(opacity) at column \(index % Self.side)")
        if (40...215).contains(opacity) { half += 1 }
      }
    }
    #expect(half > Self.side * 2)
    #expect(picture.opacity[10] == 255 && picture.opacity[Self.side - 1] == 0)
  }

  @Test("A transparent picture put before a colour is the picture that is made before that colour")
  func composited() {
    let blue = Colour(30, 144, 255, 0) / 255
    let cut = Sharpener(behind: .nothing).finished(Self.compositor(before: nil))
    let flat = Sharpener(behind: .flat).finished(
      Self.compositor(before: Plane(width: 1, height: 1, repeating: blue)))
    #expect(cut.opacity == flat.opacity)
    for index in cut.opacity.indices {
      let alpha = Float(cut.opacity[index]) / 255
      for (channel, background) in [blue.x, blue.y, blue.z].enumerated() {
        let own = Float(cut.image.pixels[index * 3 + channel])
        let together = own * alpha + background * 255 * (1 - alpha)
        // Sharpening sees another brightness beside the edge.
        #expect(abs(together - Float(flat.image.pixels[index * 3 + channel])) <= 12)
      }
    }
  }
}
