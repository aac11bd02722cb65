import Glibc
import Testing

@testable import Portrait

@Suite("The outline of a profile picture")
struct FrameOutlineTests {
  /// A drawn opacity: positive inside, growing by one a pixel, so that edges are smooth.
  struct Drawing: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var isFrame: Bool
    var inside: @Sendable (Double, Double) -> Double

    /// - Parameter scale: how many times as large as 200 × 240 pixels.
    func opacity(scale: Int) -> PixelImage {
      PixelImage(width: 200 * scale, height: 240 * scale) { x, y in
        let distance = inside((Double(x) + 0.5) / Double(scale), (Double(y) + 0.5) / Double(scale)) * Double(scale)
        let part = UInt8(255 * max(0, min(1, distance + 0.5)))
        return (part, part, part)
      }
    }
  }

  @Sendable private static func ellipse(_ x: Double, _ y: Double, _ across: Double, _ down: Double) -> Double {
    (1 - hypot(x / across, y / down)) * min(across, down)
  }

  /// - Parameter radius: of the corners.
  @Sendable private static func rectangle(
    _ x: Double, _ y: Double, _ across: Double, _ down: Double, radius: Double
  ) -> Double {
    let (right, below) = (abs(x) - across + radius, abs(y) - down + radius)
    return radius - (right > 0 && below > 0 ? hypot(right, below) : max(right, below))
  }

  @Sendable private static func bust(_ x: Double, _ y: Double) -> Double {
    max(ellipse(x - 100, y - 90, 44, 58), rectangle(x - 100, y - 210, 84, 66, radius: 40))
  }

  static let drawings = [
    Drawing(testDescription: "circle", isFrame: true) { ellipse($0 - 100, $1 - 120, 98, 98) },
    Drawing(testDescription: "upper part of a circle", isFrame: true) { ellipse($0 - 90, $1 - 190, 180, 180) },
    Drawing(testDescription: "circle beyond all sides", isFrame: true) { ellipse($0 - 102, $1 - 121, 140, 140) },
    Drawing(testDescription: "ellipse", isFrame: true) { ellipse($0 - 100, $1 - 120, 80, 119) },
    Drawing(testDescription: "rounded corners", isFrame: true) { rectangle($0 - 100, $1 - 120, 100, 120, radius: 24) },
    Drawing(testDescription: "rounded rectangle with margins", isFrame: true) {
      rectangle($0 - 90, $1 - 130, 70, 84, radius: 30)
    },
    Drawing(testDescription: "rectangle with margins", isFrame: true) { rectangle($0 - 90, $1 - 130, 70, 84, radius: 0) },
    Drawing(testDescription: "capsule", isFrame: true) { rectangle($0 - 100, $1 - 120, 60, 118, radius: 60) },
    Drawing(testDescription: "head and shoulders", isFrame: false) { bust($0, $1) },
    Drawing(testDescription: "head and shoulders in a circle", isFrame: false) {
      min(bust($0, $1), ellipse($0 - 100, $1 - 120, 98, 98))
    },
    Drawing(testDescription: "head that looks out of a circle", isFrame: false) {
      max(ellipse($0 - 100, $1 - 150, 88, 88), bust($0, $1 + 20))
    },
    Drawing(testDescription: "face that fills the picture", isFrame: false) {
      // Hair is no line of a compass.
      max(ellipse($0 - 100, $1 - 110, 99, 106) + 3 * sin($0 / 7), rectangle($0 - 100, $1 - 220, 100, 60, radius: 0))
    },
    Drawing(testDescription: "nothing", isFrame: false) { _, _ in -1 },
  ]

  @Test("A circle, an ellipse and a rounded rectangle are frames, a person is none", arguments: drawings, [1, 3])
  func frames(drawing: Drawing, scale: Int) {
    #expect((FrameOutline(of: drawing.opacity(scale: scale)) != nil) == drawing.isFrame)
  }

  @Test("A dark rim inside the outline is not continued beyond it", arguments: [1, 3])
  func rim(scale: Int) throws {
    let drawing = try #require(Self.drawings.first { $0.testDescription == "circle" })
    let opacity = drawing.opacity(scale: scale)
    let image = PixelImage(width: opacity.width, height: opacity.height) { x, y in
      let distance = drawing.inside((Double(x) + 0.5) / Double(scale), (Double(y) + 0.5) / Double(scale)) * Double(scale)
      return distance < 1.5 ? (0, 0, 0) : (200, 190, 180)
    }
    let whole = Rectangle(x: 0, y: 0, width: Double(image.width), height: Double(image.height))
    let photo = PhotoRegion(image: image, area: whole, opacity: opacity).withContinuedColours().withoutFrame().image
    #expect(photo.width >= 190 * scale)
    #expect(photo.pixels.allSatisfy { $0 > 150 })
  }

  @Test("A framed photo ends at the rectangle around the frame, and its colours fill the corners smoothly")
  func filled() throws {
    let drawing = try #require(Self.drawings.first { $0.testDescription == "rounded rectangle with margins" })
    let opacity = drawing.opacity(scale: 1)
    let image = PixelImage(width: 200, height: 240) { x, y in
      // Magenta must not be seen.
      opacity.colour(x, y).0 > 0 ? (60, UInt8(x), UInt8(y)) : (255, 0, 255)
    }
    let region = PhotoRegion(image: image, area: Rectangle(x: 10, y: 20, width: 400, height: 480), opacity: opacity)
    let photo = region.withContinuedColours().withoutFrame()
    #expect(photo.opacity == nil)
    #expect(abs(photo.area.x - 50) <= 2 && abs(photo.area.width - 280) <= 4)
    #expect(abs(photo.area.y - 112) <= 2 && abs(photo.area.height - 336) <= 4)
    let (width, height) = (photo.image.width, photo.image.height)
    for y in 0..<height {
      for x in 0..<width {
        let (colour, next) = (photo.image.colour(x, y), photo.image.colour(min(width - 1, x + 1), y))
        #expect(colour.0 < 70 && abs(Int(colour.1) - Int(next.1)) < 6 && abs(Int(colour.2) - Int(next.2)) < 6)
      }
    }
  }
}
