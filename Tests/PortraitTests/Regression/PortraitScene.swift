import Testing

@testable import Portrait

/// A photo made from a bundled portrait, whose headshot is compared with a stored one.
struct PortraitScene: Sendable, CustomTestStringConvertible {
  var name: String
  var portrait: String
  var options = HeadshotOptions(background: .professional)
  var change: @Sendable (PixelImage) -> PixelImage = { $0 }

  var testDescription: String { name }

  func photo() throws -> PixelImage { change(try Fixtures.portrait(portrait)) }

  static let all = [
    PortraitScene(name: "astronaut", portrait: "astronaut"),
    PortraitScene(name: "astronaut mirrored", portrait: "astronaut") { $0.mirrored() },
    PortraitScene(name: "astronaut leaning right", portrait: "astronaut") { $0.warped(degrees: 14) },
    PortraitScene(name: "astronaut leaning left", portrait: "astronaut") { $0.warped(degrees: -9) },
    PortraitScene(name: "astronaut cut at the top", portrait: "astronaut") {
      $0.cut(PixelRectangle(x: 40, y: 40, width: 300, height: 376))
    },
    PortraitScene(name: "astronaut cut at the side", portrait: "astronaut") {
      $0.cut(PixelRectangle(x: 130, y: 0, width: 286, height: 416))
    },
    // Larger than the headshot needs, so that the region is scaled down.
    PortraitScene(name: "astronaut large", portrait: "astronaut") { $0.warped(scale: 4) },
    PortraitScene(name: "astronaut large and leaning", portrait: "astronaut") { $0.warped(degrees: 11, scale: 4.6) },
    PortraitScene(name: "astronaut dark", portrait: "astronaut") { $0.withLight { $0 * 0.45 } },
    PortraitScene(name: "astronaut casual", portrait: "astronaut", options: HeadshotOptions(background: .casual)),
    PortraitScene(name: "hopper", portrait: "grace_hopper"),
    PortraitScene(
      name: "hopper mirrored, charcoal", portrait: "grace_hopper",
      options: HeadshotOptions(background: .professional, variation: 3)
    ) { $0.mirrored() },
    PortraitScene(
      name: "hopper leaning, casual", portrait: "grace_hopper",
      options: HeadshotOptions(background: .casual, variation: 1)
    ) { $0.warped(degrees: 8) },
    PortraitScene(name: "hopper large and warm", portrait: "grace_hopper") {
      $0.warped(scale: 2.5).withLight { $0 * Colour(1, 0.9, 0.72, 0) }
    },
    PortraitScene(name: "hopper pale", portrait: "grace_hopper") { $0.withLight { $0 * 0.6 + 0.4 } },
  ]
}

extension PixelImage {
  fileprivate func mirrored() -> PixelImage { PixelImage(width: width, height: height) { colour(width - 1 - $0, $1) } }

  /// Turned clockwise around its middle and scaled, interpolated between pixels, the edges continued.
  ///
  /// Not by the studio's own resampling, so that the photos stay the same when that changes.
  fileprivate func warped(degrees: Double = 0, scale: Double = 1) -> PixelImage {
    let square = CropSquare(centre: Point(x: 0, y: 0), side: 1, rotation: -degrees)
    let (down, across) = square.directions
    let (newWidth, newHeight) = (Int(Double(width) * scale), Int(Double(height) * scale))
    return PixelImage(width: newWidth, height: newHeight) { column, row in
      let right = (Double(column) + 0.5 - Double(newWidth) / 2) / scale
      let below = (Double(row) + 0.5 - Double(newHeight) / 2) / scale
      return interpolated(
        Double(width) / 2 + right * across.x + below * down.x - 0.5,
        Double(height) / 2 + right * across.y + below * down.y - 0.5)
    }
  }

  private func interpolated(_ x: Double, _ y: Double) -> (UInt8, UInt8, UInt8) {
    let (x, y) = (max(0, min(Double(width - 1), x)), max(0, min(Double(height - 1), y)))
    let (left, top) = (min(width - 2, Int(x)), min(height - 2, Int(y)))
    let (across, down) = (Float(x) - Float(left), Float(y) - Float(top))
    let at = (top * width + left) * 3
    func pixel(_ at: Int) -> Colour { Colour(Float(pixels[at]), Float(pixels[at + 1]), Float(pixels[at + 2]), 0) }
    let upper = pixel(at) * (1 - across) + pixel(at + 3) * across
    let lower = pixel(at + width * 3) * (1 - across) + pixel(at + width * 3 + 3) * across
    let colour = upper * (1 - down) + lower * down + 0.5
    return (UInt8(colour.x), UInt8(colour.y), UInt8(colour.z))
  }

  /// The same picture with other colours, 0…1.
  fileprivate func withLight(_ change: (Colour) -> Colour) -> PixelImage {
    PixelImage(width: width, height: height) { x, y in
      let at = (y * width + x) * 3
      let colour = change(Colour(Float(pixels[at]), Float(pixels[at + 1]), Float(pixels[at + 2]), 0) / 255) * 255 + 0.5
      return (UInt8(min(255, colour.x)), UInt8(min(255, colour.y)), UInt8(min(255, colour.z)))
    }
  }
}
