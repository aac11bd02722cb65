import Testing

@testable import Portrait

@Suite("Margins of one colour around a photo")
struct PhotoFrameTests {
  private static let (width, height) = (240, 200)

  /// A picture by a grey level for each pixel, which shows twice as many pixels of the photo.
  private static func region(_ level: (Int, Int) -> Int) -> PhotoRegion {
    let pixels = (0..<width * height).flatMap { index in
      [UInt8](repeating: UInt8(level(index % width, index / width)), count: 3)
    }
    return PhotoRegion(
      image: PixelImage(width: width, height: height, pixels: pixels),
      area: Rectangle(x: 100, y: 50, width: Double(2 * width), height: Double(2 * height)))
  }

  /// A bust before a wall: shoulders that reach from side to side, and a head.
  private static func scene(_ x: Int, _ y: Int) -> Int {
    let (across, down) = (x - 120, y - 80)
    return y > 140 || across * across + down * down < 1600 ? 60 + 30 * (x % 3) : 180 + (x + 2 * y) % 5
  }

  @Test("A margin that cuts the scene in a straight line is no part of the photo, at each side", arguments: 0..<4)
  func margins(side: Int) {
    let cut = 30
    let region = Self.region { x, y in
      let isMargin = [x < cut, x >= Self.width - cut, y < cut, y >= Self.height - cut][side]
      // JPEG leaves ripples in the block beside the photo.
      let distance = [cut - x, x - Self.width + cut + 1, cut - y, y - Self.height + cut + 1][side]
      return isMargin ? 230 + (distance <= 8 ? (x * 7 + y * 5) % 20 : (x * y) % 5) : Self.scene(x, y)
    }
    let framed = region.withoutFrame()
    let lost = [framed.image.width - Self.width, framed.image.height - Self.height]
    // The line beside the margin goes with it.
    #expect(lost == (side < 2 ? [-cut - 1, 0] : [0, -cut - 1]))
    #expect(framed.area.x == (side == 0 ? 162 : 100) && framed.area.y == (side == 2 ? 112 : 50))
    #expect(framed.area.width == Double(2 * framed.image.width) && framed.area.height == Double(2 * framed.image.height))
    #expect(framed.image.isWellFormed)
    let corner = (x: side == 0 ? cut + 1 : 0, y: side == 2 ? cut + 1 : 0)
    #expect(Int(framed.image.pixels[0]) == Self.scene(corner.x, corner.y))
  }

  @Test("A wall of one colour behind somebody is part of the photo, and so is a scene without margins")
  func wall() {
    let wall = Self.region { x, y in
      let (across, down) = (x - 120, y - 80)
      return across * across + down * down < 1600 || y > 140 && abs(across) < y - 80 ? 60 : 250
    }
    #expect(wall.withoutFrame().area == wall.area)
    let scene = Self.region(Self.scene)
    #expect(scene.withoutFrame().area == scene.area)
    let blank = Self.region { _, _ in 200 }
    #expect(blank.withoutFrame().area == blank.area)
  }

  @Test("Margins that leave less than half of a side are a picture of something else")
  func mostlyMargin() {
    let region = Self.region { x, y in x < 80 || x >= 160 ? 250 : Self.scene(x, y) }
    #expect(region.withoutFrame().area == region.area)
  }

  @Test("A photo with transparency keeps its margins")
  func transparency() {
    var region = Self.region { x, y in x < 30 ? 250 : Self.scene(x, y) }
    region.opacity = PixelImage(
      width: Self.width, height: Self.height, pixels: [UInt8](repeating: 128, count: Self.width * Self.height * 3))
    #expect(region.withoutFrame().area == region.area)
  }
}
